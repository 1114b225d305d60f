// Responses that are kept, each for whoever asked for it alone: beside the replies under idempotency keys, as long as those, and erased as those are when a
// document that they cite, or their answer, is deleted. Invariant: an answer is erased before its response, so that an erasure that was cut short can be asked for again.
import { asAbsent, FootnoteError, isFootnoteError } from '../../core/errors.ts';
import type { Footnote } from '../../footnote/facade.ts';
import type { ChatRequest } from '../../operations/openai.ts';
import type { InputItem } from '../../operations/openai-responses.ts';
import { isRead, textOf } from '../foreign/chat-request.ts';
import { refusal } from '../foreign/errors.ts';
import type { IdempotencyPort } from '../wire/http-types.ts';
import { itemOf, type Recorded, textIn } from './response-events.ts';

export interface KeptResponse extends Recorded {
  /** What it was asked with, in the form in which it is told. */
  readonly input: readonly InputMessage[];
}
export type InputMessage = ChatRequest['messages'][number] & {
  readonly id: string;
  readonly type: 'message';
  /** The response whose text it is, which is kept there alone. */
  readonly of?: string;
};

const route = 'response';
/** More turns than a question is resolved against. */
const mostEarlier = 50;

export const missingResponse = (id: string, param: string, code = 'response_not_found'): FootnoteError =>
  new FootnoteError(
    'not-found',
    `There is no response "${id.slice(0, 100)}". They are kept for 24 hours, for the key that asked, unless store is false, or they, their answer or a document that they cite were deleted.`,
    { details: { param, openai: code } },
  );

export function keptResponses(port: IdempotencyPort) {
  async function find(id: string): Promise<KeptResponse | undefined> {
    const kept = await port.read(route, id);
    if (kept?.status !== 200) return undefined;
    try {
      return JSON.parse(kept.body) as KeptResponse;
    } catch {
      return undefined;
    }
  }

  /** Each message with its text: of one that is referred to, as it stands now; without those that are gone. */
  async function inputOf(input: readonly InputMessage[]): Promise<readonly InputMessage[]> {
    const all = input.map(async (one) => {
      const meant = one.of === undefined ? undefined : await find(one.of);
      if (one.of === undefined) return [one];
      return meant ? [{ ...one, ...toldMessage('assistant', textIn(meant.response).text) }] : [];
    });
    return (await Promise.all(all)).flat();
  }

  return {
    async get(id: string): Promise<KeptResponse> {
      const kept = await find(id);
      if (!kept) throw missingResponse(id, 'response_id');
      return kept;
    },
    /** Durable when it resolves; false where there is no room. `again`: it was kept before, and may have been deleted since. */
    async keep({ input, ...kept }: KeptResponse, again = false): Promise<boolean> {
      const own = input.map((one) => (one.of === undefined ? one : { ...one, content: [] }));
      const body = JSON.stringify({ ...kept, input: own });
      try {
        await port[again ? 'replace' : 'finish'](route, kept.response.id, { requestHash: '', status: 200, body });
        return true;
      } catch (error) {
        if (isFootnoteError(error) && error.code === 'storage-full') return false;
        throw error;
      }
    },
    async erase({ response: { id, footnote: answer } }: KeptResponse, { answers }: Pick<Footnote, 'answers'>) {
      const replies = { route: 'POST /v1/responses', holding: `"id":"${id}"` };
      // Those under a key first, where none is empty: with its answer they would say that they were erased, and the key would not be free.
      await port.forget(replies.route, '', replies);
      if (answer) await answers.delete(answer.id).catch(asAbsent);
      await port.forget(route, id, replies);
    },
    /** What was said up to a response, oldest first. */
    async saidBefore(id: string | undefined): Promise<ChatRequest['messages']> {
      const said: ChatRequest['messages'][] = [];
      for (let next: unknown = id; typeof next === 'string' && said.length < mostEarlier; ) {
        const kept = await find(next);
        if (!kept && said.length === 0)
          throw missingResponse(next, 'previous_response_id', 'previous_response_not_found');
        if (!kept) break;
        said.push([...(await inputOf(kept.input)), { role: 'assistant', content: textIn(kept.response).text }]);
        next = kept.response.previous_response_id;
      }
      return said.reverse().flat();
    },
    inputOf,
    /** The messages of a request, those that it refers to among them; calls of tools and the like say nothing. */
    async messagesOf(id: string, input: string | readonly InputItem[] = []): Promise<readonly InputMessage[]> {
      const items: readonly InputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
      const messages: InputMessage[] = [];
      for (const [at, { type = 'message', role, content, id: named = '' }] of items.entries()) {
        const own = { id: `${itemOf(id, 'msg')}_${messages.length}` };
        if (type === 'item_reference' && named.startsWith('msg_')) {
          const [meant] = await inputOf([{ ...toldMessage('assistant', ''), ...own, of: `resp_${named.slice(4)}` }]);
          if (!meant) throw missingResponse(named, `input[${at}]`, 'item_not_found');
          messages.push(meant);
        } else if (type === 'message') {
          if (!role || content === undefined)
            throw refusal(`input[${at}]`, 'A message has a role and content.', 'invalid_value');
          const place = isRead(items, at) ? `input[${at}]` : undefined;
          messages.push({ ...toldMessage(role, textOf({ content }, place)), ...own });
        }
      }
      return messages;
    },
  };
}

const toldMessage = (role: ChatRequest['messages'][number]['role'], text: string) => ({
  type: 'message' as const,
  role,
  status: 'completed',
  content: [
    role === 'assistant' ? { type: 'output_text', text, annotations: [], logprobs: [] } : { type: 'input_text', text },
  ],
});
