// The scores of one answer: what each of several judges says of it.
import type { Judge, Judgement, JudgeName } from './judge.ts';
import type { JudgedAnswer } from './judged-answer.ts';

export type Scores = Readonly<Partial<Record<JudgeName, Judgement>>>;

/** What each of the judges says of one answer. Throws what a judge throws. */
export async function scoresOf(judges: readonly Judge[], judged: JudgedAnswer, signal?: AbortSignal): Promise<Scores> {
  const scores: Partial<Record<JudgeName, Judgement>> = {};
  for (const judge of judges) {
    const judgement = await judge.judge(judged, signal);
    if (judgement) scores[judge.name] = judgement;
  }
  return scores;
}
