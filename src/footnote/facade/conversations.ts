// The archive of past conversations, as doors may call it. Names are those of the wire: the archive speaks as its tools do (`peek`, `turn`).
import type {
  AddTurns,
  ArchiveChatAnswer,
  ArchiveChatEvent,
  ArchiveChatRequest,
  ArchivedConversation,
  ExportFormat,
  ImportReport,
  Peek,
  PeekRequest,
  ReadTurn,
  TurnRequest,
} from '../../core/archive.ts';
import type { PageOf, PageRequest } from '../../db/repositories/page.ts';

export type {
  ArchiveChatAnswer,
  ArchiveChatEvent,
  ArchivedConversation,
  ExportFormat,
  ImportReport,
  NewMessage,
  Peek,
  PeekBin,
  PeekRequest,
  ReadTurn,
} from '../../core/archive.ts';

export interface ImportDetails {
  /** Of the file, as people call it. */
  readonly name: string;
  /** Default: told from the file. */
  readonly format?: ExportFormat | undefined;
  /** For times that do not say their offset; default UTC. */
  readonly timeZone?: string | undefined;
  /** Everyone of the tenant may read it; default: who brings it in, and admins. */
  readonly shared?: boolean | undefined;
  /** Keys, tokens and passwords are replaced by a mark. */
  readonly redact?: boolean | undefined;
}

export interface ConversationImport {
  /** A file of this machine, or what was sent. */
  readonly content: { readonly path: string } | AsyncIterable<Uint8Array>;
  /** A function is asked once the content was taken: a form may name them behind its file. */
  readonly details: ImportDetails | (() => ImportDetails);
}

export interface ImportCall {
  readonly signal?: AbortSignal | undefined;
  /** Turns that were read until now. */
  readonly onProgress?: (turns: number) => void;
}

export interface ArchiveChatCall {
  readonly signal?: AbortSignal | undefined;
  /** Deltas and citations as they come, and each look and each turn that is read. */
  readonly onEvent?: ((event: ArchiveChatEvent) => void) | undefined;
}

export interface ConversationCalls {
  import(given: ConversationImport, call?: ImportCall): Promise<ImportReport>;
  /** The conversation is made where it does not exist. */
  addTurns(id: string, given: AddTurns): Promise<ImportReport>;
  list(request: PageRequest): Promise<PageOf<ArchivedConversation>>;
  get(id: string): Promise<ArchivedConversation>;
  turns(id: string, request: PageRequest): Promise<PageOf<ReadTurn>>;
  delete(id: string): Promise<void>;
  peek(request: PeekRequest): Promise<Peek>;
  turn(id: string, request?: TurnRequest): Promise<ReadTurn>;
  /** Answers out of the archive: explores it, reads the turns that promise most, cites them. */
  chat(request: ArchiveChatRequest, call?: ArchiveChatCall): Promise<ArchiveChatAnswer>;
  /** Removes what was asked and answered in a chat over the archive. */
  deleteChat(id: string): Promise<void>;
}
