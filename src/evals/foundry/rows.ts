// Rows of Azure AI Foundry's evaluators: an answer as they read it, and what they say of it, field by field as the vendor documents them
// (RAG and general-purpose evaluators: query, response, context, ground_truth in; score 1 to 5, label, reason, threshold, passed out).
// Invariant: a result that is not of that form, or out of its scale, is a failure and never a score.
import { z } from 'zod';
import type { Judgement, JudgeName } from '../judges/judge.ts';
import type { JudgedAnswer } from '../judges/judged-answer.ts';

export interface FoundryRow {
  /** Place in the batch, as text: results are told apart by it. */
  readonly row: string;
  readonly query: string;
  readonly response: string;
  readonly context?: string;
  readonly ground_truth?: string;
}
type Field = Exclude<keyof FoundryRow, 'row'>;

export interface Evaluator {
  /** Of the criterion, and of the metric that it returns. */
  readonly name: string;
  readonly judge: JudgeName;
  readonly reads: readonly Field[];
}

/** Those that answers with quotes can be judged by; in the vendor's catalogue each is `builtin.<name>`. */
export const evaluators: readonly Evaluator[] = [
  { name: 'groundedness', judge: 'groundedness', reads: ['query', 'context', 'response'] },
  { name: 'relevance', judge: 'relevance', reads: ['query', 'response'] },
  { name: 'coherence', judge: 'coherence', reads: ['query', 'response'] },
  { name: 'retrieval', judge: 'context-precision', reads: ['query', 'context'] },
  { name: 'response_completeness', judge: 'completeness', reads: ['ground_truth', 'response'] },
];

/** Of the vendor's scale, 1 to 5. */
const passesFrom = 3;
const toShare = (score: number): number => (score - 1) / 4;
/** The same of ours. */
export const foundryThreshold = toShare(passesFrom);

/** Documents can be long, and the evaluators' models are paid by the token: what is read first is what the answer stands on. */
const mostContext = 60_000;
const mostText = 20_000;

export function toRow({ question, answer, context, expected }: JudgedAnswer, place: number): FoundryRow {
  const quotes = answer.citations.map(({ quote }) => quote);
  const texts = context.length > 0 ? context.map(({ text }) => text) : quotes;
  const [truth] = expected?.answers ?? [];
  const read = texts.join('\n\n').slice(0, mostContext);
  return {
    row: String(place),
    query: question.slice(0, mostText),
    response: answer.claims
      .map(({ text }) => text)
      .join(' ')
      .slice(0, mostText),
    ...(read.trim() !== '' && { context: read }),
    ...(truth !== undefined && { ground_truth: truth.slice(0, mostText) }),
  };
}

/** Evaluators that have what they read. */
export const evaluatorsOf = (row: FoundryRow): readonly Evaluator[] =>
  evaluators.filter(({ reads }) => reads.every((field) => row[field] !== undefined));

/** What an evaluation is created with. `deployment`: the model deployment that the evaluators ask. */
export function toDefinition(chosen: readonly Evaluator[], deployment: string): unknown {
  const fields = [...new Set(chosen.flatMap(({ reads }) => reads))];
  const properties = Object.fromEntries(['row', ...fields].map((field) => [field, { type: 'string' }]));
  return {
    name: `footnote: ${chosen.map(({ name }) => name).join(', ')}`,
    data_source_config: {
      type: 'custom',
      item_schema: { type: 'object', properties, required: ['row', ...fields] },
      include_sample_schema: false,
    },
    testing_criteria: chosen.map(({ name, reads }) => ({
      type: 'azure_ai_evaluator',
      name,
      evaluator_name: `builtin.${name}`,
      initialization_parameters: { deployment_name: deployment },
      data_mapping: Object.fromEntries(reads.map((field) => [field, `{{item.${field}}}`])),
    })),
  };
}

export const toRun = (rows: readonly FoundryRow[]): unknown => ({
  name: 'footnote',
  data_source: {
    type: 'jsonl',
    source: { type: 'file_content', content: rows.map((item) => ({ item })) },
  },
});

const resultSchema = z.looseObject({
  name: z.string(),
  metric: z.string().nullish(),
  score: z.number().min(1).max(5),
  passed: z.boolean().nullish(),
  label: z.string().nullish(),
  threshold: z.number().nullish(),
  reason: z.string().nullish(),
});
export const outputItemSchema = z.looseObject({
  datasource_item_id: z.union([z.int(), z.string()]).nullish(),
  datasource_item: z.looseObject({ row: z.string().nullish() }).nullish().catch(undefined),
  results: z.array(z.unknown()).nullish(),
});

const longestReason = 400;
const toReason = (told: string): string =>
  told
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, longestReason);

/** Which row an item is of; undefined where it does not say. */
export function placeOf({ datasource_item, datasource_item_id }: z.infer<typeof outputItemSchema>): number | undefined {
  const told = datasource_item?.row ?? datasource_item_id;
  const place = told === null || told === undefined || told === '' ? Number.NaN : Number(told);
  return Number.isInteger(place) && place >= 0 ? place : undefined;
}

/** What one evaluator says of a row; undefined where it says nothing that can be read. */
export function judgementOf({ name }: Evaluator, results: readonly unknown[]): Judgement | undefined {
  const mine = results.flatMap((result) => {
    const parsed = resultSchema.safeParse(result);
    if (!parsed.success) return [];
    return (parsed.data.metric ?? parsed.data.name).toLowerCase() === name ? [parsed.data] : [];
  });
  const [found] = mine;
  if (!found || mine.length > 1) return undefined;
  const { score, passed, label, threshold, reason } = found;
  const isPassed = passed ?? (label ? label.toLowerCase() === 'pass' : score >= (threshold ?? passesFrom));
  return {
    score: toShare(score),
    passed: isPassed,
    reason: toReason(reason ?? '') || `It has ${score} of 5.`,
  };
}
