// A list that a page fetches part by part.
import { callJson } from '../shared/api.ts';
import { useLoaded } from './use-loaded.ts';

interface Listed<Row> {
  readonly data: readonly Row[];
  readonly nextCursor?: string;
}

/**
 * What was fetched so far, undefined until the first part is there; how to fetch one more, undefined where there is none; and how to keep some rows only. `path` is the request of the
 * first part, with its parameters; `again` as in `useLoaded`.
 */
export function useListed<Row, More = unknown>(path: string, again = 0) {
  const load = (from: string, stopped?: AbortSignal): Promise<Listed<Row> & More> =>
    callJson(from, stopped && { signal: stopped });
  const [listed, setListed] = useLoaded((stopped) => load(path, stopped), [path], again);
  const cursor = listed?.nextCursor;
  const more = async (): Promise<void> => {
    const next = await load(`${path}&cursor=${encodeURIComponent(cursor ?? '')}`);
    setListed({ ...next, data: [...(listed?.data ?? []), ...next.data] });
  };
  const keep = (isKept: (row: Row) => boolean): void => {
    if (listed) setListed({ ...listed, data: listed.data.filter(isKept) });
  };
  return [listed, cursor === undefined ? undefined : more, keep] as const;
}
