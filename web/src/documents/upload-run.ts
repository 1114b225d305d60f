// What a run of uploaded files tells, as its files see it: each ended when a later one has, for they are read in their order.

import { call, callJson, Problem } from '../shared/api.ts';
import { eventsOf } from '../shared/events.ts';
import type { Run } from '../sources/runs.ts';
import type { Refusal, Taken } from './upload-queue.ts';

export interface RunFile {
  readonly uri: string;
  readonly state: 'pending' | 'done' | 'unchanged' | 'failed' | 'parked' | 'deleted';
  readonly change?: 'added' | 'changed';
  readonly documentId?: string;
  readonly chunks?: number;
  readonly warnings?: readonly string[];
  readonly error?: { readonly message: string };
}

/** Its lines have addresses of their own, which name no file. */
const linesName = /\.(jsonl|ndjson)(\.gz)?$/iu;
const linesType = /jsonl|ndjson/iu;
/** What a form writes otherwise, or the server cuts away. */
const changedInForms = /["\\/\p{Cc}]/u;
const mostOfName = 255;

/** Whether what comes of a file tells only in a run of its own that it is of that file. */
export const goesAlone = (name: string, type: string): boolean =>
  linesName.test(name) ||
  linesType.test(type) ||
  changedInForms.test(name) ||
  !name.isWellFormed() ||
  name.length > mostOfName;

/** What came of each file by its place: its document, and what was inside it. In a run of several, what names none of them is of none. */
export function byFile(names: readonly string[], told: readonly RunFile[]): RunFile[][] {
  if (names.length === 1) return [[...told]];
  const placeOf = ({ uri }: RunFile): number => {
    const same = names.indexOf(uri);
    if (same >= 0) return same;
    // A name may begin with another and its mark: the longest is meant.
    const outer = names.filter((name) => uri.startsWith(`${name}/`) || uri.startsWith(`${name}#`));
    return names.indexOf(outer.reduce((longest, name) => (name.length > longest.length ? name : longest), ''));
  };
  const places = told.map(placeOf);
  return names.map((_, at) => told.filter((_one, index) => places[index] === at));
}

export function becameOf(files: readonly RunFile[]): Taken | Refusal {
  const [failed] = files.filter(({ error }) => error);
  if (failed?.error && files.every(({ documentId }) => documentId === undefined))
    return { title: 'It could not be read', detail: failed.error.message };
  return {
    documents: files.flatMap(({ documentId: id, state, change, chunks = 0 }) => {
      const status = state === 'unchanged' ? state : change === 'changed' ? 'updated' : 'created';
      return id === undefined ? [] : [{ id, status, chunks } as const];
    }),
    warnings: [...new Set(files.flatMap(({ warnings = [] }) => warnings))],
  };
}

async function filesOf(path: string): Promise<RunFile[]> {
  const files: RunFile[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const query: URLSearchParams = new URLSearchParams({ limit: '1000', ...(cursor && { cursor }) });
    const page = await callJson<{ data: RunFile[]; nextCursor?: string }>(`${path}/files?${query}`);
    files.push(...page.data);
    cursor = page.nextCursor;
  }
  return files;
}

const lookEveryMs = 500;

/** Tells of each file once it was read, and ends with the run. Throws why the run failed. Stopped, it cancels the run. */
export async function followRun(
  { id, names }: { readonly id: string; readonly names: readonly string[] },
  told: (at: number, files: readonly RunFile[]) => void,
  stopped: AbortSignal,
): Promise<void> {
  const path = `v1/ingestions/${encodeURIComponent(id)}`;
  const cancel = (): void => void call(path, { method: 'DELETE' }).catch(() => undefined);
  if (stopped.aborted) cancel();
  else stopped.addEventListener('abort', cancel, { once: true });
  let [read, lookedAt, last]: [number, number, Run | undefined] = [0, Date.now(), undefined];
  const tell = async (isOver: boolean): Promise<void> => {
    const all = byFile(names, await filesOf(path));
    const upTo = isOver ? all.length : all.findLastIndex((files) => files.length > 0);
    for (const [at, files] of all.slice(0, upTo).entries()) if (files.length > 0) told(at, files);
  };
  const reply = await call(path, { accept: 'text/event-stream' });
  if (reply.body)
    for await (const { ingestion } of eventsOf<{ ingestion?: Run }>(reply.body)) {
      if (!ingestion) continue;
      last = ingestion;
      const { done, unchanged, failed } = ingestion.counts;
      const now = done + unchanged + failed;
      if (now === read || Date.now() - lookedAt < lookEveryMs) continue;
      [read, lookedAt] = [now, Date.now()];
      await tell(false);
    }
  await tell(true);
  if (last?.state === 'failed')
    throw new Problem({ title: 'Reading ended early', detail: last.error?.message ?? '' }, { status: 500 });
}
