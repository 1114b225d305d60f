// One model for a role out of a list of them: retries with backoff and jitter inside the deadline, Retry-After, fallback to the
// next provider, a circuit for each, and a budget that stops before the call. Invariant: what was shown is never taken back —
// once a stream has said a word there is no second try. Backoff: "full jitter" of Brooker, "Exponential Backoff And Jitter" (AWS, 2015).
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { startAttempt } from './attempt-clock.ts';
import type { Circuit } from './circuit.ts';
import {
  type CallOptions,
  type GenerateRequest,
  type GenerateResult,
  type LanguageModel,
  type ModelAttempt,
  modelName,
  type StreamPart,
} from './language-model.ts';
import type { Spending } from './model-budget.ts';
import { countPromptTokens } from './model-usage.ts';
import { costOf, type Prices } from './prices.ts';
import { tokenizerOf } from './tokenizer-of.ts';

export interface Candidate {
  /** Makes one attempt for each call. */
  readonly model: LanguageModel;
  /** Shared by all chains that hold this model. */
  readonly circuit: Circuit;
}

export interface ModelChainOptions {
  readonly prices: Prices;
  /** Rounds through the list; one attempt for each model in each. */
  readonly rounds?: number;
  /** First pause between rounds; it doubles, up to `longestPauseMs`, and what is waited is drawn below it. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  /** 0 <= x < 1. */
  readonly random: () => number;
  /** Resolves after so long, or rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly elapsedMs: () => number;
}

/** Timers may fire a little before their time by the monotonic clock. */
const timerErrorMs = 5;

/** Failures of the service, which count against its circuit. */
const outages: ReadonlySet<string> = new Set(['upstream-unavailable', 'upstream-invalid', 'rate-limited']);
/** Failures that another model may not have. */
const movesOn: ReadonlySet<string> = new Set([...outages, 'config-invalid', 'quota-exceeded', 'too-large']);

const retryAfterOf = (error: FootnoteError): number => {
  const told = error.details['retryAfterMs'];
  return typeof told === 'number' && told > 0 ? told : 0;
};

/** `inputTokens` of our count as the model itself may count them: more where its tokenizer is another one. */
async function mostInputTokens(
  { provider, id }: LanguageModel,
  request: GenerateRequest,
  inputTokens: number,
): Promise<number> {
  const tokenizer = await tokenizerOf(provider, id);
  // Counted anew only where it comes out otherwise: counting a long prompt takes milliseconds.
  const counted =
    tokenizer.name === 'cl100k_base' ? countPromptTokens(request, (text) => tokenizer.count(text)) : inputTokens;
  // The longest message holds the passages, whose script decides.
  const [sample = ''] = request.messages.map(({ content }) => content).sort((a, b) => b.length - a.length);
  return Math.ceil(counted * tokenizer.margin(sample));
}

/** Total of what was charged, if every part of it has a price. */
const sum = (parts: readonly (number | undefined)[]): number | undefined => {
  let total = 0;
  for (const part of parts) {
    if (part === undefined) return undefined;
    total += part;
  }
  return total;
};

/**
 * The first of `candidates` that serves. Throws the failure of the first model when all have failed, with `details.attempts`;
 * `quota-exceeded` and `config-invalid` of the budget at once, unsent. `candidates` must not be empty.
 */
export function createModelChain(candidates: readonly Candidate[], options: ModelChainOptions): LanguageModel {
  const { prices, rounds = 3, firstPauseMs = 250, longestPauseMs = 4000, random, wait, elapsedMs } = options;
  const first = candidates[0];
  if (!first) throw new FootnoteError('internal', 'A chain of models needs at least one model.');

  /** Tries the list; each attempt yields parts of which the first `delta` commits. */
  async function* run(
    request: GenerateRequest,
    call: CallOptions,
    attempt: (model: LanguageModel, options: CallOptions) => AsyncIterable<StreamPart>,
  ): AsyncGenerator<StreamPart, void, void> {
    const attempts: ModelAttempt[] = [];
    const costs: (number | undefined)[] = [];
    const failures = new Map<Candidate, FootnoteError>();
    const dueAtMs = new Map<Candidate, number>();
    const inputTokens = countPromptTokens(request);
    const check = (): void => {
      if (call.signal?.aborted)
        throw new FootnoteError('cancelled', 'The call of a model was cancelled.', { cause: call.signal.reason });
      call.deadline.check();
    };
    let alive = [...candidates];

    for (let round = 0; round < rounds && alive.length > 0; round++) {
      if (round > 0) {
        const pauseMs = random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (round - 1));
        const toldMs = Math.min(...alive.map((candidate) => (dueAtMs.get(candidate) ?? 0) - elapsedMs()));
        const waitMs = Math.max(pauseMs, toldMs);
        // Waiting past the deadline would turn a known failure into `deadline-exceeded`.
        if (waitMs >= call.deadline.remainingMs()) break;
        await wait(waitMs, AbortSignal.any([call.deadline.signal, ...(call.signal ? [call.signal] : [])])).catch(check);
      }
      for (const candidate of alive.filter((one) => (dueAtMs.get(one) ?? 0) <= elapsedMs() + timerErrorMs)) {
        check();
        const { model, circuit } = candidate;
        const name = modelName(model);
        const closedForMs = circuit.enter();
        if (closedForMs > 0) {
          failures.set(candidate, resting(name, closedForMs));
          alive = alive.filter((one) => one !== candidate);
          attempts.push({ model: name, code: 'upstream-unavailable', latencyMs: 0 });
          continue;
        }
        const others = alive.slice(alive.indexOf(candidate) + 1).length;
        const clock = startAttempt(
          call.deadline,
          others > 0 ? call.deadline.remainingMs() / (others + 1) : undefined,
          call.signal,
        );
        const price = prices.of(name);
        let reservation: { settle(actual: Spending): void } | undefined;
        try {
          if (call.budget) {
            const most = {
              inputTokens: await mostInputTokens(model, request, inputTokens),
              outputTokens: request.maxOutputTokens,
            };
            reservation = call.budget.reserve(
              { calls: 1, ...most, costUsd: price && costOf(price, most) },
              { model: name },
            );
          }
        } catch (error) {
          circuit.undecided();
          clock.stop();
          throw error;
        }
        const startedAt = elapsedMs();
        let said = '';
        let isSettled = false;
        const settle = (tokens: { inputTokens: number; outputTokens: number; cachedInputTokens?: number }): void => {
          if (isSettled) return;
          isSettled = true;
          const isFree = tokens.inputTokens + tokens.outputTokens === 0;
          const costUsd = isFree ? 0 : price && costOf(price, tokens);
          costs.push(costUsd);
          reservation?.settle({
            calls: 1,
            inputTokens: tokens.inputTokens,
            outputTokens: tokens.outputTokens,
            costUsd,
          });
        };
        try {
          for await (const part of attempt(model, { deadline: clock.deadline })) {
            if (part.type === 'delta') {
              clock.begun();
              said += part.text;
              yield part;
              continue;
            }
            circuit.succeeded();
            settle(part.result.usage);
            attempts.push({ model: name, latencyMs: elapsedMs() - startedAt });
            const costUsd = sum(costs);
            yield { type: 'end', result: { ...part.result, attempts, ...(costUsd === undefined ? {} : { costUsd }) } };
            return;
          }
          throw new FootnoteError('upstream-invalid', `${name} ended its stream without an end.`);
        } catch (thrown) {
          const error = clock.isOver() ? tooSlow(name, elapsedMs() - startedAt) : toFootnoteError(thrown);
          attempts.push({ model: name, code: error.code, latencyMs: elapsedMs() - startedAt });
          if (outages.has(error.code)) circuit.failed();
          else circuit.undecided();
          // Refused requests are free; one that was cut or left is billed for what the provider had read and written by then.
          const isBilled =
            said !== '' || error.code === 'cancelled' || error.code === 'deadline-exceeded' || clock.isOver();
          settle({ inputTokens: isBilled ? inputTokens : 0, outputTokens: countPromptTokens(said) });
          if (said !== '' || !movesOn.has(error.code)) throw error;
          failures.set(candidate, error);
          dueAtMs.set(candidate, elapsedMs() + retryAfterOf(error));
          const isWorthMore = outages.has(error.code) && error.details['isFinal'] !== true;
          if (!isWorthMore) alive = alive.filter((one) => one !== candidate);
        } finally {
          clock.stop();
          // The reader left the loop: nothing was thrown, and what was said is billed.
          if (!isSettled) {
            circuit.undecided();
            settle({ inputTokens, outputTokens: countPromptTokens(said) });
          }
        }
      }
    }
    throw allFailed([...failures.values()], attempts);
  }

