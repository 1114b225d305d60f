// Texts to calls: cut to what the model reads, packed into calls by number and by tokens, and where a call is refused for one bad
// text, halved until that one is found. Invariant: a text counts as refused only while others are taken, so that a wrong model or
// parameter is an error and never a corpus of empty vectors.
import { type FootnoteError, isFootnoteError } from '../../core/errors.ts';
import { countTokens, indexTokens } from '../../text/tokens/tokens.ts';
import type { CallLimits } from './facts.ts';

/** What is written in UTF-8 has no more tokens than bytes. */
const tokensAtMost = (text: string): number => Buffer.byteLength(text);

export interface CutText {
  readonly text: string;
  readonly wasCut: boolean;
  /** Where they had to be counted. */
  readonly tokens?: number;
}

/** The start of the text that the model reads. */
export function cutToLimit(text: string, tokensPerText: number): CutText {
  if (tokensAtMost(text) <= tokensPerText) return { text, wasCut: false };
  const tokens = indexTokens(text);
  if (tokens.total <= tokensPerText) return { text, wasCut: false, tokens: tokens.total };
  const start = text.slice(0, tokens.reach(0, tokensPerText)).toWellFormed();
  return { text: start, wasCut: true, tokens: tokensPerText };
}

/** In their order; each within the limits. Tokens are counted only where bytes leave it open. */
export function toCalls(texts: readonly CutText[], limits: CallLimits): readonly (readonly string[])[] {
  const calls: CutText[][] = [];
  let call: CutText[] = [];
  let most = 0;
  let isCounted = false;
  const count = ({ text, tokens }: CutText): number => tokens ?? countTokens(text);
  const bound = ({ text, tokens }: CutText): number => tokens ?? tokensAtMost(text);
  for (const one of texts) {
    if (!isCounted && most + bound(one) > limits.tokens) {
      isCounted = true;
      most = call.reduce((sum, before) => sum + count(before), 0);
    }
    if (call.length > 0 && (call.length >= limits.texts || most + (isCounted ? count(one) : 0) > limits.tokens)) {
      calls.push(call);
      call = [];
      most = 0;
      isCounted = false;
    }
    call.push(one);
    most += isCounted ? count(one) : bound(one);
  }
  if (call.length > 0) calls.push(call);
  return calls.map((some) => some.map(({ text }) => text));
}

export interface TakenTexts {
  /** By place; undefined for a text that was refused. */
  readonly vectors: readonly (Float32Array | undefined)[];
  /** Texts of which only a start was taken. */
  readonly cut: number;
  readonly refused: number;
}

export interface SendOptions {
  readonly send: (texts: readonly string[]) => Promise<readonly Float32Array[]>;
  /** Whether the provider has taken anything in this form before. */
  readonly hasTaken: () => boolean;
}

/** A text that no provider refuses for what it says. */
const harmless = 'text';
/** Shorter ones are not refused for their length. */
const leastCutCharacters = 200;

/** Sends one call's texts. Throws whatever `send` throws, but for refusals of single texts among others that are taken. */
export async function sendHalving(texts: readonly string[], { send, hasTaken }: SendOptions): Promise<TakenTexts> {
  const vectors = new Array<Float32Array | undefined>(texts.length);
  let cut = 0;
  let refused = 0;

  /** The longest half of a half that is taken. */
  async function sendStart(text: string): Promise<Float32Array | undefined> {
    for (let length = text.length >> 1; length >= leastCutCharacters; length >>= 1) {
      try {
        const [vector] = await send([text.slice(0, length).toWellFormed()]);
        return vector;
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    }
    return undefined;
  }

  async function sendRange(from: number, to: number): Promise<void> {
    try {
      const found = await send(texts.slice(from, to));
      found.forEach((vector, at) => {
        vectors[from + at] = vector;
      });
      return;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // If nothing is taken, it is not for the text.
      if (!hasTaken()) await send([harmless]);
    }
    if (to - from > 1) {
      const middle = (from + to) >> 1;
      await sendRange(from, middle);
      await sendRange(middle, to);
      return;
    }
    const vector = await sendStart(texts[from] ?? '');
    vectors[from] = vector;
    if (vector) cut += 1;
    else refused += 1;
  }

  await sendRange(0, texts.length);
  // It may have ceased to take anything.
  if (refused === texts.length) await send([harmless]);
  return { vectors, cut, refused };
}

/** The provider understood the call and will not take what is in it. */
function isRefusal(error: unknown): error is FootnoteError {
  if (!isFootnoteError(error)) return false;
  const status = error.details['status'];
  return error.code === 'too-large' || (error.code === 'upstream-invalid' && (status === 400 || status === 422));
}
