// Rows that people labelled, for calibrating judges: a question, what was answered, what it was answered from, and what people say of it. Read
// from JSONL; judged as answers of one claim for each sentence that stands by itself are.
import { z } from 'zod';
import type { Answer } from '../core/answer.ts';
import { type Calibration, calibrate, type LabelledScore } from './calibration.ts';
import type { Judge, JudgeName } from './judges/judge.ts';
import type { JudgedAnswer } from './judges/judged-answer.ts';
import type { Panel } from './panel.ts';

/** Good or not; or 1 to 5, good from 3 on, as rubrics have it. */
const labelSchema = z.union([z.boolean(), z.number().min(1).max(5)]);
const goodFrom = 3;
const texts = z.union([z.string(), z.array(z.string())]);

export const calibrationNames = [
  'groundedness',
  'relevance',
  'coherence',
  'completeness',
] as const satisfies readonly JudgeName[];
type CalibrationName = (typeof calibrationNames)[number];

export const labelledRowSchema = z.strictObject({
  id: z.union([z.string(), z.int().transform(String)]).optional(),
  question: z.string().min(1),
  /** As one text, or claim by claim. */
  response: texts,
  /** What it was answered from. */
  context: texts.optional(),
  /** Any of these counts as the answer. */
  expected: texts.optional(),
  labels: z.partialRecord(z.enum(calibrationNames), labelSchema),
});
export type LabelledRow = z.infer<typeof labelledRowSchema>;

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

/** An answer as one would have been given: each claim cites all that it was answered from. */
export function toJudged({ question, response, context, expected }: LabelledRow): JudgedAnswer {
  const quotes = listOf(context);
  const claims = listOf(response).filter((text) => text.trim() !== '');
  const answer: Answer = {
    id: 'ans_labelled',
    traceId: 'trc_labelled',
    mode: 'embedded',
    intent: 'factual_lookup',
    answer: claims.join(' '),
    claims: claims.map((text) => ({ text, citations: quotes.map((_, at) => at + 1), support: 1 })),
    citations: quotes.map((quote, at) => ({
      index: at + 1,
      documentId: `doc_${at + 1}`,
      chunkId: `chunk_${at + 1}`,
      title: '',
      uri: '',
      url: '',
      source: 'labelled',
      quote,
      start: 0,
      end: quote.length,
      score: 1,
      alsoIn: [],
    })),
    conflicts: [],
    sources: [],
    abstained: claims.length === 0,
    ragEnabled: true,
    confidence: 1,
    coverage: 1,
    routing: { sources: [], reason: '' },
    degraded: [],
    usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 0, costUsd: 0 },
    timings: { totalMs: 0 },
  };
  const wanted = listOf(expected);
  return {
    question,
    answer,
    context: quotes.map((text, at) => ({ chunkId: `chunk_${at + 1}`, documentId: `doc_${at + 1}`, text })),
    ...(wanted.length > 0 && { expected: { answers: wanted } }),
  };
}

export interface JudgeCalibration extends Calibration {
  readonly judge: CalibrationName;
  readonly by: string;
  readonly thresholdNow: number;
  /** Labelled rows that the judge said nothing of. */
  readonly unjudged: number;
  /** The first reason. */
  readonly failure?: string;
}

const isGood = (label: boolean | number): boolean => (typeof label === 'boolean' ? label : label >= goodFrom);

/** Rules as a panel: they judge one answer after another. */
export const panelOfRules = (judges: readonly Judge[]): Panel => ({
  by: 'rules',
  label: 'rules',
  judges,
  judge: async (all, signal) =>
    Promise.all(
      all.map(async (judged) => {
        const judgements: Partial<Record<JudgeName, Awaited<ReturnType<Judge['judge']>> & object>> = {};
        for (const judge of judges) {
          const found = await judge.judge(judged, signal);
          if (found) judgements[judge.name] = found;
        }
        return { judgements, failures: [] };
      }),
    ),
});

export interface CalibrationRun {
  readonly seed?: number;
  readonly folds?: number;
  readonly signal?: AbortSignal;
}

/** What people labelled and the panel judges, respect by respect. Throws only `cancelled`. */
export async function calibratePanel(
  rows: readonly LabelledRow[],
  panel: Panel,
  { signal, ...options }: CalibrationRun = {},
): Promise<readonly JudgeCalibration[]> {
  const verdicts = await panel.judge(rows.map(toJudged), signal);
  return calibrationNames.flatMap((judge) => {
    const known = panel.judges.find(({ name }) => name === judge);
    const labelled = rows.flatMap(({ labels }, at) =>
      labels[judge] === undefined ? [] : [{ at, label: labels[judge] }],
    );
    if (!known || labelled.length === 0) return [];
    const scored = labelled.flatMap(({ at, label }): LabelledScore[] => {
      const found = verdicts[at]?.judgements[judge];
      return found ? [{ score: found.score, isGood: isGood(label) }] : [];
    });
    const [failure] = labelled.flatMap(({ at }) => verdicts[at]?.failures ?? []);
    return [
      {
        judge,
        by: panel.by,
        thresholdNow: known.threshold,
        unjudged: labelled.length - scored.length,
        ...(failure && { failure: failure.detail }),
        ...calibrate(scored, { thresholdNow: known.threshold, ...options }),
      },
    ];
  });
}
