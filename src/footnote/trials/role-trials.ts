// One tiny call of each role's model, of the kind that the role makes: a list that streams, a value of a schema, an order of two texts. Invariants:
// each trial ends in a result or in its reason, never in the place of another's; nothing is called but what is configured and used.

import { z } from 'zod';
import { chanceRequest, chancesOf } from '../../answer/judge/chance-judge.ts';
import { type AnswerForm, isAskedForProse } from '../../answer/write/form.ts';
import type { Config } from '../../config.ts';
import type { ModelBudget } from '../../core/budget.ts';
import { createDeadline } from '../../core/deadline.ts';
import { type ErrorCode, FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import { defined } from '../../core/values/defined.ts';
import type { CallOptions } from '../../models/language/call-options.ts';
import { givesChances, type ModelAttempt } from '../../models/language/generation.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { streamStructured } from '../../models/language/structured/stream.ts';
import { generateStructured, type Structured } from '../../models/language/structured/structured.ts';
import type { OpenedModels } from '../../models/open-models.ts';
import { createLanguageReranker } from '../../models/rerank/rerank-by-language-model.ts';
import type { RerankModel } from '../../models/rerank/rerank-model.ts';
import type { LanguageRole, ModelReference, ResolvedRole } from '../../models/roles.ts';
import type { RoleRow } from '../roles/role-table.ts';
import type { RoleTrial, TrialOutcome } from '../roles/role-trial.ts';

export type TrialReport = {
  readonly role: string;
  readonly model: string;
  readonly latencyMs: number;
} & (
  | ({ readonly ok: true } & TrialOutcome)
  | { readonly ok: false; readonly code: ErrorCode; readonly reason: string }
);

/** One after the other, in their order; throws only `cancelled`. */
export async function runTrials(
  trials: readonly RoleTrial[],
  { clock, onStart }: { readonly clock: Clock; readonly onStart?: (trial: RoleTrial) => void },
  signal?: AbortSignal,
): Promise<readonly TrialReport[]> {
  const reports: TrialReport[] = [];
  for (const trial of trials) {
    const { role, model } = trial;
    onStart?.(trial);
    const startedAt = clock.elapsedMs();
    const took = (): number => clock.elapsedMs() - startedAt;
    try {
      const outcome = await trial.run(signal);
      reports.push({ role, model, latencyMs: took(), ok: true, ...outcome });
    } catch (thrown) {
      if (signal?.aborted) throw toFootnoteError(signal.reason);
      const { code, message } = toFootnoteError(thrown);
      reports.push({ role, model, latencyMs: took(), ok: false, code, reason: message });
    }
  }
  return reports;
}

/** Those of one role (of all intents for `answer`). Throws `invalid-request` for a role that there is none of. */
export function pickTrials<T extends { readonly role: string }>(all: readonly T[], role: string): readonly T[] {
  const picked = all.filter((one) => one.role === role || one.role.startsWith(`${role} (`));
  if (picked.length === 0)
    throw new FootnoteError(
      'invalid-request',
      `There is no role "${role}". The roles are ${[...new Set(all.map((one) => one.role.replace(/ \(.*/u, '')))].join(', ')}.`,
    );
  return picked;
}

export interface LanguageTrialOptions {
  readonly opened: OpenedModels;
  /** Pays for all of them. */
  readonly budget?: ModelBudget;
  /** Of `roleTable`: what is off or unused there is not tried. */
  readonly rows: readonly RoleRow[];
  readonly timeoutMs: Config['requestTimeoutMs'];
  readonly answerForm: AnswerForm;
  /** Asks the provider for the size of a model. */
  readonly toldContextTokens?: (reference: ModelReference, signal?: AbortSignal) => Promise<number | undefined>;
}

/** Trials of all roles that a language model has. */
export function languageTrials(options: LanguageTrialOptions): RoleTrial[] {
  const { opened, rows, timeoutMs, toldContextTokens, budget, answerForm } = options;
  const { resolved, models } = opened;
  return rows.flatMap((row): RoleTrial[] => {
    if (row.unused || row.models.length === 0) return [];
    const intent = /^answer \((\w+)\)$/u.exec(row.role)?.[1] as keyof typeof resolved.intents | undefined;
    const resolution: ResolvedRole | undefined = intent
      ? resolved.intents[intent]
      : resolved.roles[row.role as LanguageRole];
    const model = intent
      ? models.answering(intent)
      : row.role === 'embed'
        ? undefined
        : models.of(row.role as LanguageRole);
    const first = resolution?.models[0];
    if (!model || !first) return [];
    return [
      {
        role: row.role,
        model: row.models.map((one) => one.model).join(', '),
        async run(signal) {
          const isProse = isAskedForProse(answerForm, first) && row.role.startsWith('answer');
          const isWeighed = row.role === 'judge' && givesChances(first);
          const call = isProse ? tryText : isWeighed ? tryChances : callOf(row.role);
          const tried = await call(model, toCall(timeoutMs, budget, signal));
          const isFirst = tried.served === `${first.provider}:${first.model}`;
          const told = isFirst ? await toldContextTokens?.(first, signal) : undefined;
          const notes = [...failuresOf(tried.attempts ?? []), ...sizeNotes(first, told, row.models[0]?.contextTokens)];
          return {
            ...tried,
            ...(told !== undefined && { toldContextTokens: told }),
            ...(notes.length > 0 && { notes }),
          };
        },
      },
    ];
  });
}

/** `budget` absent: nothing is limited. */
export const toCall = (timeoutMs: number, budget?: ModelBudget, signal?: AbortSignal): CallOptions => ({
  deadline: createDeadline(timeoutMs, signal),
  ...(budget && { budget }),
});

/** What the rerank role does, on two texts of which the second answers. */
export async function tryReranker(model: RerankModel, call: CallOptions): Promise<TrialOutcome> {
  const {
    ranking,
    model: served,
    usage,
    costUsd,
    attempts,
  } = await model.rerank(
    { query: 'How tall is the lighthouse?', texts: ['The harbour opens at six.', 'The lighthouse is 43 metres tall.'] },
    call,
  );
  const order = ranking.map(({ index }) => index + 1).join(', ');
  const isRight = ranking[0]?.index === 1;
  return defined({
    served,
    detail: `ordered two texts (${order})`,
    ...(usage && { usage }),
    costUsd,
    attempts,
    ...(!isRight && { notes: ['It put the text that does not answer before the one that does: expect little of it.'] }),
  });
}

type Call = (model: LanguageModel, call: CallOptions) => Promise<TrialOutcome>;

const callOf = (role: string): Call => {
  if (role === 'rerank') return (model, call) => tryReranker(createLanguageReranker(model), call);
  return role.startsWith('answer') ? tryList : tryValue;
};

/** Models that think before they write need room for it. */
const roomTokens = 512;

/** What claims come as: a list that streams. */
const tryList: Call = async (model, call) => {
  const asked = {
    name: 'readiness',
    list: 'words',
    itemSchema: z.string(),
    schema: z.strictObject({ words: z.array(z.string()) }),
    messages: [{ role: 'user' as const, content: 'Answer in JSON: {"words": ["ready"]}' }],
    maxOutputTokens: roomTokens,
  };
  for await (const part of streamStructured(model, asked, call))
    if (part.type === 'end') return toOutcome(part.outcome, 'streamed a value of the schema');
  throw new FootnoteError('upstream-invalid', 'The stream of the model ended without its end.');
};

/** What plain sentences come as. */
const tryText: Call = async (model, call) => {
  const messages = [{ role: 'user' as const, content: 'Say in one short sentence that you are ready.' }];
  const {
    text,
    model: served,
    usage,
    costUsd,
    attempts,
  } = await model.generate({ messages, maxOutputTokens: 40 }, call);
  if (text.trim() === '') throw new FootnoteError('upstream-invalid', 'The model wrote nothing. Name another model.');
  return defined({ served, detail: 'wrote a sentence', usage, costUsd, attempts });
};

/** What claims are judged by. */
const tryChances: Call = async (model, call) => {
  const text = 'The harbour opens at six.';
  const claim = { text, quotes: [{ title: 'The harbour', before: '', quote: text, after: '' }] };
  const {
    text: said,
    model: served,
    usage,
    costUsd,
    attempts,
  } = await model.generate(chanceRequest(model, claim), call);
  const { entailment, Yes: yes = entailment } = chancesOf(said);
  return defined({ served, detail: `gave a chance of ${yes} to what its passage says`, usage, costUsd, attempts });
};

const tryValue: Call = async (model, call) => {
  const asked = await generateStructured(
    model,
    {
      name: 'readiness',
      schema: z.strictObject({ ready: z.boolean() }),
      messages: [{ role: 'user', content: 'Answer in JSON: {"ready": true}' }],
      maxOutputTokens: roomTokens,
    },
    call,
  );
  return toOutcome(asked, 'returned a value of the schema');
};

const cannotServe = (why: string): FootnoteError =>
  new FootnoteError('upstream-invalid', `${why} Its role needs JSON of a schema: name another model.`);

function toOutcome(asked: Structured<unknown>, detail: string): TrialOutcome {
  if (!asked.ok) throw asked.failure.error ?? cannotServe(asked.failure.detail);
  const { model: served, usage, costUsd, attempts, wasRepaired } = asked;
  return defined({ served, detail: wasRepaired ? `${detail}, at the second try` : detail, usage, costUsd, attempts });
}

const failuresOf = (attempts: readonly ModelAttempt[]): string[] =>
  attempts.flatMap(({ model, code }) => (code === undefined ? [] : [`${model} failed before (${code}).`]));

function sizeNotes(
  { provider, model }: ModelReference,
  told: number | undefined,
  configured: number | undefined,
): string[] {
  if (told === undefined || told === configured) return [];
  const name = `${provider}:${model}`;
  if (configured === undefined)
    return [`Its provider says that it takes ${told} tokens: add "${name} = ${told}" to MODEL_CONTEXT_TOKENS.`];
  return configured > told
    ? [`MODEL_CONTEXT_TOKENS says ${configured} tokens, its provider ${told}: longer prompts will be refused.`]
    : [];
}
