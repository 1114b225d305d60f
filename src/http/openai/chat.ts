// Completions of a chat as OpenAI's clients read them, whole or in chunks. Invariants: all annotations come in the one chunk that ends the answer, since clients
// read those of one chunk alone; whoever goes away ends the work.
import { toInert } from '../../core/answers/inert-text.ts';
import { beginning, type FootnoteEvent } from '../../core/events.ts';
import { defined } from '../../core/values/defined.ts';
import { type Annotation, type ChatRequest, openai } from '../../operations/openai.ts';
import type { ChatAnswer } from '../foreign/chat-answer.ts';
import { toOpenAIError } from '../foreign/errors.ts';
import type { TextStyle } from '../foreign/foreign-text.ts';
import { answerIn, openTelling, type Told, usageOf } from '../foreign/telling.ts';
import { askedOf } from '../routes/routes.ts';
import type { Door } from '../wire/http-types.ts';
import { dataLine, problemIn, type WireEvent } from '../wire/sse.ts';
import { type Exchange, streamReply } from '../wire/stream-reply.ts';
import { sourceEventsOf } from './source-events.ts';

type ChatEvent = WireEvent & ({ readonly type: 'chunk'; readonly chunk: object } | { readonly type: 'end' });

/** Frames as OpenAI sends them: data alone, and no end behind an error. */
function frameOf(_id: string, event: WireEvent): string {
  const problem = problemIn(event);
  if (problem) return dataLine(toOpenAIError(problem));
  const told = event as ChatEvent;
  return told.type === 'chunk' ? dataLine(told.chunk) : 'data: [DONE]\n\n';
}

/** Open WebUI draws titles as Markdown, so they are inert as texts are. */
const annotationsOf = ({ marks }: ChatAnswer): Annotation[] =>
  marks.map(({ cited: { url, title }, from, to }) => ({
    type: 'url_citation',
    url_citation: { url, title: toInert(title), start_index: from, end_index: to },
  }));

/** What stands beside the message: addresses by the number of their mark, what is cited, and the answer itself. */
const citedIn = (told: ChatAnswer) => ({
  citations: told.answer.citations.map(({ url }) => url),
  search_results: told.answer.citations.map(({ title, url, quote, timestamp, retrievedAt }) =>
    defined({ title, url, date: timestamp ?? retrievedAt, snippet: quote }),
  ),
  footnote: answerIn(told),
});

const headOf = (id: string, { model }: ChatRequest) => ({
  id: `chatcmpl-${id}`,
  created: Math.floor(Date.now() / 1000),
  model,
});

function completionOf(
  head: ReturnType<typeof headOf>,
  { content, finishReason, of: told }: Told,
  { metadata }: ChatRequest,
) {
  const message = { role: 'assistant' as const, content, refusal: null, annotations: told ? annotationsOf(told) : [] };
  return {
    ...head,
    object: 'chat.completion' as const,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: usageOf(told?.answer.usage),
    ...(metadata && { metadata }),
    ...(told ? citedIn(told) : { citations: [], search_results: [] }),
  };
}

/** Serves a request; its stream is told as it goes. */
export async function serveChat(door: Door, exchange: Exchange, usual: TextStyle): Promise<unknown> {
  const { request, reply } = exchange;
  const body = askedOf(openai.chat, request).body;
  const { max_completion_tokens, max_tokens } = body;
  const maxTokens = max_completion_tokens ?? max_tokens;
  const tell = await openTelling(
    door.footnoteOf(request),
    { ...body, field: 'messages', maxTokens, values: body },
    usual,
  );
  const head = headOf(request.id, body);
  const call = door.callOf(request, reply);
  if (body.stream !== true) return completionOf(head, await tell({ ...call, onText: () => undefined }), body);

  const serve = async (append: (event: ChatEvent) => void, signal: AbortSignal): Promise<ChatEvent> => {
    const isCounting = body.stream_options?.include_usage === true;
    const chunk = (choices: readonly object[], more: object = {}): void =>
      append({
        type: 'chunk',
        chunk: { ...head, object: 'chat.completion.chunk', choices, ...(isCounting && { usage: null }), ...more },
      });
    const delta = (delta: object, finish_reason: string | null = null) => [
      { index: 0, delta, logprobs: null, finish_reason },
    ];
    let isOpen = false;
    /** Once the work has begun: until then a failure is a reply of its own. */
    const open = (): void => {
      if (!isOpen) chunk(delta({ role: 'assistant', content: '', refusal: null }));
      isOpen = true;
    };
    const onText = (content: string): void => {
      open();
      chunk(delta({ content }));
    };
    const onEvent = ({ type }: FootnoteEvent): void => {
      if (beginning.has(type)) open();
    };
    const { finishReason, of: given } = await tell({ ...call, signal, onEvent, onText });
    const isShownByEvents = body.footnote?.events === 'open-webui';
    if (given && isShownByEvents) for (const event of sourceEventsOf(given)) chunk([], { event });
    // Of each annotation it would make a second source.
    const annotations = given && !isShownByEvents ? annotationsOf(given) : [];
    chunk(delta({ annotations }, finishReason), given ? citedIn(given) : { citations: [], search_results: [] });
    if (isCounting) chunk([], { usage: usageOf(given?.answer.usage) });
    // What streams is not kept under a key: asked again, it is answered again.
    await request.claim?.release();
    return { type: 'end' };
  };
  return streamReply(door, exchange, (stream) => serve(stream.append, stream.signal), frameOf);
}
