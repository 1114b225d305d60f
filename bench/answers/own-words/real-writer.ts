// Sentences of a real small writer with a verdict by hand for each (data/realwriter), put to the verifier as the product does: the passages that a
// sentence rests on, its vetoes, and how far they carry it.
import { nearestTo } from '../../../src/answer/claims/nearest.ts';
import type { Comparison, QuoteUnder } from '../../../src/answer/support/comparison.ts';
import type { Cosines } from '../../../src/answer/support/features.ts';
import { supportOf } from '../../../src/answer/support.ts';
import { vetoesOf } from '../../../src/answer/vetoes.ts';
import { sharedLines } from '../../../testkit/shared-data.ts';

export interface WrittenSentence {
  readonly id: string;
  readonly question: string;
  readonly claim: string;
  readonly passages: readonly QuoteUnder[];
  readonly isTrue: boolean;
}

interface WriterRow {
  readonly id: string;
  readonly question: string;
  readonly passages: readonly { readonly path: string; readonly text: string }[];
  readonly sentences: readonly { readonly text: string; readonly carried: boolean | null }[];
}

/** Without refusals, scraps and doubtful cases; empty where the set is not there. */
export const writtenSentences = (): WrittenSentence[] =>
  (sharedLines<WriterRow>('realwriter', 'db.jsonl') ?? []).flatMap(({ id, question, passages, sentences }) =>
    sentences.flatMap(({ text, carried }) =>
      carried === null
        ? []
        : [
            {
              id,
              question,
              claim: text.replace(/\s*\[\d+\]/gu, ''),
              passages: passages.map((one) => ({ quote: one.text, title: '', headingPath: one.path.split(' > ') })),
              isTrue: carried,
            },
          ],
    ),
  );

export interface ReadClaim {
  readonly isQuoted: boolean;
  readonly vetoes: readonly string[];
  readonly reasons: readonly string[];
  readonly askedCodes: readonly string[];
  readonly comparison: Comparison;
  /** All quotes under what stands over them, as the encoder reads them. */
  readonly whole: string;
}

/** Holds a claim against the passages that it rests on. */
export function readClaim(claim: string, passages: readonly QuoteUnder[], question?: string): ReadClaim {
  const near = passages.length === 1 ? [0] : nearestTo(claim, passages, question);
  const quotes = near.flatMap((at) => passages[at] ?? []);
  const over = ({ title, headingPath = [] }: QuoteUnder): string =>
    [title, ...headingPath].filter((text) => text !== '').join('. ');
  const alone = (quotes.length === 0 ? passages : quotes).map((quoted) =>
    supportOf(claim, quoted.quote, { context: over(quoted) }),
  );
  const isQuoted = alone.some(({ verdict }) => verdict === 'supported');
  const best = alone.reduce((a, b) => (b.support > a.support ? b : a));
  const reasons = isQuoted ? [] : best.reasons;
  const { vetoes, comparison, askedCodes } = vetoesOf({ claim, quotes, question, reasons });
  const whole = quotes.map((quoted) => `${over(quoted)}\n${quoted.quote}`.trim()).join('\n\n');
  return { isQuoted, vetoes, reasons, askedCodes, comparison, whole };
}

export interface Encoding {
  encode(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** Cosines of a claim as the product measures them; `kept` remembers them by text. */
export async function cosinesOfClaim(
  claim: string,
  { comparison, whole }: Pick<ReadClaim, 'comparison' | 'whole'>,
  encoder: Encoding,
): Promise<Cosines> {
  const [mine, anchored, all] = await encoder.encode([claim, comparison.sentence, whole]);
  const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
    a?.reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0) ?? 0;
  return [dot(mine, anchored), dot(mine, all)];
}
