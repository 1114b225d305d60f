// Answers by a model: the model proposes claims with quotes, the verifier decides on each. Invariants: nothing that the model wrote is
// released but a claim that verify.ts kept; where the model finds no answer or none that holds, the answer abstains beside the closest passages;
// where the model fails, passages of the documents answer as they stand and `degraded` says so.
import type { ClaimCounts } from '../../core/answer.ts';
import type { ModelBudget } from '../../core/budget.ts';
import { namedModel } from '../../core/named-model.ts';
import type { Degradation, Evidence } from '../../core/search.ts';
import { calibratedModel } from '../../models/embedding/calibrated-model.ts';
import type { Patience } from '../../models/language/call-options.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { modelName } from '../../models/language/model-name.ts';
import { countPromptTokens } from '../../models/language/model-usage.ts';
import { tokenizerOf } from '../../models/language/tokenizer-of.ts';
import { mostClaimsFor, readFrame } from '../../passages/frame.ts';
import type { Context, VerifiedClaim } from '../claims/draft.ts';
import type { ComposePorts, ComposeRequest, Composer } from '../composer.ts';
import type { Composition } from '../composition.ts';
import { numberBlocks } from '../context/evidence.ts';
import { type Hydration, hydratedContext, lookLazily, summarizedContext } from '../context/hydrate.ts';
import { assembleForModel } from '../context/model-context.ts';
import { type Admission, createAdmission } from '../judge/admission.ts';
import type { Judge } from '../judge/judge.ts';
import { createJudging } from '../judge/judge-claims.ts';
import { closestPassages, composePassages } from '../passages/passage-composer.ts';
import { answerMessages, answerPromptNameOf } from '../prompts/answer.ts';
import { answerInProseName } from '../prompts/answer-in-prose.ts';
import { type AskedModel, answerModelComponent, createModelAsker } from './ask.ts';
import { type AnswerForm, isAskedForProse } from './form.ts';
import { sharedLanguageOf } from './languages.ts';
import { asPassagesStand, outcomeOf, type Proposed } from './outcome.ts';
import { attemptInProse } from './prose-attempt.ts';
import { createReleaser, createReleaseState, type Releaser } from './release.ts';
import { createRelevance, type Relevance } from './relevance.ts';
import { roomFor, shrunkBudget } from './room.ts';
import { traceContext } from './trace-context.ts';

export interface ModelComposerOptions {
  /** Every prompt and answer of it is one `call` of port `answer.model` in the trace: no recorder is needed around it. */
  readonly model: LanguageModel;
  /** Of this request; what is above it (session, key, day) is a part of the budget itself. */
  readonly budget?: ModelBudget;
  /** Default 4,000: what models that reason spend on it is included. */
  readonly maxOutputTokens?: number;
  /** How long silence of the model is waited for. Default: as long as models may take. */
  readonly patience?: Patience;
  /** Longest sentence that stands for a chunk without room in the context. Default 600; 0: none does. */
  readonly summaryCharacters?: number;
  /** A sentence of each passage is shown first, and whole those that the model names. */
  readonly isLazy?: boolean;
  /** Has a word on every claim that the verifier kept, and can only refuse it: one that refuses none is not asked. Shares the request's budget where it is given one. */
  readonly judge?: Judge;
  /** Says whether quotes carry claims that rules cannot decide on. Absent: their grade decides, where claims are graded. */
  readonly admitting?: Judge;
  /** The model that writes sentences, about what it wrote from the passages: it admits those that may be shown as reworded. Not asked beside `judge`. */
  readonly ownJudge?: (shown: readonly Evidence[]) => Judge;
  /** Claims in words of their own are graded, and shown where that confirms them. Default: where somebody is asked about them. */
  readonly isInOwnWords?: boolean;
  /** How it is asked: for claims as JSON (default), for plain sentences, or `auto`: for sentences where it is a file of this machine or fails to write claims. */
  readonly answerForm?: AnswerForm;
  /** Most tokens of passages for plain sentences. Default 600. */
  readonly proseTokens?: number;
  /** For talk: what of a claim's words is checked. A quote stands for any claim that it does not carry; where none holds, nothing is released. */
  readonly wordingOfTalk?: (text: string) => string;
}

