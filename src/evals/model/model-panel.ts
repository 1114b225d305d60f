// The model of the judge role as a panel: one call for each answer and rubric, a few at a time. Invariants: a grade comes by the schema or not
// at all; an answer that the model failed on has no score, and the failure says why without a word of the model.
import { z } from 'zod';
import type { ModelBudget } from '../../core/budget.ts';
import { createDeadline } from '../../core/deadline.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { errorTable } from '../../core/errors.ts';
import type { EventSink } from '../../core/events.ts';
import { systemClock } from '../../core/ids.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { modelName } from '../../models/language/model-name.ts';
import { askRole } from '../../models/role-question.ts';
import type { Judgement, JudgeName } from '../judges/judge.ts';
import type { JudgedAnswer } from '../judges/judged-answer.ts';
import { hasClaims, type Panel, type PanelFailure, type PanelVerdict } from '../panel.ts';
import { bestGrade, hasWhatIsShown, type Rubric, rubricMessages, rubrics, worstGrade } from './rubrics.ts';

export interface ModelPanelOptions {
  readonly model: LanguageModel;
  readonly budget?: ModelBudget;
  /** Of one call. Default 30,000. */
  readonly timeoutMs?: number;
  /** Gets every call of the model, prompt and answer. */
  readonly sink?: EventSink;
}

/** An answer passes from this score on: 3 of 5. */
const threshold = 0.5;
const atOnce = 4;
const longestReason = 400;

const gradeSchema = z.strictObject({ grade: z.int().min(worstGrade).max(bestGrade), reason: z.string() });

export function createModelPanel(options: ModelPanelOptions): Panel {
  const { model, budget, timeoutMs = 30_000, sink = () => undefined } = options;

  async function grade(rubric: Rubric, judged: JudgedAnswer, signal?: AbortSignal): Promise<Judgement | PanelFailure> {
    const asked = await askRole(
      model,
      {
        port: 'evals.judge',
        prompt: rubric.prompt,
        messages: rubricMessages(rubric, judged),
        schema: gradeSchema,
        maxOutputTokens: 1_000,
      },
      { deadline: createDeadline(timeoutMs + 1_000, signal), shareMs: timeoutMs, sink, clock: systemClock, budget },
    );
    if (!asked.ok) {
      const { code, detail } = asked.failure;
      return {
        code: code in errorTable ? (code as ErrorCode) : 'upstream-invalid',
        detail: `${rubric.judge}: ${detail}`,
      };
    }
    const score = (asked.value.grade - worstGrade) / (bestGrade - worstGrade);
    const reason = asked.value.reason.replace(/\s+/gu, ' ').trim().slice(0, longestReason);
    return { score, passed: score >= threshold, reason };
  }

  return {
    by: modelName(model),
    label: 'model',
    judges: rubrics.map(({ judge }) => ({ name: judge, threshold })),
    async judge(all, signal) {
      const judgements: Partial<Record<JudgeName, Judgement>>[] = all.map(() => ({}));
      const failures: PanelFailure[][] = all.map(() => []);
      const calls = all.flatMap((judged, at) =>
        rubrics.flatMap((rubric) =>
          hasClaims({ answer: judged.answer }) && hasWhatIsShown(rubric, judged) ? [{ judged, at, rubric }] : [],
        ),
      );
      const work = async (): Promise<void> => {
        for (let next = calls.shift(); next; next = calls.shift()) {
          const { judged, at, rubric } = next;
          const found = await grade(rubric, judged, signal);
          if ('score' in found) (judgements[at] as Partial<Record<JudgeName, Judgement>>)[rubric.judge] = found;
          else failures[at]?.push(found);
        }
      };
      try {
        await Promise.all(Array.from({ length: atOnce }, work));
      } catch (thrown) {
        calls.length = 0;
        throw signal?.aborted ? abortError(signal) : thrown;
      }
      return all.map((_, at): PanelVerdict => ({ judgements: judgements[at] ?? {}, failures: failures[at] ?? [] }));
    },
  };
}
