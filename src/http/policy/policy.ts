// Who may call which route: one table, one row per route. A route without a row does not start.
import type { Role } from '../../core/scope.ts';

/** `open`: no key is asked for. Otherwise the lowest role that may call. */
export type Access = Role | 'open';

export const routePolicy = {
  'GET /': 'open',
  'GET /assets/:name': 'open',
  'GET /healthz': 'open',
  'GET /readyz': 'open',
  'GET /openapi.json': 'reader',
  'GET /v1/schemas/:name': 'reader',

  'POST /v1/documents': 'writer',
  'POST /v1/documents/preview': 'writer',
  'GET /v1/documents': 'reader',
  'GET /v1/documents/:id': 'reader',
  'DELETE /v1/documents/:id': 'writer',
  'GET /v1/documents/:id/text': 'reader',
  'GET /v1/documents/:id/file': 'reader',
  'GET /v1/documents/:id/view': 'reader',
  'GET /v1/documents/:id/chunks': 'reader',
  'GET /v1/documents/:id/structure': 'reader',
  'GET /v1/documents/:id/answers': 'reader',

  'GET /v1/ingestions': 'reader',
  'GET /v1/ingestions/:id': 'reader',
  'GET /v1/ingestions/:id/files': 'reader',
  'DELETE /v1/ingestions/:id': 'writer',
  'GET /v1/parked-files': 'writer',

  // Declaring and syncing a folder connector also needs the admin role: it reads files of the server's machine.
  'POST /v1/sources': 'writer',
  'POST /v1/sources/preview': 'writer',
  'GET /v1/sources': 'reader',
  'GET /v1/sources/:name': 'reader',
  'DELETE /v1/sources/:name': 'writer',
  'POST /v1/sources/:name/sync': 'writer',

  'GET /v1/stores': 'reader',
  'GET /v1/stores/:store/deliveries': 'reader',
  'POST /v1/stores/:store/documents': 'writer',
  'POST /v1/stores/:store/sync': 'writer',
  'POST /v1/stores/:store/reconcile': 'admin',
  'POST /v1/stores/:store/pause': 'admin',
  'POST /v1/stores/:store/resume': 'admin',

  'GET /v1/usage': 'reader',
  'GET /metrics': 'admin',
  'GET /admin/alerts': 'admin',

  'POST /v1/search': 'reader',
  'POST /v1/ask': 'reader',
  'POST /v1/analyses': 'reader',
  'GET /v1/answers/:id': 'reader',
  'POST /v1/answers/verify': 'reader',
  'GET /v1/answers/:id/report': 'reader',
  'POST /v1/answers/report/verify': 'reader',
  'POST /v1/answers/:id/feedback': 'reader',
  'GET /v1/feedback': 'reader',
  'GET /v1/feedback/cases': 'reader',
  'POST /v1/recommendations': 'reader',

  'POST /v1/rag/sessions': 'reader',
  'GET /v1/rag/sessions': 'reader',
  'GET /v1/rag/sessions/:session_id': 'reader',
  'DELETE /v1/rag/sessions/:session_id': 'reader',
  'GET /v1/rag/sessions/:session_id/messages': 'reader',
  'POST /v1/rag/sessions/:session_id/messages': 'reader',

  'POST /v1/memories': 'reader',
  'GET /v1/memories': 'reader',
  'DELETE /v1/memories': 'reader',
  'GET /v1/memories/export': 'reader',
  'GET /v1/memories/stats': 'reader',
  'POST /v1/memories/recall': 'reader',
  'POST /v1/memories/prune': 'reader',
  'GET /v1/memories/:id': 'reader',
  'PATCH /v1/memories/:id': 'reader',
  'DELETE /v1/memories/:id': 'reader',
  'POST /v1/conversations/import': 'writer',
  'POST /v1/conversations/:id/turns': 'writer',
  'GET /v1/conversations': 'reader',
  'GET /v1/conversations/:id': 'reader',
  'GET /v1/conversations/:id/turns': 'reader',
  'DELETE /v1/conversations/:id': 'reader',
  'POST /v1/conversations/peek': 'reader',
  'GET /v1/turns/:turn_id': 'reader',
  'POST /chat': 'reader',
  'DELETE /chat/:conversation_id': 'reader',

  'GET /admin/models': 'admin',
  'GET /admin/evals': 'admin',
  'GET /admin/traces': 'admin',
  'GET /admin/traces/:id': 'admin',
  'GET /admin/traces/export/:id': 'admin',
  'POST /admin/traces/import': 'admin',
  'POST /admin/traces/:id/replay': 'admin',
  'PUT /admin/traces/:id/pin': 'admin',
  'DELETE /admin/traces/:id/pin': 'admin',
  'POST /admin/keys': 'admin',
  'GET /admin/keys': 'admin',
  'DELETE /admin/keys/:id': 'admin',
} as const satisfies Record<string, Access>;

/** The policy of a route, undefined if the table has no row. HEAD follows GET. */
export function accessOf(method: string, url: string): Access | undefined {
  const key = `${method === 'HEAD' ? 'GET' : method} ${url}`;
  return (routePolicy as Readonly<Record<string, Access>>)[key];
}