/** It is asked when it has written all, one claim after the other. */
const ownJudgeMs = 20_000;
/** A context smaller than this shows no passage whole. */
const leastContextTokens = 200;

/** Makes the composer of one request. */
export function createModelComposer(options: ModelComposerOptions): Composer {
  return { isByModel: true, compose: (request, ports) => composeByModel(request, ports, options) };
}

// oxlint-disable-next-line complexity, house/own-lines -- The steps of one composition share what was fitted, read and released.
async function composeByModel(
  request: ComposeRequest,
  given: ComposePorts,
  {
    model: plain,
    budget,
    maxOutputTokens = 4_000,
    patience,
    summaryCharacters = 600,
    isLazy = false,
    judge,
    admitting,
    ownJudge,
    isInOwnWords = admitting !== undefined,
    answerForm = 'claims',
    proseTokens = 600,
    wordingOfTalk,
  }: ModelComposerOptions,
): Promise<Composition> {
  const { sink, timed, clock } = given;
  const { question, evidence, conversation, wishes } = request;
  const told = { ...(conversation && { conversation }), ...(wishes !== undefined && { wishes }) };
  if (evidence.length === 0) return composePassages(request, given);
  const statistics = await timed('statisticsMs', given.statistics);
  const ports: ComposePorts = { ...given, statistics: async () => statistics };
  const language = sharedLanguageOf(request);
  const asked = readFrame(question, statistics);
  const maxClaims = mostClaimsFor(asked);
  const tokenizer = await tokenizerOf(plain.provider, plain.id);
  const { count } = tokenizer;
  const model = calibratedModel(plain, (sent) => countPromptTokens(sent, count));
  const form = { question, maxClaims, language, inOwnWords: isInOwnWords, ...told };
  const room = roomFor({
    model,
    tokenizer,
    calibration: model.calibration,
    frame: answerMessages({ ...form, blocks: [] }),
    sample: [question, ...evidence.map(({ text }) => text)].join('\n'),
    contextTokens: request.modelContextTokens ?? request.contextTokens,
    maxOutputTokens,
  });
  const { budgetTokens, outputTokens, windowTokens } = room;
  const leastTokens = Math.min(leastContextTokens, request.contextTokens);
  const parts = { question, evidence, budgetTokens, countTokens: count, summaryCharacters };
  const startedAt = clock.elapsedMs();
  const hasRoom = budgetTokens >= leastTokens;
  const isProse = isAskedForProse(answerForm, plain);
  // Whoever writes sentences reads passages; of talk, what was found is told where nothing holds.
  const isRead = !isProse || wordingOfTalk !== undefined;
  const first = hasRoom ? await timed('composeMs', () => (isRead ? assembleForModel(parts) : undefined)) : undefined;
  const shownMs = clock.elapsedMs() - startedAt;
  const asker = createModelAsker({
    model,
    ...(budget && { budget }),
    context: ports,
    maxOutputTokens: outputTokens,
    patience,
  });
  const judging = judge && !judge.isOnlyOfReworded ? createJudging({ judge, context: ports }) : undefined;
  const admission = admitting && createAdmission({ judge: admitting, context: ports });
  let hydration: Hydration | undefined;
  let ownAdmission: Admission | undefined;
  const unjudged = (): Degradation[] =>
    [judging, admission, ownAdmission].flatMap((one) => (one ? one.degraded() : []));

  const servePassages = async (
    degraded: readonly Degradation[],
    counts?: ClaimCounts,
    reworded: readonly VerifiedClaim[] = [],
  ): Promise<Composition> => {
    for (const degradation of degraded) sink({ type: 'degraded', degradation });
    if (wordingOfTalk) {
      const context = first ?? { blocks: [], tokens: 0, dropped: [] };
      return { context, dropped: counts?.dropped ?? 0, coverage: 0, confidence: 0, degraded };
    }
    const composition = await composePassages(request, ports);
    const undecided = unjudged();
    for (const degradation of undecided) sink({ type: 'degraded', degradation });
    return {
      ...composition,
      dropped: composition.dropped + (counts?.dropped ?? 0),
      ...(counts && { claims: counts }),
      ...(reworded.length > 0 && { reworded }),
      ...(hydration && { hydration }),
      degraded: [...degraded, ...composition.degraded, ...undecided],
    };
  };
  const instead = (code: string, detail: string, writer = modelName(model)): Degradation => ({
    component: answerModelComponent,
    code,
    detail: namedModel(writer, detail),
    effect: asPassagesStand,
  });

  /** Passages that stand below what a model wrote in sentences, until the first of those is released. */
  let below: readonly VerifiedClaim[] | undefined;
  const releasing: ComposePorts = {
    ...ports,
    release(claim) {
      if (below) ports.onPassages?.(below);
      below = undefined;
      ports.release(claim);
    },
  };
  const state = createReleaseState();
  /** Whoever writes sentences because JSON is too much for it judges none in JSON, and repairs none: it is asked for a chance, or not at all. */
  const ownAdmissionTo = ({ blocks }: Context): Admission | undefined => {
    const shown = blocks.map(({ evidence }) => evidence);
    ownAdmission = ownJudge && createAdmission({ context: ports, shareMs: ownJudgeMs, judge: ownJudge(shown) });
    return ownAdmission;
  };
  const releaserOf = (context: Context, relevance: Relevance, contextTokens: number, isProse = false): Releaser =>
    createReleaser({
      state,
      request: { ...request, contextTokens },
      context,
      maxClaims,
      language,
      relevance,
      asker,
      judging,
      admission: isProse && !judge ? ownAdmissionTo(context) : admission,
      isInOwnWords,
      isQuoteEnough: wordingOfTalk !== undefined,
      isAsWrittenOnly: isProse && wordingOfTalk === undefined,
      ports: releasing,
    });
  const finish = (
    proposed: Proposed,
    before: readonly Degradation[],
    closest = () => closestPassages(request, ports),
  ): Promise<Composition> =>
    outcomeOf(proposed, {
      before: [...before, ...asker.gaveWay()],
      unjudged,
      servePassages,
      closest,
      hydration,
      sink,
      release: releasing.release,
    });
  const inProse = async (before: readonly Degradation[] = []): Promise<Composition> => {
    sink({ type: 'status', stage: 'answering' });
    const proposed = await attemptInProse({
      request,
      asked,
      language,
      model: plain,
      asker,
      count,
      budgetTokens: Math.min(proseTokens, budgetTokens),
      ports,
      releaserOf: (context, relevance) => releaserOf(context, relevance, budgetTokens, true),
      wordingOf: wordingOfTalk ?? ((text) => text),
      onContext: (context) =>
        traceContext(context, { room, tokenizer, prompt: answerInProseName, latencyMs: 0 }, ports),
      onPassages(passages) {
        below = wordingOfTalk ? undefined : passages;
      },
    });
    return proposed ? finish(proposed, before, async () => proposed.best) : servePassages(before);
  };

  if (hasRoom && isProse) return inProse();
  if (!first)
    return servePassages([
      instead(
        'too-large',
        `The model reads ${windowTokens} tokens; instructions and answer leave no room for passages.`,
      ),
    ]);
  sink({ type: 'status', stage: 'answering' });
  /** Shows the model what fits and takes its claims; undefined where no passage fits. */
  const attempt = async (
    context: Context,
    fitted: { readonly budgetTokens: number; readonly latencyMs: number; readonly bySummaries?: boolean },
  ) => {
    const { bySummaries = false } = fitted;
    const prompt = answerPromptNameOf({ ...request, bySummaries });
    traceContext(
      context,
      { room: { ...room, budgetTokens: fitted.budgetTokens }, tokenizer, prompt, ...fitted },
      ports,
    );
    if (context.blocks.length === 0) return undefined;
    const relevance = createRelevance(asked);
    const releaser = releaserOf(context, relevance, fitted.budgetTokens);
    const numbered = numberBlocks(context.blocks);
    const messages = answerMessages({ blocks: numbered, bySummaries, ...form });
    let isFirst = true;
    const {
      value,
      failure,
      model: writer = modelName(model),
    } = await timed('modelMs', async (): Promise<AskedModel> => {
      try {
        return await asker.propose({ name: prompt, messages, bySummaries }, (claim) => {
          if (isFirst) sink({ type: 'status', stage: 'verifying' });
          isFirst = false;
          return releaser.take(wordingOfTalk ? { ...claim, text: wordingOfTalk(claim.text) } : claim);
        });
      } catch (thrown) {
        // A request that ran out of time ends with what was verified by then; all else is thrown by `finish`.
        releaser.end(thrown);
        return {};
      } finally {
        // Whatever became of the model, nothing is left that could still be released.
        await releaser.finish();
      }
    });
    return { context, relevance, releaser, value, failure, writer };
  };
  const attemptWith = (fewerTokens: number) => {
    const startedAt = clock.elapsedMs();
    const context = assembleForModel({ ...parts, budgetTokens: fewerTokens });
    return attempt(context, { budgetTokens: fewerTokens, latencyMs: clock.elapsedMs() - startedAt });
  };
  const shrunk: Degradation[] = [];
  let read: Awaited<ReturnType<typeof attempt>>;
  const summaries = isLazy && !wordingOfTalk ? summarizedContext(parts) : undefined;
  // Passages of a sentence or two are read as fast as named: a third has to be saved.
  if (summaries && summaries.blocks.length > 0 && 3 * summaries.tokens <= 2 * first.tokens) {
    ({ look: read, hydration } = await lookLazily({
      summaries,
      whole: first,
      show: (shown, bySummaries) => attempt(shown, { budgetTokens, latencyMs: 0, bySummaries }),
      hydrate: (wanted) => hydratedContext(wanted, summaries, parts),
      judge: ({ releaser, value, failure }) => ({
        isDone: failure !== undefined || releaser.released.length > 0,
        wanted: value?.read ?? [],
      }),
    }));
  } else read = await attempt(first, { budgetTokens, latencyMs: shownMs });
  if (read?.failure?.code === 'too-large' && state.released.length === 0) {
    const { blocks, tokens } = read.context;
    const fewerTokens = shrunkBudget(tokens, model.calibration);
    const again = fewerTokens >= leastTokens ? await attemptWith(fewerTokens) : undefined;
    if (again) {
      shrunk.push({
        component: answerModelComponent,
        code: 'context-shrunk',
        detail: namedModel(
          modelName(model),
          `The model refused ${blocks.length} passages of ${tokens} tokens as too many, and was asked again with ${again.context.blocks.length} of ${again.context.tokens} tokens.`,
        ),
        effect: 'The answer rests on fewer passages.',
      });
      read = again;
    }
  }
  if (!read)
    return servePassages([instead('too-large', `No passage fits the ${room.budgetTokens} tokens that it may read.`)]);
  if (answerForm === 'auto' && isFormless(read))
    return inProse([
      ...shrunk,
      {
        component: answerModelComponent,
        code: 'answered-in-sentences',
        detail: namedModel(read.writer, 'The model did not write claims in the form that it was asked for.'),
        effect: 'It was asked again for plain sentences. ANSWER_FORM=prose asks it like that at once.',
      },
    ]);
  return finish(read, shrunk);
}

/** Nothing came of it but that the model does not manage the form. */
const isFormless = ({ releaser, failure, value }: Proposed): boolean =>
  releaser.ofLook().proposed === 0 &&
  (failure
    ? ['model-not-json', 'model-wrong-shape', 'model-empty', 'model-cut'].includes(failure.code)
    : value?.insufficient === false);
