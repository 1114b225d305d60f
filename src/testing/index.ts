// footnote-server/testing: how an application tests itself against Footnote, over models and stores that do what a script says. Everything
// stays on this machine; nothing of the program imports it.

export type { EmbeddingModel } from '../models/embedding/model.ts';
export type { CallOptions } from '../models/language/call-options.ts';
export type { GenerateRequest } from '../models/language/generation.ts';
export type { LanguageModel } from '../models/language/language-model.ts';
export {
  createScriptedModel,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  type ScriptedStep,
} from '../models/language/scripted-model.ts';
export type { RerankModel } from '../models/rerank/rerank-model.ts';
export {
  brokenStores,
  type CheckOptions,
  type CheckOutcome,
  checkStore,
} from '../stores/conformance/conformance.ts';
export type { TrialDocument } from '../stores/conformance/documents.ts';
export { createWordVectors, wordDimensions, wordSpace } from '../stores/conformance/given-words.ts';
export type { OpenHarness, StoreHarness } from '../stores/conformance/harness.ts';
export { type FakeOpenAIOptions, startFakeAzure, startFakeOpenAI } from './fake-openai.ts';
export type { FakeProviderServer, FakeRequest, FakeScript, FakeStep } from './fake-provider-server.ts';
export type { FakeReply } from './fake-reply.ts';
export { answerOf, type WrittenClaim } from './model-replies.ts';
export {
  createScriptedEmbeddings,
  type EmbeddingReply,
  type EmbeddingRequest,
  type ScriptedEmbeddings,
  type ScriptedEmbeddingsOptions,
} from './scripted-embeddings.ts';
export { createScriptedReranker, type RerankReply, type ScriptedReranker } from './scripted-reranker.ts';
