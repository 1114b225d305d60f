// What a library user may import: the engine in-process, the types it speaks and the errors it throws.
export { type Config, loadConfig } from './config.ts';
export type { Answer, AskRequest, Citation, Claim, MessageRequest } from './core/answer.ts';
export type { Chunk, DocumentRecord, Source } from './core/document.ts';
export { type ErrorCode, FootnoteError } from './core/errors.ts';
export type { EventSink, FootnoteEvent } from './core/events.ts';
export { localScope, mayRead, type Principal, type Scope } from './core/scope.ts';
export type { Degradation, Evidence, Filter, Mode, SearchRequest, SearchResponse } from './core/search.ts';
export { type OpenedFootnote, type OpenOptions, openFootnote } from './footnote/compose.ts';
export type { ConfiguredStore } from './footnote/configured-stores.ts';
export type { AnswerCheck } from './footnote/facade/answers.ts';
export type { AddDocument, AddedDocument, CallOptions, Footnote } from './footnote/facade.ts';
export type {
  GenerateRequest,
  GenerateResult,
  LanguageModel,
  ModelCallOptions,
  RoleModels,
  StreamPart,
} from './footnote/roles/model-steps.ts';
export { checkLimit } from './stores/check-query.ts';
export { parseCursor, printCursor } from './stores/cursor.ts';
export type { StoreDeletion, StoreDocument, StoreOutcome } from './stores/delivered.ts';
export { checkFilter, type DocumentFacts, factsOf, factsPass } from './stores/document-facts.ts';
export type { HeldDocument, Inventory } from './stores/held.ts';
export type { Store, StoreCapabilities, StoreHealth, StoreHit, StorePage, StoreQuery } from './stores/store.ts';
export { analyzeQuery, analyzeText } from './text/analyze.ts';
