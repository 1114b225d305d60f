// Long-term memories of a running server.
import type { Footnote } from '../../footnote/facade.ts';
import { part, type RemoteHttp } from './remote-http.ts';

type Memories = Footnote['memories'];
type Result<Name extends keyof Memories> = Awaited<ReturnType<Memories[Name]>>;
type Written = Result<'add'>;

export function createRemoteMemories(http: RemoteHttp): Memories {
  const at = (id: string): string => `/v1/memories/${part(id)}`;
  return {
    async add(memory) {
      const reply = await http.json<Written['memory'] & Omit<Written, 'memory'>>('POST', '/v1/memories', {
        body: memory,
      });
      const { change, superseded, ...written } = reply;
      return { memory: written, change, superseded };
    },
    get: (id, of) => http.json('GET', at(id), { query: { ...of } }),
    list: ({ history, ...request }) =>
      http.json('GET', '/v1/memories', { query: { ...request, ...(history && { history: 'true' }) } }),
    edit: (id, change, of) => http.json('PATCH', at(id), { body: change, query: { ...of } }),
    delete: (id, of) => http.json('DELETE', at(id), { query: { ...of } }),
    recall: async (request) =>
      (await http.json<{ data: Result<'recall'> }>('POST', '/v1/memories/recall', { body: request })).data,
    prune: (request = {}) => http.json('POST', '/v1/memories/prune', { body: request }),
    stats: (of) => http.json('GET', '/v1/memories/stats', { query: { ...of } }),
    erase: async (of) => (await http.json<{ erased: number }>('DELETE', '/v1/memories', { query: { ...of } })).erased,
  };
}
