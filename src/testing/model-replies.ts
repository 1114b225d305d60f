// What a model writes when Footnote asks it, for scripts: answers with quotes, and the misbehaviour of the gallery. The form of an
// answer is checked against what Footnote reads (test/testing/model-replies.test.ts).
import type { FakeReply } from './fake-reply.ts';
import { hostileBehaviours, seededRandom } from './hostile-gallery.ts';

export interface WrittenClaim {
  readonly text: string;
  /** Copied from the passage. */
  readonly quote: string;
  /** Number of the passage as the model is shown it, from 1 (default). */
  readonly passage?: number;
}

/** The answer of a model that makes these claims; with none it says that the passages do not answer the question. */
export function answerOf(claims: readonly WrittenClaim[]): string {
  return JSON.stringify({
    claims: claims.map(({ text, quote, passage = 1 }) => ({ text, quotes: [{ id: passage, quote }] })),
    insufficient: claims.length === 0,
  });
}

/** Names of the gallery's behaviours, with what each does. */
export const hostileNames: Readonly<Record<string, string>> = Object.fromEntries(
  hostileBehaviours.map(({ name, what }) => [name, what]),
);

/** A reply for each call by one behaviour of the gallery. The same seed gives the same replies. Throws for a name that it does not have. */
export function hostileReplies(
  name: string,
  { honest, seed = 1 }: { readonly honest: string; readonly seed?: number },
): (request: { readonly prompt: string }, index: number) => FakeReply {
  const behaviour = hostileBehaviours.find((one) => one.name === name);
  if (!behaviour) throw new RangeError(`The gallery has no "${name}": ${Object.keys(hostileNames).join(', ')}.`);
  const random = seededRandom(seed);
  return ({ prompt }, index) => behaviour.reply({ index, prompt, honest, random });
}
