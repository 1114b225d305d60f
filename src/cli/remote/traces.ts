// Traces of a running server.
import { FootnoteError } from '../../core/errors.ts';
import type { SavedTrace } from '../../core/trace-file.ts';
import type { SessionTraces, Traces } from '../../footnote/facade/traces.ts';
import { part, type RemoteHttp } from './remote-http.ts';

export function createRemoteTraces(http: RemoteHttp): Traces {
  const read = (id: string): Promise<SavedTrace | SessionTraces> => http.json('GET', `/admin/traces/${part(id)}`);
  const missing = (what: string, id: string): FootnoteError =>
    new FootnoteError('not-found', `There is no ${what} "${id}".`);
  return {
    async get(id) {
      const found = await read(id);
      if ('trace' in found) return found;
      throw missing('trace', id);
    },
    async ofSession(id) {
      const found = await read(id);
      if ('sessionId' in found) return found;
      throw missing('session', id);
    },
    list: ({ filter: { sessionId, pinned, ...filter } = {}, ...page }) =>
      http.json('GET', '/admin/traces', {
        query: { ...page, ...filter, session: sessionId, ...(pinned !== undefined && { pinned: String(pinned) }) },
      }),
    export: (id) => http.json('GET', `/admin/traces/export/${part(id)}`),
    import: async (file) =>
      (await http.json<{ data: Awaited<ReturnType<Traces['import']>> }>('POST', '/admin/traces/import', { body: file }))
        .data,
    replay: (id, { signal, ...request } = {}) =>
      http.json('POST', `/admin/traces/${part(id)}/replay`, { body: request, signal }),
    pin: (id, isPinned) => http.json(isPinned ? 'PUT' : 'DELETE', `/admin/traces/${part(id)}/pin`),
  };
}
