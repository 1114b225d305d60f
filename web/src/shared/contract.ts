// What the server says, as types: the one place at which the pages name anything of it. Nothing of it is part of what is built.
export type { Answer, Citation, Claim, Conflict } from '../../../src/core/answer.ts';
export type { ListDiff, Replay, Trial } from '../../../src/core/answers/replays.ts';
export type {
  ArchiveChatAnswer,
  ArchiveChatEvent,
  ArchiveCitation,
  ArchivedConversation,
  ImportReport,
  Peek,
  ReadTurn,
} from '../../../src/core/archive.ts';
export type { Session, Turn as SavedTurn } from '../../../src/core/conversation.ts';
export type { SourceType } from '../../../src/core/document.ts';
export type { IngestPreview } from '../../../src/core/documents/preview.ts';
export type { EvalReport, EvalRow } from '../../../src/core/evaluation.ts';
export type {
  FootnoteEvent as StreamEvent,
  FootnoteEvent as TraceEvent,
  PortCall,
  Problem as ProblemBody,
} from '../../../src/core/events.ts';
export type { Mark } from '../../../src/core/marked-text.ts';
export type { Memory, MemoryStats } from '../../../src/core/memory.ts';
export type {
  Evidence,
  Filter,
  FilterScalar,
  Mode,
  SearchRequest,
  SearchResponse,
} from '../../../src/core/search.ts';
export type { KeyLimits, UsageReport } from '../../../src/core/spending.ts';
export type { StoreStatus } from '../../../src/core/store-query.ts';
export type { SavedTrace, TraceSummary } from '../../../src/core/trace-file.ts';
export type { AuditCheck, AuditRow } from '../../../src/core/traces/audit.ts';
