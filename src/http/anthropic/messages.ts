// An answer as a message of Anthropic's API, whole or in events: a block of text for each piece as it is verified, with the quotes that its marks stand for.
import { beginning } from '../../core/events.ts';
import { type AnthropicMessage, anthropic, type CharLocation } from '../../operations/anthropic.ts';
import { lenient, textOf } from '../foreign/chat-request.ts';
import { toAnthropicError } from '../foreign/errors.ts';
import type { ForeignMark, TextStyle } from '../foreign/foreign-text.ts';
import { answerIn, openTelling, type Told, usageOf } from '../foreign/telling.ts';
import { askedOf, type OwnRoutes } from '../routes/routes.ts';
import type { Door } from '../wire/http-types.ts';
import { dataLine, problemIn, type WireEvent } from '../wire/sse.ts';
import { type Exchange, streamReply } from '../wire/stream-reply.ts';

/** What other models said and did besides words, and nobody here reads. */
const unread: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'tool_use', 'tool_result']);
const readIn = <Part extends { readonly type: string }>(content: string | readonly Part[]): string | Part[] =>
  typeof content === 'string' ? content : content.filter(({ type }) => !unread.has(type));

const toUsage = ({ prompt_tokens, completion_tokens }: ReturnType<typeof usageOf>) => ({
  input_tokens: prompt_tokens,
  output_tokens: completion_tokens,
});

const endOf = ({ finishReason, of }: Told) => ({
  delta: {
    stop_reason: finishReason === 'length' ? ('max_tokens' as const) : ('end_turn' as const),
    stop_sequence: null,
  },
  usage: toUsage(usageOf(of?.answer.usage)),
  ...(of && { footnote: answerIn(of) }),
});

function createLocations(): (marks: readonly ForeignMark[]) => CharLocation[] {
  const documents: string[] = [];
  return (marks) =>
    marks.map(({ cited: { documentId, title, quote, start, end, url } }) => {
      if (!documents.includes(documentId)) documents.push(documentId);
      const place = { document_index: documents.indexOf(documentId), document_title: title, file_id: null };
      return { type: 'char_location', cited_text: quote, start_char_index: start, end_char_index: end, ...place, url };
    });
}

function frameOf(requestId: string, event: WireEvent): string {
  const problem = problemIn(event);
  return `event: ${event.type}\n${dataLine(problem ? toAnthropicError({ ...problem, requestId }) : event)}`;
}

/** `usual`: the text for models that choose none. */
export function anthropicRoutes(door: Door, usual: TextStyle = 'marks'): OwnRoutes {
  async function ask(exchange: Exchange): Promise<unknown> {
    const { request, reply } = exchange;
    const body = askedOf(anthropic.messages, request).body;
    const { model, max_tokens: maxTokens, tool_choice, output_config, system, footnote } = body;
    const said = body.messages.map(({ role, content }) => ({ role, content: readIn(content) }));
    const tell = await openTelling(
      door.footnoteOf(request),
      {
        ...{ field: 'messages', model, footnote, maxTokens },
        // Behind the others, so that these keep their places in what is told of them.
        messages:
          system === undefined ? said : [...said, { role: 'system', content: textOf({ content: system }, 'system') }],
        values: { tool_choice, 'output_config.format': output_config?.format },
      },
      usual,
    );
    const call = door.callOf(request, reply);
    const locationsOf = createLocations();
    const begun: AnthropicMessage = {
      ...{ id: `msg_${request.id.slice('req_'.length)}`, type: 'message', role: 'assistant', model, content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage: toUsage(usageOf(undefined)) },
    };
    if (body.stream !== true) {
      const content: AnthropicMessage['content'] = [];
      const onText = (text: string, marks: readonly ForeignMark[]): void => {
        content.push({ type: 'text', text, citations: marks.length === 0 ? null : locationsOf(marks) });
      };
      const { delta, ...end } = endOf(await tell({ ...call, onText }));
      return { ...begun, content, ...delta, ...end };
    }
    return streamReply(
      door,
      exchange,
      async ({ append, signal }) => {
        let index = -1;
        const event = (type: string, fields: object): void => append({ type, ...fields });
        let isOpen = false;
        const open = (): void => {
          if (!isOpen) event('message_start', { message: begun });
          isOpen = true;
        };
        const told = await tell({
          ...call,
          signal,
          onEvent: ({ type }) => beginning.has(type) && open(),
          onText(text, marks) {
            open();
            index += 1;
            event('content_block_start', { index, content_block: { type: 'text', text: '', citations: null } });
            event('content_block_delta', { index, delta: { type: 'text_delta', text } });
            for (const citation of locationsOf(marks))
              event('content_block_delta', { index, delta: { type: 'citations_delta', citation } });
            event('content_block_stop', { index });
          },
        });
        event('message_delta', endOf(told));
        // What streams is not kept under a key: asked again, it is answered again.
        await request.claim?.release();
        return { type: 'message_stop' };
      },
      (_id, event) => frameOf(request.id, event),
    );
  }
  return [[anthropic.messages, { ...lenient, handle: ask }]];
}
