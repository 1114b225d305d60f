// The steps of an answer that models may take, as the configuration gives them their roles: who writes, who judges, who tells the kind of a
// question, who orders hits anew. Invariant: a step without a model is absent, and its deterministic twin serves; nothing is called here.

import type { ChatModel } from '../../agent/archive-chat/by-model.ts';
import { createIntentClassifier, type IntentClassifier } from '../../agent/intent/intent-by-model.ts';
import { createModelPlanner } from '../../agent/plan/plan-by-model.ts';
import { createRulePlanner, type Planner } from '../../agent/plan/planner.ts';
import type { RevisePortsOfTurn } from '../../agent/revise-turn.ts';
import type { TalkPorts } from '../../agent/steps/greet.ts';
import { createOrchestrator, type OrchestratedPorts, orchestratorLimits } from '../../agent/tools/orchestrate.ts';
import type { Gatherer } from '../../agent/turn/gatherer.ts';
import type { Composer } from '../../answer/composer.ts';
import { type ConflictJudge, createConflictJudge } from '../../answer/conflicts/judge-pairs.ts';
import { createChanceJudge } from '../../answer/judge/chance-judge.ts';
import type { Judge } from '../../answer/judge/judge.ts';
import { createModelJudge } from '../../answer/judge/model-judge.ts';
import { createModelComposer } from '../../answer/write/model-composer.ts';
import type { Config } from '../../config.ts';
import type { Intent } from '../../core/answer.ts';
import type { RequestBudget } from '../../core/budget.ts';
import type { Evidence } from '../../core/search.ts';
import type { ModelWatch } from '../../models/calls/watch.ts';
import type { CallOptions as ModelCallOptions } from '../../models/language/call-options.ts';
import type { GenerateRequest, GenerateResult, StreamPart } from '../../models/language/generation.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { withTemperature } from '../../models/language/model-name.ts';
import { createToolAsker } from '../../models/language/tools/tool-turn.ts';
import { parsePrices } from '../../models/money/prices.ts';
import { resolveModels } from '../../models/open-models.ts';
import { chargedModels } from '../../models/own-models.ts';
import type { RerankModel } from '../../models/rerank/rerank-model.ts';
import type { ResolvedRoles, RoleModels } from '../../models/roles.ts';
import { type AskHosted, createHostedAsker } from '../../retrieval/hosted-by-model.ts';
import type { Reranking } from '../../retrieval/rerank.ts';
import { createRouteJudge, type RouteJudge } from '../../retrieval/route/by-model.ts';
import { openLanguageModels } from './language-models.ts';
import { type ModelFacts, modelFacts } from './model-facts.ts';
import { openReranker, rerankerSettingsOf } from './rerankers.ts';
import { createRevisingSteps, type RevisedRequest } from './revising-steps.ts';

/** Of a passage that a model may ask for in full. */
const leastShownCharacters = 200;

export type { GenerateRequest, GenerateResult, LanguageModel, ModelCallOptions, RoleModels, StreamPart };

export interface ModelSteps {
  /** Which model has each role, and why. */
  readonly resolved: ResolvedRoles;
  /** Undefined: the documents' own sentences answer. */
  composerFor(intent: Intent, budget: RequestBudget, isStrict?: boolean): Composer | undefined;
  /** Undefined: patterns alone tell the kind of a question. */
  classifierFor(budget: RequestBudget): IntentClassifier | undefined;
  /** Who says whether sentences contradict each other that rules cannot decide; undefined: rules alone decide. */
  conflictJudgeFor(budget: RequestBudget): ConflictJudge | undefined;
  /** Who says which kinds of source a question needs, where patterns only guess. */
  routeJudgeFor(budget: RequestBudget): RouteJudge | undefined;
  /** Asks the model that answers to search its provider's store by itself; undefined: it does not. */
  hostedSearchFor(budget: RequestBudget): AskHosted | undefined;
  /** Undefined: every question is asked as a whole. */
  plannerFor(budget: RequestBudget): Planner | undefined;
  /** Who finds evidence; undefined: one search does. */
  gathererFor(budget: RequestBudget, ports: OrchestratedPorts): Gatherer | undefined;
  /** Who looks at a draft before it is released, and who speaks where no document does. */
  reviseFor(budget: RequestBudget, ports: RevisedRequest): RevisePortsOfTurn & TalkPorts;
  /** Who explores the archive of conversations; undefined: rules do. */
  chatModelFor(budget: RequestBudget): ChatModel | undefined;
  readonly reranking: Reranking | undefined;
  /** Which models there are, as a trace keeps them. */
  readonly facts: ModelFacts;
  /** Loads what the first request would otherwise wait for. */
  warm(): void;
  close(): Promise<void>;
}

export interface ModelStepsOptions {
  /** Stand in the place of those that the configuration names. */
  readonly models?: RoleModels | undefined;
  /** Told how each model fares. */
  readonly watch?: Pick<ModelWatch, 'circuit'>;
  /** Stand in the place of all of them and cost nothing: models of a record that is played again. */
  readonly played?: { readonly language: RoleModels; readonly reranker?: RerankModel | undefined };
}

