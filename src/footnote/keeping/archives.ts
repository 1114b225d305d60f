// Composition of the archive of conversations: one index for each tenant, one archive for each scope, and the room in which exports that
// are sent wait to be read.
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ArchivePort } from '../../agent/archive-chat/in-answers.ts';
import { wholeTurns, withTurnSpans } from '../../agent/archive-chat/turn-spans.ts';
import type { SpanReader } from '../../answer/claims/draft.ts';
import { turnPath } from '../../core/archive.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { Clock, Ids } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { type ArchivePorts, createArchiveRepository } from '../../db/both/archive/archive.ts';
import { createArchiveChatRepository } from '../../db/both/archive/chats.ts';
import { createArchiveIndexRepository } from '../../db/both/archive/index-rows.ts';
import type {
  ArchiveChatRepository,
  ArchiveIndexRepository,
  ArchiveRepository,
} from '../../db/repositories/archive.ts';
import type { ParserPool } from '../../ingest/read/parse.ts';
import { type Archive, type ArchiveChats, createArchive } from '../../memory/archive/archive.ts';
import type { ReadMail } from '../../memory/archive/import/mail.ts';
import type { TurnEncoder } from '../../memory/archive/index/meaning.ts';
import { createTenantArchive, type TenantArchive } from '../../memory/archive/tenant-archive.ts';

/** Where a turn is opened. */
export const turnUrlAt =
  (addressOf: () => string): ArchivePort['urlOf'] =>
  ({ turn_id: turnId, conversation_id: conversationId }) =>
    `${addressOf()}${turnPath({ conversationId, turnId })}`;

/** Reads what answers cite of the archive, as it is now. */
export const withTurns = (readSpan: SpanReader, archive: Pick<Archive, 'turn'>): SpanReader =>
  withTurnSpans(readSpan, { readTurn: wholeTurns(archive), urlOf: turnUrlAt(() => '') });

export interface Archives {
  of(scope: Scope): { readonly archive: Archive; readonly chats: ArchiveChats };
  /** Keeps what is sent in a file for as long as `work` runs. */
  spooled<T>(content: AsyncIterable<Uint8Array>, work: (path: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What the record keeps of conversations. */
export interface ArchiveRecords {
  of(scope: Scope): { readonly archive: ArchiveRepository; readonly chats: ArchiveChatRepository };
  indexOf(tenant: string): ArchiveIndexRepository;
}

/** The same over any database; `indexOf` where an index is kept in another way than in one that a single process has. */
export const createArchiveRecords = (
  portsOf: (tenant: string) => ArchivePorts,
  indexOf: ArchiveRecords['indexOf'] = (tenant) => createArchiveIndexRepository(tenant, portsOf(tenant)),
): ArchiveRecords => ({
  of(scope) {
    const ports = portsOf(scope.tenant);
    return { archive: createArchiveRepository(scope, ports), chats: createArchiveChatRepository(scope, ports) };
  },
  indexOf,
});

export interface ArchivesOptions {
  readonly records: ArchiveRecords;
  readonly parsers: ParserPool;
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Undefined: words alone are searched. */
  readonly encoder?: TurnEncoder | undefined;
}

export function createArchives({ records, parsers, folder, clock, ids, encoder }: ArchivesOptions): Archives {
  const tenants = new Map<string, TenantArchive>();
  const room = join(folder, 'imports');
  /** What a process that was killed left behind. */
  let emptied: Promise<void> | undefined;
  const tenantOf = (tenant: string): TenantArchive => {
    const known = tenants.get(tenant) ?? createTenantArchive(records.indexOf(tenant), encoder);
    tenants.set(tenant, known);
    return known;
  };
  const readMail: ReadMail = async (bytes, name, signal) => {
    const { title, text, metadata, publishedAt } = await parsers.parse(
      { bytes, name, mime: 'message/rfc822' },
      signal && { signal },
    );
    const author = metadata['author'];
    return {
      subject: title,
      sentAt: publishedAt,
      ...(typeof author === 'string' && { from: author }),
      text: withoutHead(text),
    };
  };
  return {
    of(scope) {
      const { archive: repository, chats } = records.of(scope);
      return {
        archive: createArchive({ scope, repository, tenant: tenantOf(scope.tenant), clock, readMail }),
        chats,
      };
    },
    async spooled(content, work) {
      emptied ??= rm(room, { recursive: true, force: true }).catch((thrown: unknown) => {
        // The next one tries again.
        emptied = undefined;
        throw toFootnoteError(thrown);
      });
      await emptied;
      await mkdir(room, { recursive: true, mode: 0o700 });
      const path = join(room, ids.next('imp'));
      try {
        await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600, flags: 'wx' }));
        return await work(path);
      } catch (error) {
        // What is wrong with an upload is said by the door that reads it.
        throw String((error as { code?: unknown } | undefined)?.code).startsWith('FST_')
          ? error
          : toFootnoteError(error);
      } finally {
        await rm(path, { force: true });
      }
    },
    async close() {
      await Promise.all([...tenants.values()].map((tenant) => tenant.close()));
    },
  };
}

/** The reader shows subject, people and date above the body; the archive has them beside it. */
function withoutHead(text: string): string {
  const body = /^(?:[^\n]*\n+)?(?:(?:From|To|Cc|Date|Attachments): [^\n]*\n)+\n*/u.exec(text);
  return body ? text.slice(body[0].length) : text;
}
