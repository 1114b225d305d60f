// Which requests share a queue. Questions, documents and reads wait for their like alone; health, keys and what tells of the server itself
// never wait; what only watches or waits takes a place and no turn.

export const lanes = ['questions', 'documents', 'reads'] as const;
export type Lane = (typeof lanes)[number];

const questions: ReadonlySet<string> = new Set([
  'POST /v1/search',
  'POST /v1/ask',
  'POST /v1/answers/verify',
  'POST /v1/rag/sessions/:session_id/messages',
  'POST /v1/conversations/peek',
  'POST /chat',
]);
const documents: ReadonlySet<string> = new Set([
  'POST /v1/documents',
  'POST /v1/documents/preview',
  'POST /v1/stores/:store/documents',
  'POST /v1/conversations/import',
  'POST /v1/conversations/:id/turns',
]);
/** They wait for work that has limits of its own. */
const unqueued: ReadonlySet<string> = new Set([
  'GET /v1/ingestions/:id',
  'DELETE /v1/ingestions/:id',
  'POST /v1/sources/:name/sync',
  'POST /v1/sources/preview',
  'POST /v1/stores/:store/sync',
  'GET /v1/schemas/:name',
]);

/** The queue of a route; undefined for those that never wait. */
export function laneOf(method: string, url: string): Lane | undefined {
  const route = `${method === 'HEAD' ? 'GET' : method} ${url}`;
  if (questions.has(route)) return 'questions';
  if (documents.has(route)) return 'documents';
  return url.startsWith('/v1/') && !unqueued.has(route) ? 'reads' : undefined;
}
