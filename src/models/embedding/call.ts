// One attempt to have texts embedded, in OpenAI's protocol ("Create embeddings"), which Azure and model servers speak too.
// Invariant: what comes back is one vector for each text, in the order of the texts, finite and of length 1, or an error.
// Not through the AI SDK: it drops `index`, and numbers as text take four times the bytes and the processor time of base64.
import { APICallError } from '@ai-sdk/provider';
import { FootnoteError } from '../../core/errors.ts';
import type { Fetch } from '../../net/egress.ts';
import { type ProviderFacts, toModelError } from '../language/ai-sdk/errors.ts';

export interface EmbeddingAccess {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly facts: ProviderFacts;
  /** Asked of the provider; absent: its own length. */
  readonly dimensions?: number;
  /** Whether the server surely knows base64; others are asked for numbers. Both are read. */
  readonly takesBase64: boolean;
}

export interface EmbeddedTexts {
  readonly vectors: readonly Float32Array[];
  /** As the provider reports them: anything. */
  readonly tokens: unknown;
}

export type EmbeddingCall = (texts: readonly string[], signal: AbortSignal) => Promise<EmbeddedTexts>;

/** The call throws `FootnoteError` only: see `toModelError`, and `upstream-invalid` for vectors that are none. */
export function createEmbeddingCall(access: EmbeddingAccess): EmbeddingCall {
  const { url, headers, facts, dimensions, takesBase64 } = access;
  return async (texts, signal) => {
    try {
      const response = await access.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          model: facts.model,
          input: texts,
          encoding_format: takesBase64 ? 'base64' : 'float',
          ...(dimensions === undefined ? {} : { dimensions }),
        }),
        signal,
      });
      // Half the time of `text()`, for megabytes of base64.
      const body = Buffer.from(await response.arrayBuffer()).toString();
      if (response.status >= 400)
        throw new APICallError({
          message: 'refused',
          url,
          requestBodyValues: {},
          statusCode: response.status,
          responseHeaders: Object.fromEntries(response.headers),
          responseBody: body,
        });
      return read(body, texts.length);
    } catch (error) {
      throw toModelError(error, facts);
    }
  };
}

type Json = Readonly<Record<string, unknown>>;

function read(body: string, count: number): EmbeddedTexts {
  const bad = (what: string): FootnoteError =>
    new FootnoteError('upstream-invalid', `It answered ${what}. Nothing of that answer was used.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw bad('in a form that is not JSON');
  }
  const data = (parsed as Json | null)?.['data'];
  if (!Array.isArray(data)) throw bad('without vectors');
  if (data.length !== count) throw bad(`with ${data.length} vectors for ${count} texts`);
  const vectors = new Array<Float32Array | undefined>(count);
  for (const [place, item] of data.entries()) {
    const { index = place, embedding } = (item ?? {}) as Json;
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count || vectors[index])
      throw bad('with vectors that cannot be told apart: their `index` is missing, doubled or wrong');
    const vector = toVector(embedding);
    if (!vector) throw bad('with something that is no vector');
    if (!normalise(vector)) throw bad('with a vector that has no direction (zero, infinite or not a number)');
    vectors[index] = vector;
  }
  const whole = vectors as readonly Float32Array[];
  const [first] = whole;
  if (whole.some(({ length }) => length !== first?.length)) throw bad('with vectors of different lengths');
  const { prompt_tokens: tokens } = ((parsed as Json)['usage'] ?? {}) as Json;
  return { vectors: whole, tokens };
}

function toVector(embedding: unknown): Float32Array | undefined {
  if (typeof embedding === 'string') {
    const bytes = Buffer.from(embedding, 'base64');
    if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
    const vector = new Float32Array(bytes.length / 4);
    // Little endian, as every platform that Node runs on for us.
    new Uint8Array(vector.buffer).set(bytes);
    return vector;
  }
  if (!Array.isArray(embedding) || embedding.length === 0) return undefined;
  return embedding.every((one) => typeof one === 'number') ? Float32Array.from(embedding) : undefined;
}

/** To length 1, in place. False where there is no direction. */
function normalise(vector: Float32Array): boolean {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += (vector[at] as number) * (vector[at] as number);
  const length = Math.sqrt(sum);
  if (!Number.isFinite(length) || length === 0) return false;
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) / length;
  return true;
}
