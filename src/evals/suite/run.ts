// Runs a suite: every case is asked of the system, measured by rules and by judges, and kept with all that a comparison needs. Invariants: a
// question that fails is a result; a measure stands only where there was something to measure by.
import { z } from 'zod';
import type { Answer } from '../../core/answer.ts';
import { toFootnoteError } from '../../core/errors.ts';
import { type Mode, modeSchema } from '../../core/search.ts';
import { type CaseResult, evaluateAnswers } from '../answers.ts';
import type { Judge } from '../judges/judge.ts';
import type { JudgedAnswer, JudgedContext } from '../judges/judged-answer.ts';
import { scoresOf } from '../judges/scores.ts';
import { estimate, measureQuery } from '../metrics.ts';
import type { Panel } from '../panel.ts';
import { foldToDocuments } from '../retrieval.ts';
import type { EvaluatedSystem } from '../system.ts';
import type { Suite, SuiteCase } from './suite.ts';

/** Of the shape of the file. */
export const runVersion = 1;

const estimateSchema = z.object({ mean: z.number(), low: z.number(), high: z.number(), cases: z.int() });

const caseScoresSchema = z.object({
  id: z.string(),
  question: z.string(),
  /** By name, each 0..1, more is better. */
  measures: z.record(z.string(), z.number()),
  /** Why a judge says what it says, by its name. */
  reasons: z.record(z.string(), z.string()),
  /** Names of judges that it does not pass. */
  missed: z.array(z.string()),
  abstained: z.boolean(),
  answer: z.string().optional(),
  cited: z.array(z.object({ document: z.string(), quote: z.string() })),
  milliseconds: z.number(),
  confidence: z.number(),
  error: z.string().optional(),
});
export type CaseScores = z.infer<typeof caseScoresSchema>;

export const suiteRunSchema = z.object({
  format: z.literal('footnote-eval-run'),
  version: z.int().max(runVersion),
  suite: z.object({ name: z.string(), sha256: z.string() }),
  /** Version of Footnote. */
  program: z.string(),
  at: z.string(),
  mode: modeSchema,
  /** Those that are not as they come, without secrets. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  judges: z.array(z.object({ name: z.string(), by: z.string(), threshold: z.number() })),
  summary: z.record(z.string(), estimateSchema),
  medianMs: z.number(),
  /** Judges that failed, how often and why. */
  failures: z.array(z.object({ by: z.string(), answers: z.int(), code: z.string(), detail: z.string() })).optional(),
  results: z.array(caseScoresSchema),
});
export type SuiteRun = z.infer<typeof suiteRunSchema>;

