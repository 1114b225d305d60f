// The archive of conversations of a running server.
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { ConversationCalls } from '../../footnote/facade/conversations.ts';
import { part, type RemoteHttp } from './remote-http.ts';

export function createRemoteConversations(http: RemoteHttp): ConversationCalls {
  return {
    async import({ content, details }, call) {
      const { name, format, timeZone, shared, redact } = typeof details === 'function' ? details() : details;
      const form = new FormData();
      const fields = { name: basename(name), format, time_zone: timeZone, shared, redact };
      for (const [field, value] of Object.entries(fields)) if (value !== undefined) form.set(field, String(value));
      const blob =
        'path' in content ? await openAsBlob(content.path) : new Blob(await Array.fromAsync(content, toPart));
      form.set('file', blob, basename(name));
      return http.json('POST', '/v1/conversations/import', { form, signal: call?.signal });
    },
    addTurns: (id, given) => http.json('POST', `/v1/conversations/${part(id)}/turns`, { body: given }),
    list: (request) => http.json('GET', '/v1/conversations', { query: { ...request } }),
    get: (id) => http.json('GET', `/v1/conversations/${part(id)}`),
    turns: (id, request) => http.json('GET', `/v1/conversations/${part(id)}/turns`, { query: { ...request } }),
    delete: (id) => http.json('DELETE', `/v1/conversations/${part(id)}`),
    peek: (request) => http.json('POST', '/v1/conversations/peek', { body: request }),
    turn: (id, request = {}) => http.json('GET', `/v1/turns/${part(id)}`, { query: { ...request } }),
  };
}

const toPart = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);
