// Completions of a chat as OpenAI's clients read them, whole or in chunks. Invariants: all annotations come in the one chunk that ends the answer, since clients
// read those of one chunk alone; whoever goes away ends the work.
import type { Answer, Citation } from '../../core/answer.ts';
import { type FootnoteEvent, streamed } from '../../core/events.ts';
import { defined } from '../../core/values/defined.ts';
import { type Annotation, type ChatRequest, type ChatUsage, openai } from '../../operations/openai.ts';
import { askedOf } from '../routes/routes.ts';
import type { Door } from '../wire/http-types.ts';
import { dataLine, type WireEvent } from '../wire/sse.ts';
import { type Exchange, streamReply } from '../wire/stream-reply.ts';
import { answerChat, type ChatAnswer } from './chat-answer.ts';
import { saidIn, toAsk } from './chat-request.ts';
import { toOpenAIError } from './errors.ts';
import type { TextStyle } from './foreign-text.ts';
import { housekeepingReply } from './housekeeping.ts';
import { chooseModel } from './models.ts';

type Problem = Extract<FootnoteEvent, { type: 'error' }>['problem'];
type ChatEvent = WireEvent & ({ readonly type: 'chunk'; readonly chunk: object } | { readonly type: 'end' });

/** Frames as OpenAI sends them: data alone, and no end behind an error. */
function frameOf(_id: string, event: WireEvent): string {
  if (event.type === 'error') return dataLine(toOpenAIError((event as WireEvent & { problem: Problem }).problem));
  const told = event as ChatEvent;
  return told.type === 'chunk' ? dataLine(told.chunk) : 'data: [DONE]\n\n';
}

const usageOf = (usage: Answer['usage'] | undefined): ChatUsage => {
  const { inputTokens: prompt_tokens = 0, outputTokens: completion_tokens = 0 } = usage ?? {};
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
};

const annotationsOf = ({ answer, marks }: ChatAnswer): Annotation[] =>
  marks.flatMap(({ citation, from, to }) => {
    const cited = answer.citations.find(({ index }) => index === citation);
    if (!cited) return [];
    const { url, title } = cited;
    return [{ type: 'url_citation' as const, url_citation: { url, title, start_index: from, end_index: to } }];
  });

/** What stands beside the message: addresses by the number of their mark, what is cited, and the answer itself. */
const citedIn = ({ answer, marks }: ChatAnswer) => ({
  citations: answer.citations.map(({ url }) => url),
  search_results: answer.citations.map(({ title, url, quote, timestamp, retrievedAt }) =>
    defined({ title, url, date: timestamp ?? retrievedAt, snippet: quote }),
  ),
  footnote: { ...answer, contentMarks: marks.map(({ start, end, citation }) => ({ start, end, citation })) },
});

/** Open WebUI shows such an event as a source with its quote; of an annotation it shows the title alone. */
const sourceEvent = ({ title: name, url, quote, page }: Citation) => ({
  type: 'source',
  data: { source: { name, url }, document: [quote], metadata: [defined({ source: url, name, page })] },
});

const headOf = (id: string, { model }: ChatRequest) => ({
  id: `chatcmpl-${id}`,
  created: Math.floor(Date.now() / 1000),
  model,
});

type Told = Pick<ChatAnswer, 'content' | 'finishReason'> & { readonly of?: ChatAnswer };

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
  const footnote = door.footnoteOf(request);
  const model = await chooseModel(footnote, body.model);
  const head = headOf(request.id, body);
  const { question, system } = saidIn(body);
  const own = housekeepingReply([system, question]);
  const ask = own === undefined ? await toAsk(footnote, body, model) : undefined;
  const { max_completion_tokens, max_tokens } = body;
  const options = {
    style: model.style ?? usual,
    maxTokens: max_completion_tokens ?? max_tokens,
    isTellingUnconfirmed: body.footnote?.unconfirmed === true,
  };
  const told = async (
    onText: (text: string) => void,
    call: ReturnType<Door['callOf']> & Parameters<typeof footnote.ask>[1],
  ): Promise<Told> => {
    if (!ask) {
      onText(own ?? '');
      return { content: own ?? '', finishReason: 'stop' };
    }
    const given = await answerChat(footnote, ask, { ...options, ...call, onText });
    return { ...given, of: given };
  };
  const call = door.callOf(request, reply);
  if (body.stream !== true) return completionOf(head, await told(() => undefined, call), body);

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
      if (streamed.has(type)) open();
    };
    const { finishReason, of: given } = await told(onText, { ...call, signal, onEvent });
    if (given && body.footnote?.events === 'open-webui')
      for (const citation of given.answer.citations) chunk([], { event: sourceEvent(citation) });
    const annotations = given ? annotationsOf(given) : [];
    chunk(delta({ annotations }, finishReason), given ? citedIn(given) : { citations: [], search_results: [] });
    if (isCounting) chunk([], { usage: usageOf(given?.answer.usage) });
    // What streams is not kept under a key: asked again, it is answered again.
    await request.claim?.release();
    return { type: 'end' };
  };
  return streamReply(door, exchange, (stream) => serve(stream.append, stream.signal), frameOf);
}
