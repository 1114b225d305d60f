// A fake of OpenAI's embeddings on 127.0.0.1, which Azure and model servers share: vectors from the words of a text, in the form
// that was asked for, and whatever a provider can do wrong. The shapes are checked against OpenAI's specification in
// test/testing/openai-embeddings.test.ts.
import { sha256 } from '../core/ids.ts';
import { type FakeServer, openFakeServer, type SeenRequest, type Wire } from './fake-http.ts';
import { openaiError } from './openai-responses.ts';

type Json = Readonly<Record<string, unknown>>;

export interface FakeEmbedding {
  /** Entries come last first, with their right `index`. */
  readonly isReversed?: boolean;
  /** In place of each entry's `index`; `none` leaves it out. */
  readonly indexes?: (place: number) => unknown;
  /** Fewer entries than texts. */
  readonly missing?: number;
  /** Changes a vector before it is sent. */
  readonly change?: (vector: number[], place: number) => number[];
  /** Tokens that are reported, in place of a quarter of the characters. */
  readonly usage?: 'none' | number;
  readonly status?: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly raw?: string;
  readonly delayMs?: number;
  /** The body in pieces of so many bytes, with a pause between them. */
  readonly dripBytes?: number;
  readonly betweenMs?: number;
  /** Bytes after which the connection is cut, or goes silent. */
  readonly cutAfter?: number;
  readonly hangAfter?: number;
}

/** Words that texts share make their vectors near. Length is not 1. */
export function fakeVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of ['', ...(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]) {
    const at = Number.parseInt(sha256(`fake ${word}`).slice(0, 8), 16) % dimensions;
    vector[at] = (vector[at] as number) + (word === '' ? 0.5 : 2);
  }
  return vector;
}

export const textsOf = ({ body }: SeenRequest): string[] => body['input'] as string[];

/** The `list` object. */
export function embeddingsOf(request: Json, reply: FakeEmbedding, dimensions: number): Json {
  const texts = request['input'] as readonly string[];
  const asked = request['dimensions'];
  const size = typeof asked === 'number' ? asked : dimensions;
  const entries = texts.slice(0, texts.length - (reply.missing ?? 0)).map((text, place) => {
    const numbers = reply.change?.(fakeVector(text, size), place) ?? fakeVector(text, size);
    const index = reply.indexes ? reply.indexes(place) : place;
    return {
      object: 'embedding',
      ...(index === 'none' ? {} : { index }),
      embedding:
        request['encoding_format'] === 'base64'
          ? Buffer.from(Float32Array.from(numbers).buffer).toString('base64')
          : numbers,
    };
  });
  const counted = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  const tokens = typeof reply.usage === 'number' ? reply.usage : counted;
  return {
    object: 'list',
    data: reply.isReversed ? entries.reverse() : entries,
    model: request['model'],
    ...(reply.usage === 'none' ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  };
}

export function renderEmbeddings(reply: FakeEmbedding, request: SeenRequest, dimensions: number): Wire {
  const { status = 200, code, headers = {}, raw, dripBytes, cutAfter, hangAfter } = reply;
  const body =
    raw ??
    JSON.stringify(
      status >= 400
        ? openaiError({ message: 'The fake refuses: secret prompt', ...(code === undefined ? {} : { code }) })
        : embeddingsOf(request.body, reply, dimensions),
    );
  const bytes = Buffer.from(body).subarray(0, cutAfter ?? hangAfter);
  const size = dripBytes ?? Math.max(1, bytes.length);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    chunks,
    ...(reply.delayMs === undefined ? {} : { delayMs: reply.delayMs }),
    ...(reply.betweenMs === undefined ? {} : { betweenMs: reply.betweenMs }),
    ending: cutAfter !== undefined ? 'cut' : hangAfter !== undefined ? 'hang' : 'end',
  };
}

export interface FakeEmbeddings {
  readonly server: FakeServer;
  /** Texts that were asked for, in all requests. */
  texts(): readonly string[];
  close(): Promise<void>;
}

export async function openFakeEmbeddings(
  answer: (request: SeenRequest, index: number) => FakeEmbedding = () => ({}),
  dimensions = 1536,
): Promise<FakeEmbeddings> {
  let count = 0;
  const server = await openFakeServer((request) => renderEmbeddings(answer(request, count++), request, dimensions));
  return { server, texts: () => server.requests.flatMap(textsOf), close: () => server.close() };
}
