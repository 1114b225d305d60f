// How much a question asks at once, 0..1, from what can be seen in it. Pure; the features and their weights stand in docs/agent.md.
import { findNames } from '../../text/words/names.ts';
import type { ProposedPlan } from './plan.ts';

export interface Complexity {
  /** 0..1 */
  readonly score: number;
  /** The features that made it, in words. */
  readonly reasoning: string;
}

interface Feature {
  readonly weight: number;
  readonly what: string;
}

/** What one question in a plain sentence weighs. */
const ground = 0.1;
/** It comes apart into parts that can be asked by themselves: enough for the default threshold of 0.6. */
const apart = 0.5;
const furtherPart = 0.05;

/** Total. `plan`: what rules made of the question, if they took it apart. */
export function complexityOf(question: string, plan: ProposedPlan | undefined): Complexity {
  const features: Feature[] = [];
  const add = (isThere: boolean, weight: number, what: string): void => {
    if (isThere) features.push({ weight, what });
  };
  const words = question.split(/\s+/u).filter(Boolean).length;
  const parts = plan?.subQueries.length ?? 1;
  add(parts > 1, apart + furtherPart * (parts - 2), `comes apart into ${parts} parts`);
  add(plan?.subQueries.some(({ dependencies }) => dependencies.length > 0) === true, 0.1, 'a part builds on another');
  add(plan?.form === 'comparison', 0.1, 'weighs things against each other');
  add(words > 20, 0.05, `${words} words`);
  add(words > 35, 0.05, 'long');
  add(findNames(question).length > 2, 0.05, 'names several things');
  const score = Math.min(
    1,
    features.reduce((sum, { weight }) => sum + weight, ground),
  );
  return {
    score: Math.round(score * 1000) / 1000,
    reasoning: features.length === 0 ? 'asks one thing' : features.map(({ what }) => what).join('; '),
  };
}