export interface SuiteEvaluation {
  readonly suite: Suite;
  readonly system: EvaluatedSystem;
  readonly judges: readonly Judge[];
  /** Judges elsewhere, beside those: they are asked when all questions are answered. */
  readonly panels?: readonly Panel[];
  readonly mode: Mode;
  readonly about: Pick<SuiteRun, 'program' | 'at' | 'settings'>;
  /** Re-checks an answer against the record: for each citation whether it holds. */
  readonly verify: (answer: Answer) => Promise<readonly { readonly index: number; readonly ok: boolean }[]>;
  /** What an answer was composed from, best first. */
  readonly contextOf: (answer: Answer) => Promise<readonly JudgedContext[]>;
  /** Reads the documents that change, before the second round. */
  readonly update?: () => Promise<unknown>;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

const searchDepth = 100;

/** Measures of rules that `eval answers` has, too. */
function measuresByRules(result: CaseResult): Record<string, number | undefined> {
  const yes = (value: boolean | undefined): number | undefined => (value === undefined ? undefined : Number(value));
  const { verified, citations, supportingFound, supportingWanted } = result;
  return {
    'runs through': result.error === undefined ? 1 : 0,
    'citations verified': verified === undefined || citations === 0 ? undefined : verified / citations,
    'answer in the first claim': yes(result.first),
    'answer in the whole': yes(result.whole),
    'right document': yes(result.document),
    'right page': yes(result.page),
    'wanted sentences cited':
      supportingWanted === undefined ? undefined : (supportingFound ?? 0) / Math.max(1, supportingWanted),
  };
}

async function measuresOfSearch(
  one: SuiteCase,
  { system, mode, signal }: SuiteEvaluation,
): Promise<Record<string, number>> {
  if (!one.relevant || Object.keys(one.relevant).length === 0) return {};
  const hits = await system.search(one.question, { mode: one.mode ?? mode, limit: searchDepth }, signal);
  const measured = measureQuery(foldToDocuments(hits), new Map(Object.entries(one.relevant)));
  return {
    'search nDCG@10': measured.ndcg10,
    'search recall@10': measured.recall10,
    'search MRR@10': measured.reciprocalRank10,
  };
}

async function judgedOf(
  one: SuiteCase,
  { answer }: CaseResult,
  { contextOf }: SuiteEvaluation,
): Promise<JudgedAnswer | undefined> {
  if (!answer) return undefined;
  const supporting = Array.isArray(one.supporting)
    ? one.supporting.flatMap((item) => {
        if (typeof item === 'string') return [{ text: item }];
        if (!('text' in item)) return [];
        return [{ text: item.text, ...(item.document !== undefined && { document: item.document }) }];
      })
    : [];
  const expected = {
    ...(one.answers && { answers: one.answers }),
    ...(supporting.length > 0 && { supporting }),
    ...(one.unanswerable === true && { unanswerable: true }),
  };
  return { question: one.question, answer, context: await contextOf(answer), expected };
}

const citedOf = ({ answer }: CaseResult): CaseScores['cited'] =>
  (answer?.citations ?? []).map(({ documentId, quote }) => ({ document: documentId, quote }));

/** Judges of what a case says has to come out; all others guess from an answer alone how good it is. */
const asksForExpected: ReadonlySet<string> = new Set(['completeness', 'abstention']);

const isGuessed = (name: string, { given }: SuiteCase, { judges }: SuiteEvaluation): boolean =>
  given === true && !asksForExpected.has(name) && judges.some((judge) => judge.name === name && judge.by === 'rules');

/** Neither a claim of the answer that was given comes out again, word for word, nor a sentence that it cited. */
const isLost = ({ given, unanswerable }: SuiteCase, { whole, supportingFound = 0 }: CaseResult): boolean =>
  given === true && unanswerable !== true && whole !== true && supportingFound === 0;

interface Scored {
  readonly scores: CaseScores;
  readonly judged: JudgedAnswer | undefined;
}

async function scoreCase(one: SuiteCase, result: CaseResult, evaluation: SuiteEvaluation): Promise<Scored> {
  const judged = await judgedOf(one, result, evaluation);
  const judgements = Object.entries(judged ? await scoresOf(evaluation.judges, judged, evaluation.signal) : {});
  const failure = await measuresOfSearch(one, evaluation).then(
    (measures) => ({ measures, error: undefined }),
    (thrown: unknown) => {
      if (evaluation.signal?.aborted) throw thrown;
      return { measures: {}, error: toFootnoteError(thrown).message };
    },
  );
  const error = result.error ?? failure.error;
  const measures = Object.entries({
    ...measuresByRules(result),
    ...(failure.error !== undefined && { 'runs through': 0 }),
    ...failure.measures,
    ...Object.fromEntries(judgements.map(([name, { score }]) => [name, score])),
  }).filter((entry): entry is [string, number] => entry[1] !== undefined);
  const scores = {
    id: one.id,
    question: one.question,
    measures: Object.fromEntries(measures),
    reasons: Object.fromEntries(judgements.map(([name, { reason }]) => [name, reason])),
    missed: [
      ...judgements.flatMap(([name, { passed }]) => (passed || isGuessed(name, one, evaluation) ? [] : [name])),
      ...(isLost(one, result) ? ['answer in the whole'] : []),
    ],
    abstained: result.abstained,
    ...(result.answer && { answer: result.answer.answer }),
    cited: citedOf(result),
    milliseconds: result.milliseconds,
    confidence: result.confidence,
    ...(error !== undefined && { error }),
  };
  return { scores, judged };
}

/** What a judge elsewhere measures, apart from the rules that go by the same name. */
export const measureBy = (name: string, { label }: Pick<Panel, 'label'>): string => `${name} by ${label}`;

/** The same results with what judges elsewhere say of them, and what failed there. */
async function askPanels(all: readonly Scored[], { panels = [], signal }: SuiteEvaluation) {
  const results = all.map(({ scores }) => structuredClone(scores));
  const failures: NonNullable<SuiteRun['failures']> = [];
  const asked = all.flatMap(({ judged }, at) => (judged ? [{ judged, result: results[at] as CaseScores }] : []));
  for (const panel of panels) {
    const verdicts = await panel.judge(
      asked.map(({ judged }) => judged),
      signal,
    );
    for (const [at, { result }] of asked.entries()) {
      const { judgements = {}, failures: failed = [] } = verdicts[at] ?? {};
      for (const [name, { score, reason, passed }] of Object.entries(judgements)) {
        const measure = measureBy(name, panel);
        result.measures[measure] = score;
        result.reasons[measure] = reason;
        if (!passed) result.missed.push(measure);
      }
      for (const { code, detail } of failed) {
        const known = failures.find((one) => one.by === panel.by && one.detail === detail);
        if (known) known.answers += 1;
        else failures.push({ by: panel.by, answers: 1, code, detail });
      }
    }
  }
  return { results, failures };
}

/** Means with their intervals, by measure, in the order in which measures first appear. */
export function summarise(results: readonly CaseScores[]): SuiteRun['summary'] {
  const values = new Map<string, number[]>();
  for (const { measures } of results)
    for (const [name, value] of Object.entries(measures)) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries([...values].map(([name, all]) => [name, { ...estimate(all), cases: all.length }]));
}

/** Only `cancelled` ends it early. The documents are in the system already. */
export async function runSuite(evaluation: SuiteEvaluation): Promise<SuiteRun> {
  const { suite, system, verify, signal, about, mode, judges, panels = [] } = evaluation;
  const rounds = [suite.cases.filter((one) => !one.afterUpdate), suite.cases.filter((one) => one.afterUpdate)];
  const scored: Scored[] = [];
  for (const [round, cases] of rounds.entries()) {
    if (round === 1 && cases.length > 0) await evaluation.update?.();
    for (const one of cases) {
      const report = await evaluateAnswers({
        cases: [one],
        system,
        mode: one.mode ?? mode,
        verify,
        ...(signal && { signal }),
      });
      const [result] = report.results;
      if (result) scored.push(await scoreCase(one, result, evaluation));
      evaluation.onProgress?.(scored.length, suite.cases.length);
    }
  }
  const { results, failures } = await askPanels(scored, evaluation);
  const times = results.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return {
    format: 'footnote-eval-run',
    version: runVersion,
    suite: { name: suite.name, sha256: suite.sha256 },
    ...about,
    mode,
    judges: [
      ...judges.map(({ name, by, threshold }) => ({ name, by, threshold })),
      ...panels.flatMap((panel) =>
        panel.judges.map(({ name, threshold }) => ({ name: measureBy(name, panel), by: panel.by, threshold })),
      ),
    ],
    summary: summarise(results),
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    ...(failures.length > 0 && { failures }),
    results,
  };
}
