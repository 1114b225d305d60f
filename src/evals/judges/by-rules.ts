// A judge that is made of a rule.
import type { Judge, JudgeName } from './judge.ts';
import type { JudgedAnswer } from './judged-answer.ts';

/** A judge made of rules: pure, in the same words for all of them. */
export function byRules(
  name: JudgeName,
  threshold: number,
  rule: (judged: JudgedAnswer) => { readonly score: number; readonly reason: string } | undefined,
): Judge {
  return {
    name,
    threshold,
    by: 'rules',
    async judge(judged) {
      const found = rule(judged);
      return found && { ...found, passed: found.score >= threshold };
    },
  };
}
