// The archive of conversations of a running server.
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { FootnoteError } from '../../core/errors.ts';
import type { ArchiveChatAnswer, ArchiveChatEvent, ConversationCalls } from '../../footnote/facade/conversations.ts';
import { part, type RemoteHttp, toError } from './remote-http.ts';

type ChatWireEvent =
  | ArchiveChatEvent
  | ({ readonly type: 'done' } & ArchiveChatAnswer)
  | { readonly type: 'error'; readonly problem: { readonly status: number } };

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
    async chat(request, call) {
      const events = http.events('POST', '/chat?events=all', { body: request, signal: call?.signal });
      for await (const value of events) {
        const event = value as ChatWireEvent;
        if (event.type === 'done') {
          const { type: _, ...answer } = event;
          return answer;
        }
        if (event.type === 'error') throw toError(event.problem, event.problem.status);
        call?.onEvent?.(event);
      }
      throw new FootnoteError('upstream-invalid', 'The server ended the stream without an answer. Try again.');
    },
    deleteChat: (id) => http.json('DELETE', `/chat/${part(id)}`),
    turn: (id, request = {}) => http.json('GET', `/v1/turns/${part(id)}`, { query: { ...request } }),
  };
}

const toPart = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);
