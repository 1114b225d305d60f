// What the configuration and the models of roles decide of requests: the same for those that are served, replayed from their record, and
// tried against other settings. A step or a setting that a request gains is named here alone.
import type { ArchiveChatPorts } from '../../agent/archive-chat/archive-chat.ts';
import type { RunnerOptions } from '../../agent/run.ts';
import type { Config } from '../../config.ts';
import type { ModelSteps } from '../roles/model-steps.ts';
import type { RequestPortsOptions } from './request-ports.ts';

export const portSettings = (config: Config, steps: ModelSteps) =>
  ({
    storeTimeoutMs: config.stores.searchTimeoutMs,
    embeddingTimeoutMs: config.models.queryTimeoutMs,
    fusion: config.fusion,
    expansion: config.expansion,
    reranking: steps.reranking,
    routeJudgeFor: steps.routeJudgeFor,
    hostedSearchFor: steps.hostedSearchFor,
    sourceWeights: config.sourceWeights,
    webSettings: config.web.search,
    feedbackWeight: config.feedbackWeight,
  }) satisfies Partial<RequestPortsOptions>;
export type PortSettings = ReturnType<typeof portSettings>;

/** What the chat over the archive takes of them. */
export const chatSettings = (config: Config, steps: ModelSteps): Pick<ArchiveChatPorts, 'limits' | 'chatModelFor'> => ({
  limits: config.chat,
  chatModelFor: steps.chatModelFor,
});

export const runnerSettings = (config: Config, steps: ModelSteps) =>
  ({
    composerFor: steps.composerFor,
    conflictJudgeFor: steps.conflictJudgeFor,
    classifierFor: steps.classifierFor,
    plannerFor: steps.plannerFor,
    gathererFor: steps.gathererFor,
    reviseFor: steps.reviseFor,
    depths: config.agent.depths,
    defaultMode: config.defaultMode,
    contextTokens: config.contextMaxTokens ?? 2_000,
    modelContextTokens: config.contextMaxTokens ?? 8_000,
    timeoutMs: config.requestTimeoutMs,
  }) satisfies Partial<RunnerOptions>;