  return {
    id: first.model.id,
    provider: first.model.provider,
    ...(first.model.contextTokens === undefined ? {} : { contextTokens: first.model.contextTokens }),
    async generate(request, call) {
      const whole = async function* (model: LanguageModel, options: CallOptions): AsyncIterable<StreamPart> {
        yield { type: 'end', result: await model.generate(request, options) };
      };
      let result: GenerateResult | undefined;
      for await (const part of run(request, call, whole)) if (part.type === 'end') result = part.result;
      if (!result) throw new FootnoteError('internal', 'A chain of models ended without a result.');
      return result;
    },
    stream: (request, call) => run(request, call, (model, options) => model.stream(request, options)),
  };
}

function resting(name: string, leftMs: number): FootnoteError {
  return new FootnoteError(
    'upstream-unavailable',
    `${name} failed several times in a row and is left alone for another ${Math.ceil(leftMs / 1000)} s.`,
    { details: { model: name, retryAfterMs: leftMs } },
  );
}

function tooSlow(name: string, tookMs: number): FootnoteError {
  return new FootnoteError(
    'upstream-unavailable',
    `${name} did not begin to answer in ${Math.round(tookMs)} ms, its share of the time; the next model of the list is asked.`,
    { details: { model: name } },
  );
}

/** The failure of the model that was asked for, told with all the others. */
function allFailed(failures: readonly FootnoteError[], attempts: readonly ModelAttempt[]): FootnoteError {
  const first = failures[0] ?? new FootnoteError('upstream-unavailable', 'No model could be asked.');
  const others = failures.slice(1).map((error) => error.message);
  const tries = attempts.length > 1 ? ` ${attempts.length} attempts were made.` : '';
  const message = `${[first.message, ...others].join(' Then: ')}${tries}`;
  return new FootnoteError(first.code, message, { details: { ...first.details, attempts }, cause: first });
}
