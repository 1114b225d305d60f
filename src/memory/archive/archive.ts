// The archive of conversations of one scope: bring in, look from above, read, remove. Invariant: a turn stands once, whatever is imported
// again or was cut off, and what is removed is gone from the record and its index before that is said.
import type {
  ArchivedConversation,
  ArchiveMessage,
  DuringRequest,
  ExportFormat,
  ImportReport,
  NewMessage,
  Peek,
  PeekRequest,
  ReadTurn,
  TimeConversations,
} from '../../core/archive.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import { hasRole, type Scope, sharesIn } from '../../core/scope.ts';
import type {
  ArchiveConversationName,
  ArchiveConversationRow,
  ArchiveRepository,
  ArchiveTurnRow,
} from '../../db/repositories/archive.ts';
import type { PageOf, PageRequest } from '../../db/repositories/page.ts';
import { bringIn } from './bring-in.ts';
import { lookDuring } from './during.ts';
import { withExport } from './import/export-process.ts';
import type { ReadMail } from './import/mail.ts';
import { peekArchive, queryTerms } from './peek.ts';
import { type ReadMessages, readWithin } from './summary.ts';
import type { TenantArchive } from './tenant-archive.ts';

export type { ArchiveChatRepository as ArchiveChats } from '../../db/repositories/archive.ts';

export interface ImportOptions {
  readonly format?: ExportFormat | undefined;
  /** Of the file, as people call it. */
  readonly name: string;
  /** IANA name, for times that do not say their offset. Default UTC. */
  readonly timeZone?: string | undefined;
  /** Everyone of the tenant may read it. */
  readonly shared?: boolean | undefined;
  /** Secrets are replaced by a mark. */
  readonly redact?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((turns: number) => void) | undefined;
}

export interface ReadTurnOptions {
  readonly conversationId?: string | undefined;
  /** Turns before and after it. Default 0. */
  readonly neighbours?: number | undefined;
  /** `auto`: whole unless it is longer than `maxTokens`. */
  readonly content?: 'auto' | 'full' | 'summary' | undefined;
  readonly maxTokens: number;
  /** What a summary should keep. */
  readonly query?: string | undefined;
}

export interface Archive {
  /** Reads an export from a file of this machine. */
  importFile(path: string, options: ImportOptions): Promise<ImportReport>;
  addTurns(
    conversation: { readonly id: string; readonly title?: string | undefined; readonly shared?: boolean | undefined },
    messages: readonly NewMessage[],
  ): Promise<ImportReport>;
  list(request: PageRequest): Promise<PageOf<ArchivedConversation>>;
  get(id: string): Promise<ArchivedConversation>;
  turns(id: string, request: PageRequest, maxTokens: number): Promise<PageOf<ReadTurn>>;
  delete(id: string): Promise<void>;
  peek(request: PeekRequest): Promise<Peek>;
  during(request: DuringRequest): Promise<TimeConversations>;
  turn(id: string, options: ReadTurnOptions): Promise<ReadTurn>;
}

export interface ArchiveOptions {
  readonly scope: Scope;
  readonly repository: ArchiveRepository;
  readonly tenant: TenantArchive;
  readonly clock: Clock;
  readonly readMail?: ReadMail | undefined;
}

const toConversation = ({
  row: _,
  owner: __,
  language: ___,
  ...conversation
}: ArchiveConversationRow): ArchivedConversation => conversation;

const missing = (id: string): FootnoteError =>
  new FootnoteError('not-found', `There is no conversation "${id}" in the archive.`);

export function createArchive({ scope, repository, tenant, clock, readMail }: ArchiveOptions): Archive {
  const { principal } = scope;
  const owners = hasRole(principal, 'admin')
    ? undefined
    : new Set([principal.id, ...(sharesIn(principal) ? [''] : [])]);
  const bringing = { repository, tenant, clock, readMail };

  async function found(id: string): Promise<ArchiveConversationRow> {
    const conversation = await repository.conversation(id);
    if (!conversation) throw missing(id);
    return conversation;
  }

  function print(turn: ArchiveTurnRow, conversation: ArchiveConversationName, read: ReadMessages): ReadTurn {
    return {
      turn_id: turn.id,
      ...(turn.key !== turn.id && !turn.id.endsWith(turn.key) && { source_turn_id: turn.key }),
      conversation_id: conversation.conversation_id,
      title: conversation.title,
      ...(turn.atMs !== undefined && { timestamp: new Date(turn.atMs).toISOString() }),
      content_used: read.content_used,
      messages: read.messages,
      tokens: read.tokens,
    };
  }

  const whole = (messages: readonly ArchiveMessage[], language: string): ReadMessages =>
    readWithin(messages, { maxTokens: Number.POSITIVE_INFINITY, language });

  return {
    importFile: (path, options) => {
      const { format, name, timeZone = 'UTC', signal } = options;
      return withExport(
        { path, format, name, timeZone },
        (opened) => bringIn(bringing, { ...options, format: opened.format, replies: opened.replies() }),
        signal,
      ).catch((error: unknown) => {
        throw toFootnoteError(error);
      });
    },

    addTurns: ({ id, title, shared }, messages) =>
      bringIn(bringing, {
        format: 'jsonl',
        name: id,
        shared,
        lines: messages.map((message) => ({ ...message, conversation_id: id, ...(title !== undefined && { title }) })),
      }),

    async list(request) {
      const { data, ...rest } = await repository.list(request);
      return { ...rest, data: data.map(toConversation) };
    },
    get: async (id) => toConversation(await found(id)),

    async turns(id, request, maxTokens) {
      const conversation = await found(id);
      const { data, ...rest } = await repository.turnsOf(conversation.row, request);
      return {
        ...rest,
        data: data.map((turn) =>
          print(turn, conversation, readWithin(turn.messages, { maxTokens, language: turn.language })),
        ),
      };
    },

    delete: (id) =>
      tenant.exclusively(async (index) => {
        const gone = await repository.delete(id);
        if (!gone) throw missing(id);
        await index.remove(gone.removed);
        await index.purge();
      }),

    peek: async (request) =>
      peekArchive(await tenant.index(), request, { repository, owners, meaning: tenant.meaning }),

    during: async (request) => lookDuring(await tenant.index(), request, { repository, owners }),

    async turn(id, options) {
      const { neighbours = 0, content = 'auto', maxTokens, query } = options;
      const turn = await repository.turn(id, options.conversationId);
      const conversation = turn && (await repository.conversations([turn.conversation])).get(turn.conversation);
      if (!turn || !conversation) throw new FootnoteError('not-found', `There is no turn "${id}" in the archive.`);
      const terms = query === undefined ? undefined : new Set(queryTerms(await tenant.index(), query));
      const read = (one: ArchiveTurnRow): ReadTurn =>
        print(
          one,
          conversation,
          content === 'full'
            ? whole(one.messages, one.language)
            : readWithin(one.messages, {
                maxTokens: content === 'summary' ? Math.min(maxTokens, summaryTokens) : maxTokens,
                language: one.language,
                ...(terms && { terms }),
              }),
        );
      if (neighbours === 0) return read(turn);
      const { before, after } = await repository.around(turn.row, neighbours, neighbours);
      return { ...read(turn), previous: before.map(read), next: after.map(read) };
    },
  };
}

/** A summary that was asked for is no longer than this. */
const summaryTokens = 300;
