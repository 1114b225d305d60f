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

/** What came of each file by its place. A document with an address of its own is of the first file that nothing came of otherwise. */
export function byFile(names: readonly string[], told: readonly RunFile[]): RunFile[][] {
  const placeOf = ({ uri }: RunFile): number =>
    names.findIndex((name) => uri === name || uri.startsWith(`${name}/`) || uri.startsWith(`${name}#`));
  const places = told.map(placeOf);
  const left = names.findIndex((_, at) => !places.includes(at));
  return names.map((_, at) =>
    told.filter((_one, index) => places[index] === at || (places[index] === -1 && left === at)),
  );
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