/** Throws `config-invalid`. */
export async function openModelSteps(
  config: Config,
  { models, watch, played }: ModelStepsOptions = {},
): Promise<ModelSteps> {
  const given = played?.language ?? models;
  const language = given
    ? {
        resolved: resolveModels({ roles: {} }),
        models: played?.language ?? chargedModels(given, parsePrices(config.language.prices), watch),
        close: () => undefined,
      }
    : await openLanguageModels(config, watch);
  const settings = rerankerSettingsOf(config);
  const ports = {
    language: language.models.of('rerank'),
    ...(watch && { watch }),
    ...(played?.reranker && { model: played.reranker }),
  };
  const reranker = await openReranker(settings, ports).catch(async (error: unknown) => {
    await language.close();
    throw error;
  });
  const judgeModel = language.models.of('judge');
  /** A model of natural language inference says nothing but how sure it is. */
  const writingJudge = judgeModel?.provider === 'onnx' ? undefined : judgeModel;
  const isUnjudged = config.language.roles['judge']?.trim() === 'none';
  const judgeOf = (model: LanguageModel, budget: RequestBudget, shown?: readonly Evidence[]): Judge => {
    const own = { model, budget: budget.forRole('judge') };
    // The chance of a writer says nothing before it was measured; its verdicts do, or fail aloud.
    const isByChance = model.provider === 'onnx' || (model.provider === 'gguf' && model.leastYes !== undefined);
    return isByChance ? createChanceJudge({ ...own, ...(shown && { shown }) }) : createModelJudge(own);
  };
  const router = language.models.of('router');
  const planner = language.models.of('planner');
  const chat = language.models.of('chat');
  const toolAsker = createToolAsker();
  const { agent } = config;
  const { maxOutputTokens, patience, summaryCharacters, answerForm, proseTokens } = config.language;
  /** The same for all who write from passages. */
  const writing = { maxOutputTokens, patience, summaryCharacters, answerForm, proseTokens };
  const orchestratorOf = (model: LanguageModel | undefined, budget: RequestBudget, ports: OrchestratedPorts) =>
    model && agent.isOrchestrating
      ? createOrchestrator({
          ...ports,
          model,
          budget: budget.forRole('planner'),
          ask: toolAsker,
          summaryCharacters: Math.max(leastShownCharacters, summaryCharacters),
          limits: { ...orchestratorLimits, calls: agent.mostCalls, rounds: agent.mostRounds },
        })
      : undefined;
  const reviseFor = createRevisingSteps(agent, {
    critic: language.models.of('critic'),
    judge: writingJudge,
    talk: agent.isTalking ? language.models.answering('conversational') : undefined,
    guess: agent.isUngroundedAllowed ? language.models.of('answer') : undefined,
    isTeamServed: [writingJudge, language.models.of('answer'), agent.isOrchestrating ? planner : undefined].some(
      (model) => model !== undefined,
    ),
    gathererAt: (temperature, budget, ports) =>
      orchestratorOf(planner && withTemperature(planner, temperature), budget, ports),
  });
  return {
    resolved: language.resolved,
    composerFor(intent, budget, isStrict = config.language.claimPolicy === 'strict') {
      const model = language.models.answering(intent);
      const judge = judgeModel && judgeOf(judgeModel, budget);
      // Passages are what their authors wrote: there is nothing to judge.
      if (!model) return undefined;
      const isJudgingItself = !isStrict && !isUnjudged && !judge;
      const admitting = isStrict ? undefined : (judge ?? (isJudgingItself ? judgeOf(model, budget) : undefined));
      return createModelComposer({
        model,
        budget: budget.forRole('answer'),
        ...writing,
        isLazy: config.agent.isLazy,
        isInOwnWords: !isStrict,
        ...(judge && { judge }),
        ...(admitting && { admitting }),
        ...(isJudgingItself && model.leastYes !== undefined && { ownJudge: (shown) => judgeOf(model, budget, shown) }),
      });
    },
    conflictJudgeFor(budget) {
      const model = agent.isJudgingConflicts ? (writingJudge ?? language.models.of('answer')) : undefined;
      return model && createConflictJudge({ model, budget: budget.forRole('judge') });
    },
    routeJudgeFor: (budget) => router && createRouteJudge({ model: router, budget: budget.forRole('router') }),
    classifierFor: (budget) => router && createIntentClassifier({ model: router, budget: budget.forRole('router') }),
    hostedSearchFor(budget) {
      const model = config.stores.isHostedSearched ? language.models.of('answer') : undefined;
      // Stores of OpenAI are searched by its own models.
      return model?.provider === 'openai' ? createHostedAsker({ model, budget: budget.forRole('answer') }) : undefined;
    },
    plannerFor(budget) {
      if (!agent.isDecomposing) return undefined;
      const limits = { threshold: agent.threshold, most: agent.mostParts };
      return planner && agent.isDecomposingByModel
        ? createModelPlanner({ ...limits, model: planner, budget: budget.forRole('planner') })
        : createRulePlanner(limits);
    },
    gathererFor: (budget, ports) => orchestratorOf(planner, budget, ports),
    reviseFor,
    chatModelFor(budget) {
      if (!chat) return undefined;
      const own = budget.forRole('chat');
      return {
        model: chat,
        budget: own,
        ask: toolAsker,
        composerFor: (wordingOfTalk) =>
          createModelComposer({
            wordingOfTalk,
            model: chat,
            budget: own,
            ...writing,
            ...(judgeModel && { judge: judgeOf(judgeModel, budget) }),
          }),
      };
    },
    reranking: reranker?.reranking,
    facts: modelFacts(language.models, reranker?.reranking),
    warm: () => reranker?.warm(),
    async close() {
      await language.close();
      await reranker?.close();
    },
  };
}
