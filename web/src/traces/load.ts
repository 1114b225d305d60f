// What the server keeps of requests: found, read, and changed as far as its API lets.
import { call, callJson } from '../shared/api.ts';
import type { Replay, SavedTrace, TraceSummary, Trial } from '../shared/contract.ts';

export interface SessionTraces {
  readonly sessionId: string;
  readonly traces: readonly SavedTrace[];
}

const pathOf = (id: string): string => `admin/traces/${encodeURIComponent(id)}`;

export const loadTrace = (id: string): Promise<SavedTrace | SessionTraces> => callJson(pathOf(id));
export const importTraces = (file: unknown): Promise<{ data: TraceSummary[] }> =>
  callJson('admin/traces/import', { body: file });
export const pinTrace = (id: string, isPinned: boolean): Promise<TraceSummary> =>
  callJson(`${pathOf(id)}/pin`, { method: isPinned ? 'PUT' : 'DELETE' });
export const replayTrace = (id: string, body: object): Promise<Replay | Trial> =>
  callJson(`${pathOf(id)}/replay`, { body });
/** Its trace goes with it. */
export const deleteAnswer = (id: string): Promise<Response> =>
  call(`v1/answers/${encodeURIComponent(id)}`, { method: 'DELETE' });

/** Saves the trace as a file of the browser: a link could not send the key. */
export async function exportTrace(id: string): Promise<void> {
  const reply = await call(`admin/traces/export/${encodeURIComponent(id)}`);
  const address = URL.createObjectURL(await reply.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `trace-${id.replace(/[^\w.-]/g, '_')}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
