import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { type AnswerEvaluation, evaluateAnswers } from '../../src/evals/answers.ts';
import { createModelAnswerJudge } from '../../src/evals/judges-by-model.ts';
import type { EvaluatedSystem } from '../../src/evals/system.ts';
import type { LanguageModel } from '../../src/models/language/language-model.ts';
import { createScriptedModel, type ScriptedStep } from '../../src/models/language/scripted-model.ts';
import { answerOf } from '../../testkit/judged-answers.ts';

const pier = answerOf(
  ['It is 340 m long.', 'The pier is 340 metres long.'],
  ['Dogs may enter.', 'Dogs may enter in May.'],
);

const grounded = (...verdicts: readonly string[]): ScriptedStep => ({
  expect: 'part="quote"',
  reply: JSON.stringify({ verdicts: verdicts.map((verdict, at) => ({ id: at + 1, verdict, reason: '' })) }),
});
const relevant = (grade: number): ScriptedStep => ({
  expect: /How long[\s\S]*It is 340 m long/u,
  reply: JSON.stringify({ grade, reason: '' }),
});

async function evaluate(answers: Readonly<Record<string, Answer>>, model?: LanguageModel, more = {}) {
  const system: EvaluatedSystem = {
    ingest: () => Promise.resolve({ documents: 0, chunks: 0, failed: [] }),
    search: () => Promise.resolve([]),
    ask: (question) => Promise.resolve(answers[question] as Answer),
    close: () => Promise.resolve(),
  };
  const evaluation: AnswerEvaluation = {
    cases: Object.keys(answers).map((question, at) => ({ id: String(at), question, answers: ['340'] })),
    system,
    mode: 'embedded',
    ...(model && { modelJudge: createModelAnswerJudge({ model, timeoutMs: 2_000 }) }),
    ...more,
  };
  return evaluateAnswers(evaluation);
}
const timeless = <T extends { milliseconds: number }>(results: readonly T[]) =>
  results.map((result) => ({ ...result, milliseconds: 0 }));

describe('answers judged by a model', () => {
  it('have shares of claims that are carried, and grades, beside the figures by rules', async () => {
    const model = createScriptedModel([grounded('supported', 'unsupported'), relevant(3)]);
    const answers = { 'How long is it?': pier, 'Who?': answerOf() };
    const without = await evaluate(answers);
    const report = await evaluate(answers, model);
    model.assertFinished();
    const { groundednessByModel, relevanceByModel, ...byRules } = report.metrics;
    expect(groundednessByModel?.mean).toBe(0.5);
    expect(relevanceByModel?.mean).toBe(1);
    // What the rules say stays as it is.
    expect(byRules).toEqual(without.metrics);
    expect(report.modelJudge).toMatchObject({
      model: 'scripted:script',
      scored: 1,
      failed: 0,
      supported: 1,
      unsupported: 1,
      unclear: 0,
    });
    expect(report.modelJudge?.spent.inputTokens).toBeGreaterThan(300);
    expect(without.modelJudge).toBeUndefined();
    expect(report.results.map(({ scores }) => scores !== undefined)).toEqual([true, true]);
    expect(timeless(report.results).map(({ scores: _, ...result }) => result)).toEqual(timeless(without.results));
  });

  it('count an unclear claim as not carried', async () => {
    const model = createScriptedModel([grounded('unclear', 'supported'), relevant(1)]);
    const { metrics, modelJudge } = await evaluate({ 'How long?': pier }, model);
    expect(metrics.groundednessByModel?.mean).toBe(0.5);
    expect(metrics.relevanceByModel?.mean).toBeCloseTo(1 / 3);
    expect(modelJudge?.unclear).toBe(1);
  });

  it('have no score where the judge fails; that is counted, and hurts no figure', async () => {
    const nonsense = { reply: 'Looks great!' };
    const model = createScriptedModel([
      nonsense,
      nonsense,
      relevant(2),
      grounded('supported', 'supported'),
      { reply: { error: new FootnoteError('upstream-unavailable', 'The judge is down.') } },
    ]);
    const { metrics, modelJudge, failed } = await evaluate({ 'How long?': pier, 'How long is it?': pier }, model);
    model.assertFinished();
    expect(metrics.groundednessByModel).toMatchObject({ mean: 1 });
    expect(metrics.relevanceByModel?.mean).toBeCloseTo(2 / 3);
    expect(modelJudge).toMatchObject({ scored: 0, failed: 2, failure: expect.stringMatching(/^groundedness: /u) });
    expect(failed).toBe(0);
  });

  it('end with the run when it is cancelled', async () => {
    const leaving = new AbortController();
    const model: LanguageModel = {
      ...createScriptedModel([]),
      generate: () => {
        leaving.abort(new FootnoteError('cancelled', 'stopped'));
        return new Promise(() => undefined);
      },
    };
    await expect(evaluate({ 'How long?': pier }, model, { signal: leaving.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
