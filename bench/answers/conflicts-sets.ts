// The sets on which disagreements between texts of other people are measured: SciFact's claims beside abstracts, RGB's right passages beside wrong ones.
import { join } from 'node:path';
import { z } from 'zod';
import { findJsonl, readJsonl } from '../../src/evals/datasets.ts';
import { segmentPieces } from '../../src/text/sentences.ts';

const claimSchema = z.object({
  id: z.union([z.string(), z.int().transform(String)]),
  claim: z.string(),
  evidence: z.array(
    z.object({ doc_id: z.string(), label: z.enum(['SUPPORT', 'CONTRADICT']), sentences: z.array(z.int()) }),
  ),
});
const abstractSchema = z.object({ _id: z.string(), sentences: z.array(z.string()) });
const passagesSchema = z.object({
  query: z.string(),
  answer: z.union([z.string(), z.array(z.union([z.string(), z.array(z.string())]))]),
  fakeanswer: z.string(),
  positive: z.array(z.string()),
  positive_wrong: z.array(z.string()),
  negative: z.array(z.string()),
});

export interface ScifactClaim {
  readonly claim: string;
  readonly evidence: readonly {
    readonly id: string;
    readonly label: 'SUPPORT' | 'CONTRADICT';
    readonly sentences: readonly string[];
  }[];
}

export async function scifactClaims(folder: string, splits: readonly string[]): Promise<ScifactClaim[]> {
  const sentences = new Map<string, readonly string[]>();
  for await (const one of readJsonl(findJsonl(folder, 'sentences'), abstractSchema))
    sentences.set(one._id, one.sentences);
  const claims: ScifactClaim[] = [];
  for (const split of splits)
    for await (const { claim, evidence } of readJsonl(join(folder, `claims.${split}.jsonl`), claimSchema))
      claims.push({
        claim,
        evidence: evidence.map(({ doc_id: id, label, sentences: places }) => ({
          id,
          label,
          sentences: places.flatMap((place) => sentences.get(id)?.[place] ?? []),
        })),
      });
  return claims;
}

export interface RgbQuestion {
  readonly right: readonly string[];
  readonly wrong: readonly string[];
  readonly others: readonly string[];
  /** Every way in which the answer may be written. */
  readonly answers: readonly string[];
  readonly wrongAnswer: string;
}

/** Every second question: the rules of names were shaped on half 0, and half 1 is reported. */
export async function rgbQuestions(folder: string, half: 0 | 1): Promise<RgbQuestion[]> {
  const questions: RgbQuestion[] = [];
  let at = 0;
  for await (const one of readJsonl(findJsonl(folder, 'en_fact'), passagesSchema)) {
    at += 1;
    if ((at - 1) % 2 !== half) continue;
    questions.push({
      right: one.positive,
      wrong: one.positive_wrong,
      others: one.negative,
      answers: [one.answer].flat(2),
      wrongAnswer: one.fakeanswer,
    });
  }
  return questions;
}

export const sentencesIn = (text: string): string[] =>
  segmentPieces(text).map(({ start, end }) => text.slice(start, end));
