// What the streams of the doors for clients of others say, put together as a client does: the same shapes as their whole replies, so that the same faults are looked for.
import type { Completion, ToldAnswer, ToldMessage, ToldResponse } from './completion.ts';

/** The data of a stream's frames; what is no JSON (`[DONE]`) and comments are left out. */
export const dataIn = <Data>(body: string): Data[] =>
  body.split('\n\n').flatMap((frame) => {
    const data = frame.split('\n').find((line) => line.startsWith('data: {'));
    return data === undefined ? [] : [JSON.parse(data.slice('data: '.length)) as Data];
  });

type Message = Completion['choices'][number]['message'];
interface Chunk extends Partial<Omit<Completion, 'choices'>> {
  readonly choices: readonly { readonly delta: Partial<Message>; readonly finish_reason: string | null }[];
}

export function completionIn(body: string): Completion {
  const chunks = dataIn<Chunk>(body);
  const end = chunks.find(({ choices }) => choices[0]?.finish_reason);
  const content = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  const { citations = [], search_results = [], footnote } = end ?? {};
  const message = { refusal: null, ...end?.choices[0]?.delta, content };
  return { choices: [{ message }], citations, search_results, ...(footnote && { footnote }) };
}

interface ResponseEvent {
  readonly type: string;
  readonly delta?: string;
  readonly annotation?: object;
  readonly response?: ToldResponse;
}

/** The message is that of the deltas and of the annotations between them; what stands before it is what the last event has. */
export function responseIn(body: string): ToldResponse {
  const events = dataIn<ResponseEvent>(body);
  const { output = [], footnote } = events.at(-1)?.response ?? {};
  const text = events
    .flatMap(({ type, delta = '' }) => (type === 'response.output_text.delta' ? [delta] : []))
    .join('');
  const annotations = events.flatMap(({ annotation }) => annotation ?? []);
  return { output: [...output.slice(0, -1), { content: [{ text, annotations }] }], ...(footnote && { footnote }) };
}

type Block = ToldMessage['content'][number];
export interface MessageEvent<Whole extends ToldMessage = ToldMessage> {
  readonly type: string;
  readonly index?: number;
  readonly message?: Whole;
  readonly content_block?: Block;
  readonly delta?: {
    readonly type?: string;
    readonly text?: string;
    readonly citation?: NonNullable<Block['citations']>[number];
    readonly stop_reason?: string;
  };
  readonly footnote?: ToldAnswer;
}

export function messageIn<Whole extends ToldMessage>(events: readonly MessageEvent<Whole>[]): Whole {
  const [start] = events;
  const end = events.find(({ type }) => type === 'message_delta');
  const content = events.flatMap(({ type, index, content_block: block }) => {
    if (type !== 'content_block_start' || !block) return [];
    const deltas = events.flatMap((one) => (one.index === index && one.delta ? [one.delta] : []));
    const citations = deltas.flatMap(({ citation }) => citation ?? []);
    const text = block.text + deltas.map(({ text: more = '' }) => more).join('');
    return [{ ...block, text, citations: citations.length === 0 ? null : citations }];
  });
  return {
    ...start?.message,
    content,
    stop_reason: end?.delta?.stop_reason,
    footnote: end?.footnote,
  } as unknown as Whole;
}

export interface ChatPart {
  readonly type: string;
  readonly delta?: string;
  readonly data?: unknown;
  readonly sourceId?: string;
  readonly url?: string;
  readonly errorText?: string;
  readonly finishReason?: string;
  readonly providerMetadata?: { readonly footnote: { readonly marks?: readonly object[]; readonly quote?: string } };
}

/** A chat of the AI SDK as a completion, whose citations are its sources by their numbers, and what is wrong with its marks and the order of its sources. */
export function chatIn(parts: readonly ChatPart[]): {
  readonly completion: Completion;
  readonly faults: readonly string[];
} {
  const text = parts.map(({ delta = '' }) => delta).join('');
  const footnote = parts.find(({ type }) => type === 'data-answer')?.data as ToldAnswer | undefined;
  const sources = parts.filter(({ type }) => type === 'source-url');
  const { contentMarks = [], citations = [] } = footnote ?? {};
  const points = (end: number): number => [...text.slice(0, end)].length;
  const toldOf = (index: number) => sources.find(({ sourceId }) => sourceId === String(index));
  const annotations = contentMarks.map(({ start, end, citation }) => ({
    url_citation: {
      ...{ url: toldOf(citation)?.url ?? '', title: citations[citation - 1]?.title ?? '' },
      ...{ start_index: points(start), end_index: points(end) },
    },
  }));
  const told = citations.map(({ index }) => ({
    ...{ url: toldOf(index)?.url ?? '', snippet: toldOf(index)?.providerMetadata?.footnote.quote ?? '' },
  }));
  const faults: string[] = [];
  const marked = parts.findLast(({ type }) => type === 'text-delta')?.providerMetadata?.footnote.marks ?? [];
  if (JSON.stringify(marked) !== JSON.stringify(contentMarks)) faults.push('the text has other marks than the answer');
  const order = [...new Set(contentMarks.map(({ citation }) => citation))];
  if (sources.map(({ sourceId }) => sourceId).join() !== order.join()) faults.push(`sources are not ${order.join()}`);
  const message = { content: text, refusal: null, annotations };
  const addresses = { citations: told.map(({ url }) => url), search_results: told };
  return { completion: { choices: [{ message }], ...addresses, ...(footnote && { footnote }) }, faults };
}
