// A question to a model whose answer is a value: schema in, checked value out. Invariants: no value passes that the schema refuses;
// a model that stands before others in a list gives way to the next, and the last one sees its mistake once, not twice; every way to
// fail is a typed result, so that callers serve their deterministic twin.
import { z } from 'zod';
import { type FootnoteError, toFootnoteError } from '../../../core/errors.ts';
import { namedModel } from '../../../core/named-model.ts';
import type { Degradation } from '../../../core/search.ts';
import type { CallOptions } from '../call-options.ts';
import type { GenerateRequest, GenerateResult, ModelAttempt, ModelUsage } from '../generation.ts';
import type { LanguageModel } from '../language-model.ts';
import type { Message } from '../messages.ts';
import { findJson } from './json.ts';

/**
 * `refused`, `filtered`: by the model, by the provider. `cut`: at the limit or in the middle. `empty`, `not-json`, `wrong-shape`:
 * what was written. `unavailable`: the call failed; `error` says how.
 */
export type StructuredReason = 'refused' | 'filtered' | 'cut' | 'empty' | 'not-json' | 'wrong-shape' | 'unavailable';

export interface StructuredFailure {
  readonly reason: StructuredReason;
  /** One sentence without anything that the model wrote. */
  readonly detail: string;
  /** `provider:model`, of an answer of no use; of a failed call the error tells it. */
  readonly model?: string;
  readonly error?: FootnoteError;
}

export interface StructuredSpending {
  readonly usage: ModelUsage;
  /** US dollars of both tries; absent where no price is known. */
  readonly costUsd?: number;
  readonly attempts: readonly ModelAttempt[];
  /** What the model wrote, in order: for traces. */
  readonly texts: readonly string[];
}

export type Structured<Value> =
  | ({
      readonly ok: true;
      readonly value: Value;
      readonly wasRepaired: boolean;
      readonly model: string;
    } & StructuredSpending)
  | ({ readonly ok: false; readonly failure: StructuredFailure } & StructuredSpending);

export interface StructuredRequest<Value> extends Omit<GenerateRequest, 'json'> {
  /** Letters, digits, `_` and `-`: shown to the model. */
  readonly name: string;
  readonly schema: z.ZodType<Value>;
  /** Asked before a repair, and before another model is asked; always where absent. */
  readonly canRepair?: () => boolean;
  /** Told of each model of a list whose answer was of no use, so that the next was asked. */
  readonly gaveWay?: (model: GivenUpModel) => void;
}

export interface GivenUpModel {
  /** `provider:model`. */
  readonly model: string;
  /** As in `degraded`. */
  readonly code: string;
  readonly detail: string;
}

const mostIssues = 8;

/** Throws only `cancelled`, `deadline-exceeded` and `internal`; all else is a failure that the caller degrades by. */
export async function generateStructured<Value>(
  model: LanguageModel,
  request: StructuredRequest<Value>,
  options: CallOptions,
): Promise<Structured<Value>> {
  const { name, schema, canRepair = () => true, gaveWay, messages, ...limits } = request;
  const json = { name, schema: toJsonSchema(schema) };
  const spending = createSpending();
  let asked: readonly Message[] = messages;
  let serving = model;
  /** The next of the list, where nothing was shown of what this one said. */
  const giveWay = (served: unknown, failure: StructuredFailure): boolean => {
    const next = typeof served === 'string' && canRepair() ? serving.after?.(served) : undefined;
    if (!next || typeof served !== 'string') return false;
    const { code, detail } = toDegradation(failure, '', '');
    gaveWay?.({ model: served, code, detail });
    serving = next;
    asked = messages;
    return true;
  };
  for (let turn = 0; ; turn++) {
    let result: GenerateResult;
    try {
      result = await serving.generate({ ...limits, messages: asked, json }, options);
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      if (['cancelled', 'deadline-exceeded', 'internal'].includes(error.code)) throw error;
      const failure = { reason: 'unavailable', detail: error.message, error } as const;
      // Otherwise the list itself asked all of them.
      if (error.details['brokeOff'] === true && giveWay(error.details['model'], failure)) {
        turn = -1;
        continue;
      }
      return { ok: false, failure, ...spending.total() };
    }
    const read = readValue(result, schema);
    const failure = read.ok ? undefined : { ...read.failure, model: result.model };
    if (failure && giveWay(result.model, failure)) {
      spending.add(refusedBy(result, toDegradation(failure, '', '').code));
      turn = -1;
      continue;
    }
    spending.add(result);
    if (read.ok)
      return { ok: true, value: read.value, wasRepaired: turn > 0, model: result.model, ...spending.total() };
    if (turn > 0 || !isRepairable(read.failure.reason) || !canRepair())
      return { ok: false, failure: { ...read.failure, model: result.model }, ...spending.total() };
    asked = [
      ...messages,
      // An empty turn of the assistant is refused by some providers.
      { role: 'assistant', content: clip(result.text) || '(no answer)' },
      { role: 'user', content: repairPrompt(read.failure, read.issues) },
    ];
  }
}

