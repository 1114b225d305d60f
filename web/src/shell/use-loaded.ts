// What a page fetches: anew when what it depends on changes, and when another key is given, which may not see what the one before was shown.
import { useEffect, useState } from 'preact/hooks';
import { report } from '../ask/session.ts';
import { keyVersion } from '../shared/api.ts';

/** Undefined until it is there. `change` puts another value in its place, such as one with more rows. */
export function useLoaded<Value>(load: (stopped: AbortSignal) => Promise<Value>, on: readonly unknown[]) {
  const [loaded, setLoaded] = useState<{ readonly version: number; readonly value: Value }>();
  const version = keyVersion.value;
  useEffect(() => {
    const own = new AbortController();
    load(own.signal).then(
      (value) => !own.signal.aborted && setLoaded({ version, value }),
      (error: unknown) => !own.signal.aborted && report(error),
    );
    return () => own.abort();
  }, [version, ...on]);
  const change = (value: Value): void => setLoaded({ version, value });
  return [loaded?.version === version ? loaded.value : undefined, change] as const;
}
