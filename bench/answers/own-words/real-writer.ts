// Sentences of a real small writer with a verdict by hand for each (data/realwriter), put to the verifier as the product does: the passages that a
// sentence rests on, its vetoes, and how far they carry it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearestTo } from '../../../src/answer/claims/nearest.ts';
import { type Comparison, nearSentences, type QuoteUnder } from '../../../src/answer/support/comparison.ts';
import { supportOf } from '../../../src/answer/support.ts';
import { vetoesOf } from '../../../src/answer/vetoes.ts';
import type { Encoder } from '../../../src/models/encoder/encoder.ts';
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
  toSentences(sharedLines<WriterRow>('realwriter', 'db.jsonl') ?? []);

/**
 * Sentences about passages that were made up, half of them true and as near to the passages as the other half: a thing of the passage beside it, a condition
 * left out, the order turned. `unseen`: by another author, for one look at the end.
 */
export const madeUpSentences = (which: 'fitted' | 'unseen'): WrittenSentence[] =>
  toSentences(
    readFileSync(join(data, which === 'fitted' ? 'judged-sentences.jsonl' : 'unseen-judged-sentences.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as WriterRow),
  );

const data = join(import.meta.dirname, '../../data');

const toSentences = (rows: readonly WriterRow[]): WrittenSentence[] =>
  rows.flatMap(({ id, question, passages, sentences }) =>
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
  return { isQuoted, vetoes, reasons, askedCodes, comparison };
}

/** As the product measures it, of a claim that was read. */
export async function leastMatchOf(
  claim: string,
  { comparison }: Pick<ReadClaim, 'comparison'>,
  encoder: Pick<Encoder, 'leastMatch'>,
): Promise<number> {
  return Math.max(...(await encoder.leastMatch(claim, nearSentences(comparison))));
}
