// Measures answers: each case is asked of the system and judged by rules (judges/matching.ts): containment of a gold answer, right
// document and page, supporting sentences, abstention where it is right and where it is wrong, and whether every citation
// verifies. An abstained answer contains nothing, so every share counts it as a miss. A model may judge beside the rules, never instead.
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Answer, asserting } from '../core/answer.ts';
import { analysisRequestSchema } from '../core/answers/analysis-request.ts';
import { FootnoteError, isFootnoteError, toFootnoteError } from '../core/errors.ts';
import { allOf, type Filter, type Mode } from '../core/search.ts';
import { readJsonl } from './datasets.ts';
import {
  citationsOfClaim,
  citesDocument,
  containsAnswer,
  findsSentence,
  type SupportingSentence,
} from './judges/matching.ts';
import { type AnswerJudge, type AnswerScores, type ModelJudgeSummary, summariseScores } from './judges-by-model.ts';
import { type Estimate, estimate } from './metrics.ts';
import type { EvaluatedDocument, EvaluatedSystem } from './system.ts';

/** A supporting sentence: its text, or its number (from 0) among the document's `metadata.sentences`. */
const supportingSchema = z.union([
  z.array(
    z.union([
      z.string().min(1),
      z.object({ document: z.string().optional(), text: z.string().min(1) }),
      z.object({ document: z.string(), sentence: z.int().min(0) }),
    ]),
  ),
  z.record(z.string(), z.array(z.int().min(0))),
]);

export const answerCaseSchema = z.object({
  id: z.union([z.string().min(1), z.number().transform(String)]),
  question: z.string().min(1),
  /** Any of these counts as the answer. */
  answers: z.array(z.string().min(1)).optional(),
  /** Id, uri, file name or title of the document that holds the answer. */
  document: z.string().optional(),
  /** From 1. */
  page: z.int().min(1).optional(),
  supporting: supportingSchema.optional(),
  /** Ids of the only documents that may be used. */
  only: z.array(z.string()).optional(),
  /** Ids of documents that may not be used. */
  exclude: z.array(z.string()).optional(),
  unanswerable: z.boolean().optional(),
  /** An analysis is asked for instead; `question` tells people what it is of. */
  analysis: analysisRequestSchema.omit({ stream: true }).optional(),
  /** Past conversations are asked instead: what was said in the chat, last of it the question. */
  chat: z
    .array(z.object({ role: z.enum(['user', 'assistant']), content: z.string().min(1) }))
    .min(1)
    .optional(),
});
export type AnswerCase = z.infer<typeof answerCaseSchema>;

