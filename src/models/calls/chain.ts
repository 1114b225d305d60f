// One model for a role out of a list of them: attempts at each (attempts.ts), the next where one fails, and a budget that stops before
// the call. Invariant: what was shown is never taken back — once a stream has said a word there is no second try.
import { FootnoteError } from '../../core/errors.ts';
import type { CallOptions } from '../language/call-options.ts';
import type { GenerateRequest, GenerateResult } from '../language/generation.ts';
import type { LanguageModel } from '../language/language-model.ts';
import { modelName } from '../language/model-name.ts';
import { countPromptTokens } from '../language/model-usage.ts';
import { tokenizerOf } from '../language/tokenizer-of.ts';
import { costOf, type Prices } from '../money/prices.ts';
import { type AttemptPlan, type AttemptTiming, attemptWhole, runAttempts } from './attempts.ts';
import type { Circuit } from './circuit.ts';
import { shareOfSilence, tellingMs } from './patience.ts';

export interface Candidate {
  /** Makes one attempt for each call. */
  readonly model: LanguageModel;
  /** Shared by all chains that hold this model. */
  readonly circuit: Circuit;
}

export interface ModelChainOptions extends AttemptTiming {
  readonly prices: Prices;
  /** Rounds through the list; one attempt for each model in each. */
  readonly rounds?: number;
  /** First pause between rounds; it doubles, up to `longestPauseMs`, and what is waited is drawn below it. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

/** Failures of the service, which count against its circuit. Whoever refuses a request, or asks to wait, is alive. */
const isServiceDown = ({ code, details: { status } }: FootnoteError): boolean =>
  code === 'upstream-unavailable' || (code === 'upstream-invalid' && !(Number(status) >= 400 && Number(status) < 500));
/** Failures that another model may not have. */
const ownFailures: ReadonlySet<string> = new Set(['config-invalid', 'quota-exceeded', 'too-large']);

/** `inputTokens` of our count as the model itself may count them: more where its tokenizer is another one. */
async function mostInputTokens(
  { provider, id }: LanguageModel,
  request: GenerateRequest,
  inputTokens: () => number,
): Promise<number> {
  const tokenizer = await tokenizerOf(provider, id);
  // Counted anew only where it comes out otherwise: counting a long prompt takes milliseconds.
  const counted =
    tokenizer.name === 'cl100k_base' ? countPromptTokens(request, (text) => tokenizer.count(text)) : inputTokens();
  // The longest message holds the passages, whose script decides.
  const sample = request.messages.reduce(
    (longest, { content }) => (content.length > longest.length ? content : longest),
    '',
  );
  return Math.ceil(counted * tokenizer.margin(sample));
}

/**
 * The first of `candidates` that serves. Throws the failure of the first model when all have failed, with `details.attempts`;
 * `quota-exceeded` and `config-invalid` of the budget at once, unsent. `candidates` must not be empty.
 */
export function createModelChain(candidates: readonly Candidate[], options: ModelChainOptions): LanguageModel {
  const { prices, rounds = 3, firstPauseMs = 250, longestPauseMs = 4000, random, wait, elapsedMs } = options;
  const timing: AttemptTiming = { random, wait, elapsedMs };
  const targets = candidates.map(({ model, circuit }) => ({ name: modelName(model), circuit, model }));
  const first = targets[0]?.model;
  if (!first) throw new FootnoteError('internal', 'A chain of models needs at least one model.');
  type Target = (typeof targets)[number];

  const planOf = (
    request: GenerateRequest,
    { patience, deadline }: CallOptions,
  ): Omit<AttemptPlan<Target, GenerateResult>, 'attempt'> => {
    let counted: number | undefined;
    const inputTokens = (): number => {
      counted ??= countPromptTokens(request);
      return counted;
    };
    return {
      targets,
      rounds,
      firstPauseMs,
      longestPauseMs,
      timing,
      finish: (result, facts) => ({ ...result, ...facts }),
      share: shareOfSilence(patience, { models: targets.length, remainingMs: deadline.remainingMs(), elapsedMs }),
      tokens: {
        most: async ({ model }) => ({
          inputTokens: await mostInputTokens(model, request, inputTokens),
          outputTokens: request.maxOutputTokens,
        }),
        taken: ({ usage }) => usage,
        broken: (said) => ({ inputTokens: inputTokens(), outputTokens: said === '' ? 0 : countPromptTokens(said) }),
      },
      costOf({ name }, tokens) {
        const price = prices.of(name);
        return price && costOf(price, tokens);
      },
      // One that worked for all of the time and said nothing would do so again.
      isOutage: (error) =>
        error.code === 'deadline-exceeded'
          ? Number(error.details['unsaidMs'] ?? 0) >= tellingMs
          : isServiceDown(error) && error.details['isHurried'] !== true,
      othersMayServe: ownFailures,
    };
  };
  const { id, provider, contextTokens, leastYes } = first;
  const after = (name: string): LanguageModel | undefined => {
    const rest = candidates.slice(targets.findLastIndex((target) => target.name === name) + 1);
    return rest.length > 0 && rest.length < candidates.length ? createModelChain(rest, options) : undefined;
  };
  return {
    id,
    provider,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(leastYes !== undefined && { leastYes }),
    ...(candidates.length > 1 && { after }),
    generate(request, call) {
      return attemptWhole(
        {
          ...planOf(request, call),
          attempt: ({ model }, deadline, { waits }) => model.generate(request, { deadline, ...(waits && { waits }) }),
        },
        call,
      );
    },
    stream(request, call) {
      return runAttempts(
        {
          ...planOf(request, call),
          attempt: ({ model }, deadline, told) => model.stream(request, { deadline, ...told }),
        },
        call,
      );
    },
  };
}
