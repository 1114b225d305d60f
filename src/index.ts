// What a library user may import: the engine in-process, the types it speaks and the errors it throws.
export { type Config, loadConfig } from './config.ts';
export type { Answer, AskRequest, Citation, Claim, MessageRequest } from './core/answer.ts';
export type { Chunk, DocumentRecord, Source } from './core/document.ts';
export { type ErrorCode, FootnoteError } from './core/errors.ts';
export type { EventSink, FootnoteEvent } from './core/events.ts';
export { localScope, type Principal, type Scope } from './core/scope.ts';
export type { Degradation, Evidence, Filter, Mode, SearchRequest, SearchResponse } from './core/search.ts';
export { type OpenedFootnote, type OpenOptions, openFootnote } from './footnote/compose.ts';
export type { AddDocument, AddedDocument, AnswerCheck, CallOptions, Footnote } from './footnote/facade.ts';
export type {
  GenerateRequest,
  GenerateResult,
  LanguageModel,
  ModelCallOptions,
  RoleModels,
  StreamPart,
} from './footnote/roles/model-steps.ts';