export interface AnswerEvaluation {
  readonly cases: readonly AnswerCase[];
  readonly system: EvaluatedSystem;
  readonly mode: Mode;
  /** Ingested first, when given; their `metadata.sentences` resolve numbered supporting sentences. */
  readonly documents?: AsyncIterable<EvaluatedDocument>;
  /** Re-checks an answer against the record: for each citation whether it holds. */
  readonly verify?: (answer: Answer) => Promise<readonly { readonly index: number; readonly ok: boolean }[]>;
  /** Scores answers by a model, beside the rules. */
  readonly modelJudge?: AnswerJudge;
  readonly seed?: number;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface CaseResult {
  readonly id: string;
  readonly question: string;
  readonly unanswerable: boolean;
  readonly abstained: boolean;
  /** Judgements are absent where the case gives nothing to judge by. */
  readonly first?: boolean;
  readonly whole?: boolean;
  readonly documentFirst?: boolean;
  readonly document?: boolean;
  readonly pageFirst?: boolean;
  readonly page?: boolean;
  readonly supportingFound?: number;
  readonly supportingWanted?: number;
  readonly citations: number;
  readonly verified?: number;
  readonly confidence: number;
  readonly claims: number;
  readonly milliseconds: number;
  /** By the model that judges, where one does. */
  readonly scores?: AnswerScores;
  /** The question failed: no answer at all. Counted as neither answered nor abstained, and as a miss. */
  readonly error?: string;
  readonly answer?: Answer;
}

export interface ConfidenceBin {
  /** Confidence of the bin: from `low` up to `high`. */
  readonly low: number;
  readonly high: number;
  readonly answers: number;
  readonly meanConfidence: number;
  /** Share of answers whose whole text holds a gold answer. */
  readonly correct: number;
}

export interface AnswerReport {
  readonly cases: number;
  readonly answerable: number;
  readonly unanswerable: number;
  readonly failed: number;
  /** By `answerMetricNames`; absent where no case gives anything to judge by. Shares are of what can be judged: cases, sentences or citations. */
  readonly metrics: Readonly<Partial<Record<keyof typeof answerMetricNames, Estimate>>>;
  /** Present where a model judged. */
  readonly modelJudge?: ModelJudgeSummary;
  readonly claimsPerAnswer: number;
  readonly medianMs: number;
  readonly calibration: readonly ConfidenceBin[];
  readonly results: readonly CaseResult[];
}

/** Reads cases; a malformed line is `invalid-request` with its number. */
export async function readAnswerCases(path: string): Promise<AnswerCase[]> {
  const cases: AnswerCase[] = [];
  for await (const one of readJsonl(path, answerCaseSchema)) cases.push(one);
  if (cases.length === 0)
    throw new FootnoteError(
      'invalid-request',
      `${path} holds no case. Give JSONL with {id, question, …} on each line.`,
    );
  return cases;
}

/** Asks every case in turn. Failed questions are kept as results; only `cancelled` ends the run. */
export async function evaluateAnswers(evaluation: AnswerEvaluation): Promise<AnswerReport> {
  const { cases, system, signal } = evaluation;
  const sentences = new Map<string, readonly string[]>();
  if (evaluation.documents) await system.ingest(withSentences(evaluation.documents, sentences), signal);
  const results: CaseResult[] = [];
  for (const one of cases) {
    if (signal?.aborted) throw toFootnoteError(signal.reason);
    results.push(await evaluateCase(one, evaluation, sentences));
    evaluation.onProgress?.(results.length, cases.length);
  }
  return toReport(results, evaluation);
}

async function* withSentences(
  documents: AsyncIterable<EvaluatedDocument>,
  sentences: Map<string, readonly string[]>,
): AsyncGenerator<EvaluatedDocument, void, undefined> {
  for await (const document of documents) {
    const list = document.metadata?.['sentences'];
    if (Array.isArray(list)) sentences.set(document.id, list.map(String));
    yield document;
  }
}

/** Asks what the case asks, as it asks for it. */
async function answerTo(one: AnswerCase, { system, mode, signal }: AnswerEvaluation): Promise<Answer> {
  const filter = filterOf(one);
  if (one.chat) {
    if (!system.chat)
      throw new FootnoteError('unsupported', 'This evaluation asks documents, and no past conversations.');
    return system.chat(one.chat, signal);
  }
  if (one.analysis) {
    if (!system.analyse) throw new FootnoteError('unsupported', 'This evaluation asks questions, and for no analyses.');
    const both = allOf([one.analysis.filter, filter]);
    return system.analyse({ mode, ...one.analysis, ...(both && { filter: both }) }, signal);
  }
  return system.ask(one.question, { mode, ...(filter && { filter }) }, signal);
}

async function evaluateCase(
  one: AnswerCase,
  evaluation: AnswerEvaluation,
  sentences: ReadonlyMap<string, readonly string[]>,
): Promise<CaseResult> {
  const from = performance.now();
  let given: Answer | undefined;
  let error: string | undefined;
  try {
    given = await answerTo(one, evaluation);
  } catch (thrown) {
    if (isFootnoteError(thrown) && thrown.code === 'cancelled') throw thrown;
    error = toFootnoteError(thrown).message;
  }
  const milliseconds = performance.now() - from;
  const checks = given && evaluation.verify ? await evaluation.verify(given) : undefined;
  const answer = given && asserting(given);
  const scores = answer && (await evaluation.modelJudge?.score(one.question, answer, evaluation.signal));
  const wanted = supportingOf(one, sentences);
  return {
    id: one.id,
    question: one.question,
    unanswerable: one.unanswerable === true,
    abstained: answer?.abstained ?? false,
    ...judgeContainment(one, answer),
    ...judgePlace(one, answer),
    ...(wanted.length > 0 && {
      supportingWanted: wanted.length,
      supportingFound: answer ? wanted.filter((sentence) => findsSentence(answer, sentence)).length : 0,
    }),
    citations: answer?.citations.length ?? 0,
    ...(checks && { verified: checks.filter((check) => check.ok).length }),
    confidence: answer?.confidence ?? 0,
    claims: answer?.claims.length ?? 0,
    milliseconds,
    ...(scores && { scores }),
    ...(error !== undefined && { error }),
    ...(answer && { answer }),
  };
}

function filterOf(one: AnswerCase): Filter | undefined {
  return allOf([
    one.only && { op: 'in', field: 'id', values: one.only },
    one.exclude && one.exclude.length > 0 ? { op: 'nin', field: 'id', values: one.exclude } : undefined,
  ]);
}

function judgeContainment(one: AnswerCase, answer: Answer | undefined): Pick<CaseResult, 'first' | 'whole'> {
  if (!one.answers || one.answers.length === 0 || one.unanswerable === true) return {};
  const claims = answer && !answer.abstained ? answer.claims : [];
  const holds = (text: string): boolean => one.answers?.some((gold) => containsAnswer(text, gold)) ?? false;
  return { first: claims[0] !== undefined && holds(claims[0].text), whole: claims.some((claim) => holds(claim.text)) };
}

function judgePlace(
  one: AnswerCase,
  answer: Answer | undefined,
): Pick<CaseResult, 'document' | 'documentFirst' | 'page' | 'pageFirst'> {
  if (one.unanswerable === true) return {};
  const all = answer?.citations ?? [];
  const first = answer ? citationsOfClaim(answer, 0) : [];
  const { document, page } = one;
  const inDocument = (citation: (typeof all)[number]): boolean =>
    document === undefined || citesDocument(citation, document);
  return {
    ...(document !== undefined && { document: all.some(inDocument), documentFirst: first.some(inDocument) }),
    ...(page !== undefined && {
      page: all.some((citation) => inDocument(citation) && citation.page === page),
      pageFirst: first.some((citation) => inDocument(citation) && citation.page === page),
    }),
  };
}

function supportingOf(one: AnswerCase, sentences: ReadonlyMap<string, readonly string[]>): SupportingSentence[] {
  const { supporting } = one;
  if (!supporting) return [];
  const numbered = (document: string, index: number): SupportingSentence[] => {
    const text = sentences.get(document)?.[index];
    return text === undefined ? [] : [{ document, text }];
  };
  if (!Array.isArray(supporting))
    return Object.entries(supporting).flatMap(([document, indexes]) =>
      indexes.flatMap((index) => numbered(document, index)),
    );
  return supporting.flatMap((item): SupportingSentence[] => {
    if (typeof item === 'string') return [{ text: item }];
    if ('sentence' in item) return numbered(item.document, item.sentence);
    return [{ text: item.text, ...(item.document !== undefined && { document: item.document }) }];
  });
}

function toReport(
  results: readonly CaseResult[],
  { seed = 1, modelJudge }: Pick<AnswerEvaluation, 'seed' | 'modelJudge'>,
): AnswerReport {
  const shareOf = (values: readonly (boolean | undefined)[]): Estimate | undefined => {
    const known = values.filter((value) => value !== undefined).map((value) => (value ? 1 : 0));
    return known.length > 0 ? estimate(known, { seed }) : undefined;
  };
  const scores = results.flatMap((result) => result.scores ?? []);
  const meanOf = (values: readonly (number | undefined)[]): Estimate | undefined => {
    const known = values.filter((value) => value !== undefined);
    return known.length > 0 ? estimate(known, { seed }) : undefined;
  };
  const answerable = results.filter((result) => !result.unanswerable);
  const unanswerable = results.filter((result) => result.unanswerable);
  const units = (wanted: number | undefined, found: number | undefined): boolean[] =>
    Array.from({ length: wanted ?? 0 }, (_, index) => index < (found ?? 0));
  const metrics = {
    firstClaim: shareOf(answerable.map((result) => result.first)),
    wholeAnswer: shareOf(answerable.map((result) => result.whole)),
    documentFirst: shareOf(answerable.map((result) => result.documentFirst)),
    document: shareOf(answerable.map((result) => result.document)),
    pageFirst: shareOf(answerable.map((result) => result.pageFirst)),
    page: shareOf(answerable.map((result) => result.page)),
    supporting: shareOf(results.flatMap((result) => units(result.supportingWanted, result.supportingFound))),
    abstainedRight: shareOf(unanswerable.map((result) => result.abstained)),
    abstainedWrong: shareOf(answerable.map((result) => result.abstained)),
    citationsVerified: shareOf(
      results.flatMap((result) => (result.verified === undefined ? [] : units(result.citations, result.verified))),
    ),
    groundednessByModel: meanOf(scores.map(({ groundedness }) => groundedness)),
    relevanceByModel: meanOf(scores.map(({ relevance }) => relevance)),
  };
  const answered = results.filter((result) => result.claims > 0);
  const times = results.map((result) => result.milliseconds).sort((a, b) => a - b);
  return {
    cases: results.length,
    answerable: answerable.length,
    unanswerable: unanswerable.length,
    failed: results.filter((result) => result.error !== undefined).length,
    metrics: Object.fromEntries(Object.entries(metrics).filter(([, value]) => value !== undefined)),
    ...(modelJudge && { modelJudge: summariseScores(modelJudge.model, scores) }),
    claimsPerAnswer: answered.reduce((sum, result) => sum + result.claims, 0) / Math.max(1, answered.length),
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    calibration: binsOf(answered),
    results,
  };
}

/** Ten bins of equal width; empty ones are left out. An unanswerable question that was answered is never correct. */
function binsOf(answered: readonly CaseResult[]): ConfidenceBin[] {
  const judged = answered.filter((result) => result.unanswerable || result.whole !== undefined);
  const bins: ConfidenceBin[] = [];
  for (let bin = 0; bin < 10; bin += 1) {
    const members = judged.filter((result) => Math.min(9, Math.floor(result.confidence * 10)) === bin);
    if (members.length === 0) continue;
    bins.push({
      low: bin / 10,
      high: (bin + 1) / 10,
      answers: members.length,
      meanConfidence: members.reduce((sum, result) => sum + result.confidence, 0) / members.length,
      correct: members.filter((result) => result.whole === true).length / members.length,
    });
  }
  return bins;
}

/** The measures as people read them, in the order they are printed. */
export const answerMetricNames = {
  firstClaim: 'gold answer in the first claim',
  wholeAnswer: 'gold answer in the whole answer',
  documentFirst: 'right document, first claim',
  document: 'right document, any claim',
  pageFirst: 'right page, first claim',
  page: 'right page, any claim',
  supporting: 'supporting sentences found',
  abstainedRight: 'abstained where there is no answer',
  abstainedWrong: 'abstained where there is one',
  citationsVerified: 'citations that verify',
  groundednessByModel: 'claims that their quotes carry, by a model',
  relevanceByModel: 'relevance of answers, by a model',
} as const;

/** Writes one JSON line per case, the answer with it. */
export async function writeAnswerResults(path: string, report: AnswerReport): Promise<void> {
  try {
    await writeFile(path, `${report.results.map((result) => JSON.stringify(result)).join('\n')}\n`);
  } catch (error) {
    throw toFootnoteError(error);
  }
}
