// What a page fetches: anew when what it depends on changes, and when another key is given, which may not see what the one before was shown. Invariants: what is
// shown is of what is asked now; what could not be fetched shows nothing, and what comes too late changes nothing.
import { useEffect, useState } from 'preact/hooks';
import { report } from '../ask/session.ts';
import { keyVersion } from '../shared/api.ts';

interface Loaded<Value> {
  /** What it was asked for with. */
  readonly asked: string;
  /** Another one for each time that it was fetched. */
  readonly load: object;
  readonly value: Value;
}

/**
 * Undefined until it is there. It is fetched again when `again` changes, and shown meanwhile. `change` puts another value in its place, such as one with
 * more rows, unless it was fetched anew since.
 */
export function useLoaded<Value>(
  fetched: (stopped: AbortSignal) => Promise<Value>,
  on: readonly (string | number | undefined)[],
  again = 0,
) {
  const [loaded, setLoaded] = useState<Loaded<Value>>();
  const asked = JSON.stringify([keyVersion.value, ...on]);
  useEffect(() => {
    const own = new AbortController();
    fetched(own.signal).then(
      (value) => !own.signal.aborted && setLoaded({ asked, load: own, value }),
      (error: unknown) => {
        if (own.signal.aborted) return;
        setLoaded(undefined);
        report(error);
      },
    );
    return () => own.abort();
  }, [asked, again]);
  const change = (value: Value): void =>
    setLoaded((now) => (now && now.load === loaded?.load ? { ...now, value } : now));
  return [loaded?.asked === asked ? loaded.value : undefined, change] as const;
}
