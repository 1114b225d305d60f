// Makes one event of the pieces of text that came in one read of an event stream: clients check every event against a large schema, which
// costs more than all else of a call when many tokens arrive at once. Invariants: the text is the same in the same order; nothing waits
// for a later read but the part of an event that is not whole; what is not surely a piece of text passes byte for byte.
// Events: WHATWG HTML, "Server-sent events"; shapes: OpenAI Responses and chat completions, Anthropic Messages.
import type { Fetch } from '../../net/egress.ts';

/** The same, but for event streams, in which pieces of text are joined. */
export function withMergedDeltas(send: Fetch): Fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isEvents || !response.body) return response;
    const { status, headers } = response;
    return new Response(mergedBody(response.body), { status, headers });
  };
}

const newline = 10;
const carriageReturn = 13;
const encoder = new TextEncoder();

function mergedBody(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  /** Of an event that is not whole yet. */
  let held: Uint8Array[] = [];
  /** Lines end otherwise than in LF alone: nothing is looked at any more. */
  let isForeign = false;
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) {
            for (const bytes of held.splice(0)) controller.enqueue(bytes as Uint8Array<ArrayBuffer>);
            controller.close();
            return;
          }
          isForeign ||= value.includes(carriageReturn);
          if (isForeign) {
            for (const bytes of [...held.splice(0), value]) controller.enqueue(bytes as Uint8Array<ArrayBuffer>);
            return;
          }
          const end = endOfEvents(value, held.at(-1)?.at(-1));
          if (end === 0) {
            held.push(value);
            continue;
          }
          const whole = value.subarray(0, end);
          // A single event is what most reads of a slow stream bring: it needs no second look.
          const isOne = held.length === 0 && endOfEvents(whole.subarray(0, end - 2), undefined) === 0;
          const joined = held.length === 0 ? whole : Buffer.concat([...held, whole]);
          held = end < value.length ? [value.subarray(end)] : [];
          controller.enqueue(isOne ? whole : (mergedEvents(joined) as Uint8Array<ArrayBuffer>));
          return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Where the last event that is whole ends, behind its empty line; 0: none is. */
function endOfEvents(bytes: Uint8Array, previous: number | undefined): number {
  for (let at = bytes.lastIndexOf(newline); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(newline, at - 1))
    if ((at === 0 ? previous : bytes[at - 1]) === newline) return at + 1;
  return 0;
}

function mergedEvents(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  let merged = '';
  let run: Piece | undefined;
  let first = '';
  let count = 0;
  const flush = (): void => {
    if (run) merged += count === 1 ? first : `${run.head}data: ${JSON.stringify(run.withText(run.text))}\n\n`;
    run = undefined;
    count = 0;
  };
  for (let start = 0; start < text.length; ) {
    const empty = text.indexOf('\n\n', start);
    const end = empty < 0 ? text.length : empty + 2;
    const block = text.slice(start, end);
    start = end;
    const piece = pieceOf(block);
    if (piece && run && piece.place === run.place) {
      run.text += piece.text;
      count += 1;
      continue;
    }
    flush();
    if (piece) {
      run = piece;
      first = block;
      count = 1;
    } else merged += block;
  }
  flush();
  // Bytes that are no UTF-8 were replaced, which the reader would have done as well.
  return encoder.encode(merged);
}

interface Piece {
  /** Pieces of one place follow one another. */
  readonly place: string;
  text: string;
  /** The event's line before its data. */
  readonly head: string;
  withText(text: string): unknown;
}

type Json = Readonly<Record<string, unknown>>;

const eventForm = /^(?<head>(?:event: ?[^\r\n]*\n)?)data: ?(?<data>\{[^\r\n]*\})\n\n$/u;

/** Undefined for whatever is more, or other, than a piece of text. */
// oxlint-disable-next-line complexity -- Each kind of message that a provider sends is a case.
function pieceOf(block: string): Piece | undefined {
  if (!block.includes('"delta"')) return undefined;
  const { head = '', data = '' } = eventForm.exec(block)?.groups ?? {};
  const event = parsed(data);
  if (!event) return undefined;
  const { type, choices } = event;
  if (type === 'response.output_text.delta') {
    const { delta, logprobs, item_id: item, output_index: output, content_index: content } = event;
    if (typeof delta !== 'string' || (Array.isArray(logprobs) && logprobs.length > 0)) return undefined;
    return {
      place: JSON.stringify([item, output, content]),
      text: delta,
      head,
      withText: (text) => ({ ...event, delta: text }),
    };
  }
  if (type === 'content_block_delta') {
    const delta = event['delta'] as Json | undefined;
    if (delta?.['type'] !== 'text_delta' || typeof delta['text'] !== 'string') return undefined;
    const withText = (text: string): unknown => ({ ...event, delta: { ...delta, text } });
    return { place: JSON.stringify(event['index']), text: delta['text'], head, withText };
  }
  if (!Array.isArray(choices) || choices.length !== 1 || isSaid(event['usage']) || isSaid(event['error']))
    return undefined;
  const [choice] = choices as readonly Json[];
  const delta = choice?.['delta'] as Json | null | undefined;
  if (!choice || !delta || typeof delta['content'] !== 'string') return undefined;
  if (isSaid(choice['finish_reason']) || isSaid(choice['logprobs'])) return undefined;
  if (Object.keys(delta).some((key) => key !== 'content' && key !== 'role' && isSaid(delta[key]))) return undefined;
  const withText = (text: string): unknown => ({
    ...event,
    choices: [{ ...choice, delta: { ...delta, content: text } }],
  });
  return {
    place: JSON.stringify([event['id'], choice['index'], delta['role']]),
    text: delta['content'],
    head,
    withText,
  };
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null;

function parsed(data: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
