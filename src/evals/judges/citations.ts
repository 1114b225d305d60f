// Judges of citations and of the context, by rules. Citations as in Gao et al. 2023 (ALCE): recall is the share of claims that their citations
// carry together, precision the share of citations that a claim needs or that carry it alone. Context as in Es et al. 2024 (RAGAS): precision
// is the mean of the precisions at each rank that is of use.

import { analyzeText } from '../../text/analyze.ts';
import { evidenceOf } from './answers.ts';
import { byRules } from './by-rules.ts';
import { groundingOf } from './groundedness.ts';
import type { Judge } from './judge.ts';
import type { JudgedAnswer, JudgedContext } from './judged-answer.ts';
import { citationsOfClaim, containsAnswer, normaliseAnswer } from './matching.ts';

export const citationRecall: Judge = byRules('citation-recall', 0.7, ({ answer }) => {
  if (answer.abstained || answer.claims.length === 0) return undefined;
  const carried = answer.claims.filter((claim) => groundingOf(claim.text, evidenceOf(answer, claim)).isGrounded).length;
  return {
    score: carried / answer.claims.length,
    reason: `${carried} of ${answer.claims.length} claims are carried by what they cite.`,
  };
});

export const citationPrecision: Judge = byRules('citation-precision', 0.7, ({ answer }) => {
  if (answer.abstained || answer.citations.length === 0) return undefined;
  let all = 0;
  let needed = 0;
  for (const [position, claim] of answer.claims.entries()) {
    const cited = citationsOfClaim(answer, position);
    const quotes = cited.map(({ quote }) => quote);
    const derivation = claim.derivation === undefined ? [] : [claim.derivation];
    const carries = (texts: readonly string[]): boolean =>
      groundingOf(claim.text, [...texts, ...derivation]).isGrounded;
    all += quotes.length;
    if (!carries(quotes)) continue;
    for (const [at, quote] of quotes.entries()) {
      const others = quotes.filter((_, other) => other !== at);
      if (carries([quote]) || others.length === 0 || !carries(others)) needed++;
    }
  }
  if (all === 0) return undefined;
  return { score: needed / all, reason: `${needed} of ${all} citations carry their claim or are needed for it.` };
});

/** From this share of what a question names on, a chunk speaks of it. */
const speaksFrom = 0.6;

/** Where people said what the answer should rest on that counts, else whether the chunk carries a claim or speaks of the question. */
function isOfUse({ text }: JudgedContext, { question, answer, expected }: JudgedAnswer): boolean {
  const { supporting = [], answers = [] } = expected ?? {};
  if (supporting.length > 0) {
    const held = normaliseAnswer(text);
    return supporting.some((sentence) => held.includes(normaliseAnswer(sentence.text)));
  }
  if (answers.length > 0) return answers.some((gold) => containsAnswer(text, gold));
  const asked = new Set(analyzeText(question));
  const said = new Set(analyzeText(text));
  const share = asked.size === 0 ? 0 : [...asked].filter((term) => said.has(term)).length / asked.size;
  return share >= speaksFrom || answer.claims.some((claim) => groundingOf(claim.text, [text]).isGrounded);
}

export const contextPrecision: Judge = byRules('context-precision', 0.5, (judged) => {
  const { context, expected } = judged;
  // Of a question without an answer nothing that was read can be of use.
  if (context.length === 0 || expected?.unanswerable === true) return undefined;
  let useful = 0;
  let sum = 0;
  for (const [at, one] of context.entries()) {
    if (!isOfUse(one, judged)) continue;
    useful++;
    sum += useful / (at + 1);
  }
  return {
    score: useful === 0 ? 0 : sum / useful,
    reason: `${useful} of ${context.length} chunks that were read are of use.`,
  };
});

export const contextRecall: Judge = byRules('context-recall', 0.7, ({ context, expected }) => {
  const { supporting = [], answers = [] } = expected ?? {};
  if (expected?.unanswerable === true || supporting.length + answers.length === 0) return undefined;
  if (supporting.length > 0) {
    const held = context.map(({ text }) => normaliseAnswer(text));
    const found = supporting.filter((sentence) => held.some((text) => text.includes(normaliseAnswer(sentence.text))));
    return {
      score: found.length / supporting.length,
      reason: `${found.length} of ${supporting.length} wanted sentences were among what was read.`,
    };
  }
  const isThere = context.some(({ text }) => answers.some((gold) => containsAnswer(text, gold)));
  return { score: isThere ? 1 : 0, reason: `A right answer is ${isThere ? '' : 'not '}among what was read.` };
});
