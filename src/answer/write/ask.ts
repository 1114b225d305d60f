// Questions to the answering model. Invariants: it is asked within a share of the request's time, so that the answer
// without a model can still be made; whatever goes wrong is a value with its reason, except that the request itself is over; every
// call of the model, a repair too, is one `call` of the trace with its prompt and all that came back.

import type { z } from 'zod';
import type { ModelBudget } from '../../core/budget.ts';
import type { CallContext } from '../../core/context.ts';
import { createDeadline } from '../../core/deadline.ts';
import { type FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { namedModel } from '../../core/named-model.ts';
import type { Degradation } from '../../core/search.ts';
import type { Patience } from '../../models/language/call-options.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import type { Message } from '../../models/language/messages.ts';
import { modelName } from '../../models/language/model-name.ts';
import { recordedModel } from '../../models/language/recorded-model.ts';
import { streamStructured } from '../../models/language/structured/stream.ts';
import {
  type GivenUpModel,
  generateStructured,
  type Structured,
  toDegradation,
} from '../../models/language/structured/structured.ts';
import { type ModelAnswer, type ModelClaim, modelAnswerSchema, modelClaimSchema, modelLookSchema } from './output.ts';
import type { SentenceReader } from './prose.ts';

export interface ModelPrompt {
  /** Name and version, for the trace: `answer@1`. */
  readonly name: string;
  readonly messages: readonly Message[];
  /** Passages are shown by a sentence each, and may be named to be read. */
  readonly bySummaries?: boolean;
}

export interface AskedModel {
  /** Undefined: `failure` says why, or the caller stopped it. */
  readonly value?: ModelAnswer;
  /** `provider:model` that wrote the value. */
  readonly model?: string;
  /** Without its effect, which is the caller's business. */
  readonly failure?: Omit<Degradation, 'effect'>;
}

export interface ModelAskerOptions {
  readonly model: LanguageModel;
  readonly budget?: ModelBudget;
  readonly context: CallContext;
  readonly maxOutputTokens: number;
  /** How long silence is waited for. Default: as long as models may take. */
  readonly patience?: Patience | undefined;
}

export interface ModelAsker {
  /** Throws only the request's own `cancelled` and `deadline-exceeded`. */
  ask(prompt: ModelPrompt): Promise<AskedModel>;
  /**
   * The same, claim by claim while the model still writes, in its order; `take` returns false when it wants no more, which ends the call.
   * Throws what `take` throws.
   */
  propose(prompt: ModelPrompt, take: (claim: ModelClaim) => Promise<boolean>): Promise<AskedModel>;
  /**
   * Lets it write plain text, each sentence handed on as soon as it is whole; `take` returns false when it wants no more, which ends the call.
   * Throws what `take` throws.
   */
  write(prompt: ModelPrompt, into: WriteInto): Promise<Omit<AskedModel, 'value'>>;
  /** Models of a list that gave way to the next one so far, each once. */
  gaveWay(): readonly Degradation[];
  /** Milliseconds that models may still take. */
  remainingMs(): number;
}

export interface WriteInto {
  readonly maxOutputTokens: number;
  readonly reader: SentenceReader;
  readonly take: (sentence: string) => Promise<boolean>;
  /** Told how many others the model serves before; 0: its turn has come. */
  readonly waits?: (ahead: number) => void;
}

/** What is left for the answer without a model: a fifth of the time, two seconds at most. */
const reserve = { share: 0.2, mostMs: 2_000 };

export const answerModelComponent = 'answer-model';

/** Providers take letters, digits, `_` and `-`. */
const formNameOf = (name: string): string => name.replace(/[^\w-]/gu, '_');

/** What is thrown where something is taken is no failure of the model: it ends the call, and is thrown by `end`. */
function createTaker<Item>(take: (item: Item) => Promise<boolean>) {
  let refused: { readonly thrown: unknown } | undefined;
  return {
    async offer(item: Item): Promise<boolean> {
      try {
        return await take(item);
      } catch (thrown) {
        refused = { thrown };
        return false;
      }
    },
    end(): void {
      if (refused) throw refused.thrown;
    },
  };
}

export function createModelAsker({ model, budget, context, maxOutputTokens, patience }: ModelAskerOptions): ModelAsker {
  const { deadline, clock } = context;
  const allowedMs = deadline.remainingMs() - Math.min(reserve.mostMs, deadline.remainingMs() * reserve.share);
  const share = createDeadline(allowedMs, deadline.signal, clock);
  const given = new Map<string, Degradation>();
  const call = { deadline: share, signal: share.signal, ...(budget && { budget }), ...(patience && { patience }) };
  const requestOf = ({ name, messages, bySummaries }: ModelPrompt) => ({
    name: formNameOf(name),
    messages,
    maxOutputTokens,
    schema: (bySummaries ? modelLookSchema : modelAnswerSchema) as z.ZodType<ModelAnswer>,
    gaveWay({ model: name, code, detail }: GivenUpModel) {
      given.set(`${name} ${code}`, {
        component: answerModelComponent,
        code,
        detail: namedModel(name, detail),
        effect: 'The next model of the list was asked.',
      });
    },
  });
  const recorded = ({ name }: ModelPrompt): LanguageModel =>
    recordedModel(model, { port: 'answer.model', prompt: name }, context);
  const settle = (asked: Structured<ModelAnswer>): AskedModel => {
    if (asked.ok) return { value: asked.value, model: asked.model };
    const { component, code, detail } = toDegradation(asked.failure, answerModelComponent, '');
    return { failure: { component, code, detail } };
  };
  /** The model that failed, where it is known; else the one that is asked first. */
  const nameOf = ({ details }: FootnoteError): unknown => details['model'] ?? modelName(model);
  const fail = (thrown: unknown, before = 0): AskedModel => {
    const error = toFootnoteError(thrown);
    const isLate = share.isOver();
    const code = isLate ? 'deadline-exceeded' : error.code;
    const others = before > 0 ? ` It serves one after another, and ${before} were before this question.` : '';
    const detail = isLate ? `The model did not answer within its share of the time.${others}` : error.message;
    // The request is over, or only the model's share of it.
    deadline.check();
    return { failure: { component: answerModelComponent, code, detail: namedModel(nameOf(error), detail) } };
  };

  return {
    gaveWay: () => [...given.values()],
    remainingMs: () => share.remainingMs(),
    async ask(prompt) {
      deadline.check();
      try {
        return settle(await generateStructured(recorded(prompt), requestOf(prompt), call));
      } catch (thrown) {
        return fail(thrown);
      }
    },
    async propose(prompt, take) {
      deadline.check();
      const taker = createTaker(take);
      let asked: Structured<ModelAnswer> | undefined;
      try {
        const list = { list: 'claims', itemSchema: modelClaimSchema as z.ZodType<ModelClaim> };
        for await (const part of streamStructured(recorded(prompt), { ...requestOf(prompt), ...list }, call)) {
          if (part.type === 'end') asked = part.outcome;
          else if (!(await taker.offer(part.item))) break;
        }
      } catch (thrown) {
        return fail(thrown);
      }
      const outcome = asked ? settle(asked) : {};
      taker.end();
      return outcome;
    },
    async write(prompt, { maxOutputTokens: most, reader, take, waits }) {
      deadline.check();
      const taker = createTaker(take);
      let served: string | undefined;
      let before = 0;
      const told = (ahead: number): void => {
        before = Math.max(before, ahead);
        waits?.(ahead);
      };
      try {
        const request = { messages: prompt.messages, maxOutputTokens: Math.min(most, maxOutputTokens) };
        for await (const part of recorded(prompt).stream(request, { ...call, waits: told })) {
          if (part.type === 'end') served = part.result.model;
          let isWanted = true;
          for (const sentence of part.type === 'end' ? reader.end() : reader.push(part.text)) {
            isWanted = await taker.offer(sentence);
            if (!isWanted) break;
          }
          if (!isWanted) break;
        }
      } catch (thrown) {
        return fail(thrown, before);
      }
      taker.end();
      return served === undefined ? {} : { model: served };
    },
  };
}