/** What `degraded` says when the deterministic twin of a step served instead. */
export function toDegradation(failure: StructuredFailure, component: string, effect: string): Degradation {
  const { reason, error, detail, model = error?.details['model'] } = failure;
  return { component, code: error?.code ?? `model-${reason}`, detail: namedModel(model, detail), effect };
}

/** Its attempts as those of a model that did not serve. */
const refusedBy = (result: GenerateResult, code: string): GenerateResult => ({
  ...result,
  attempts: result.attempts.map((attempt) => (attempt.code === undefined ? { ...attempt, code } : attempt)),
});

type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: StructuredFailure; readonly issues: readonly string[] };

function readValue<Value>({ text, finish }: GenerateResult, schema: z.ZodType<Value>): Read<Value> {
  const fail = (reason: StructuredReason, detail: string, issues: readonly string[] = []): Read<never> => ({
    ok: false,
    failure: { reason, detail },
    issues,
  });
  if (finish === 'refusal') return fail('refused', 'The model declined to answer.');
  if (finish === 'content-filter') return fail('filtered', 'The provider withheld the answer of the model.');
  const found = findJson(text);
  if (!found.ok) {
    if (finish === 'length' || found.why === 'cut')
      return fail('cut', 'The answer of the model was cut off before its end.');
    if (found.why === 'empty') return fail('empty', 'The model answered with nothing.');
    return fail('not-json', `The model did not answer with JSON: ${found.detail}.`, [found.detail]);
  }
  const parsed = schema.safeParse(found.value);
  if (!parsed.success) {
    const issues = parsed.error.issues
      .slice(0, mostIssues)
      .map(({ path, message }) => `${path.map(String).join('.') || 'value'}: ${message}`);
    return fail(
      'wrong-shape',
      `The answer of the model has another form than asked for (${parsed.error.issues.length} mistakes).`,
      issues,
    );
  }
  return { ok: true, value: parsed.data };
}

const isRepairable = (reason: StructuredReason): boolean => reason !== 'refused' && reason !== 'filtered';

function repairPrompt({ reason }: StructuredFailure, issues: readonly string[]): string {
  const wrong = {
    cut: 'Your answer was cut off. Answer again, shorter.',
    empty: 'Your answer was empty.',
    'not-json': 'Your answer was not one JSON value.',
    'wrong-shape': 'Your answer does not meet the schema:',
  }[reason as 'cut' | 'empty' | 'not-json' | 'wrong-shape'];
  return [
    wrong,
    ...issues.map((issue) => `- ${issue}`),
    'Answer with the corrected JSON alone: no fence, no other words.',
  ].join('\n');
}

/** A wrong answer is shown again as far as it helps; a flood of text would only cost. */
const clip = (text: string): string => (text.length <= 4000 ? text : `${text.slice(0, 4000).toWellFormed()}…`);

const schemas = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

/** JSON Schema (2020-12) of a zod schema, made once. */
function toJsonSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const known = schemas.get(schema);
  if (known) return known;
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>;
  schemas.set(schema, made);
  return made;
}

function createSpending() {
  const results: GenerateResult[] = [];
  const sum = (count: (result: GenerateResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  return {
    add: (result: GenerateResult) => void results.push(result),
    total(): StructuredSpending {
      const isPriced = results.length > 0 && results.every(({ costUsd }) => costUsd !== undefined);
      return {
        usage: {
          inputTokens: sum(({ usage }) => usage.inputTokens),
          outputTokens: sum(({ usage }) => usage.outputTokens),
          cachedInputTokens: sum(({ usage }) => usage.cachedInputTokens),
          reasoningTokens: sum(({ usage }) => usage.reasoningTokens),
          isEstimated: results.some(({ usage }) => usage.isEstimated),
        },
        ...(isPriced ? { costUsd: sum(({ costUsd }) => costUsd ?? 0) } : {}),
        attempts: results.flatMap(({ attempts }) => attempts),
        texts: results.map(({ text }) => text),
      };
    },
  };
}
