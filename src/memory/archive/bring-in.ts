// Conversations from an export into the record and its index, in batches: what was written stays when the rest fails or the process dies,
// and the next import of the same file goes on from there, since every turn is known by its key. Between two steps others have their turn.
import { type ArchiveMessage, type ExportFormat, type ImportReport, rolesInTurn } from '../../core/archive.ts';
import { FootnoteError } from '../../core/errors.ts';
import { type Clock, sha256 } from '../../core/ids.ts';
import { inPieces } from '../../core/waiting/pieces.ts';
import type {
  ArchiveConversationWrite,
  ArchiveRepository,
  ArchiveTurnWrite,
  ArchiveWritten,
} from '../../db/repositories/archive.ts';
import { guessLanguage } from '../../text/language/language.ts';
import type { ExportReply } from './import/export-process.ts';
import type { ImportNotes, IncomingItem, IncomingTurn, SentPiece } from './import/incoming.ts';
import { readJsonl } from './import/jsonl.ts';
import { type ReadMail, readIncomingMail } from './import/mail.ts';
import { redact } from './import/redact.ts';
import { createDistinct, toSentPieces } from './import/sent-pieces.ts';
import { createWarnings, printWarnings } from './import/warnings.ts';
import type { TenantArchive } from './tenant-archive.ts';
import { calendarOf } from './time/calendar.ts';

export interface BringPorts {
  readonly repository: ArchiveRepository;
  readonly tenant: TenantArchive;
  readonly clock: Clock;
  /** Reads one message of a mailbox; absent: mailboxes are not read. */
  readonly readMail?: ReadMail | undefined;
}

export interface BringOptions {
  readonly format: ExportFormat;
  readonly name: string;
  readonly timeZone?: string | undefined;
  readonly shared?: boolean | undefined;
  readonly redact?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((turns: number) => void) | undefined;
  /** One of the two. */
  readonly replies?: AsyncIterable<ExportReply>;
  /** Of a caller; what is wrong with them is refused instead of told. */
  readonly lines?: readonly object[];
}

/** Turns and characters that are written together: some 20 ms. */
const batchTurns = 200;
const batchCharacters = 500_000;
/** Characters of a conversation by which its language is told. */
const tellingCharacters = 2000;
/** Longest id that is kept as an export gives it. */
const mostIdCharacters = 256;

interface Open {
  readonly write: Omit<ArchiveConversationWrite, 'turns' | 'language'>;
  readonly turns: ArchiveTurnWrite[];
}

export async function bringIn(ports: BringPorts, options: BringOptions): Promise<ImportReport> {
  const { repository, tenant, clock, readMail } = ports;
  const { format, name, timeZone = 'UTC', shared = false, signal, onProgress, lines } = options;
  calendarOf(timeZone);
  const warnings = createWarnings();
  const pause = inPieces();
  let [created, updated, unchanged, removed, redactions] = [0, 0, 0, 0, 0];
  const conversations = new Set<string>();
  const notes: ImportNotes = {
    timeZone,
    name: name.replace(/\.[^.]+$/u, ''),
    signal,
    warn(message) {
      if (lines) throw new FootnoteError('invalid-request', message);
      warnings.warn(message);
    },
  };
  const distinctMail = createDistinct();
  let batch = new Map<string, Open>();
  /** All keys of conversations whose last turns are in the batch. */
  let wholes: { readonly id: string; readonly keys: readonly string[] }[] = [];
  let [turns, characters] = [0, 0];

  async function flush(): Promise<void> {
    if (turns === 0) return;
    const writes = [...batch.values()].map(({ write, turns: own }) => ({
      ...write,
      language: languageOf(own),
      turns: own,
    }));
    const kept = wholes;
    batch = new Map();
    wholes = [];
    [turns, characters] = [0, 0];
    let refused: ArchiveWritten['refused'] = [];
    await tenant.exclusively(async (index) => {
      const written = await repository.put(writes, clock.now());
      await index.remove(written.removed);
      await index.add(written.added);
      created += written.created;
      updated += written.updated;
      unchanged += written.unchanged;
      removed += written.removed.length - written.updated;
      for (const { id, keys } of kept) {
        const gone = await repository.keepOnly({ id, shared, format, keys: new Set(keys) });
        await index.remove(gone);
        removed += gone.length;
      }
      refused = written.refused;
    });
    for (const { conversation, turns: left } of refused) {
      const message = `Conversation "${conversation}" was shared by somebody else: ${left} of its turns are not brought in. Bring it in as your own, without "shared".`;
      if (lines) throw new FootnoteError('forbidden', message);
      notes.warn(message);
    }
    onProgress?.(created + updated + unchanged);
  }

  const clean = (message: ArchiveMessage): ArchiveMessage => {
    if (!options.redact) return message;
    const { text, count } = redact(message.text);
    redactions += count;
    return { ...message, text };
  };
  /** Where a turn without a time stands: behind the one before it. */
  const lastPosition = new Map<string, number>();

  const take = ({ conversation, turns: given, keys }: SentPiece): void => {
    const id = shortId(conversation.id);
    const { title } = conversation;
    conversations.add(id);
    // It stands twice in the export: what was called the whole of it was a part.
    wholes = wholes.filter((whole) => whole.id !== id);
    let open = batch.get(id);
    if (open === undefined) {
      open = { write: { id, format, shared, ...(title !== undefined && { title: title.slice(0, 500) }) }, turns: [] };
      batch.set(id, open);
    } else if (title !== undefined && open.write.title === undefined) {
      open = { write: { ...open.write, title }, turns: open.turns };
      batch.set(id, open);
    }
    for (const turn of given) {
      const position = turn.positionMs ?? turn.atMs ?? lastPosition.get(id) ?? 0;
      lastPosition.set(id, position);
      open.turns.push(toTurnWrite({ ...turn, messages: turn.messages.map(clean) }, position));
      turns += 1;
      for (const { text } of turn.messages) characters += text.length;
    }
    if (keys) wholes.push({ id, keys: keys.map(shortId) });
  };

  const pieceOf = async (item: IncomingItem): Promise<SentPiece | undefined> => {
    if (!('mail' in item)) return item;
    if (!readMail) throw new FootnoteError('unsupported-media', `${name} cannot be read as ${format}.`);
    const piece = await readIncomingMail(item, notes, readMail);
    return piece && distinctMail(piece);
  };

  async function* itemsOf(): AsyncGenerator<IncomingItem> {
    if (lines)
      yield* toSentPieces(
        readJsonl(() => printLines(lines), notes),
        notes,
      );
    for await (const { items, warned } of options.replies ?? []) {
      warnings.add(warned);
      yield* items;
    }
  }

  for await (const item of itemsOf()) {
    signal?.throwIfAborted();
    const piece = await pieceOf(item);
    if (piece) take(piece);
    if (turns >= batchTurns || characters >= batchCharacters) await flush();
    await pause();
  }
  await flush();
  await tenant.exclusively((index) => index.purge());
  if (conversations.size === 0 && !lines)
    notes.warn(
      `Nothing was brought in: no conversation was found that could be read as ${format}. Is it the right file?`,
    );
  return {
    format,
    conversations: conversations.size,
    turns: { created, updated, unchanged, removed },
    redactions,
    warnings: printWarnings(warnings.take()),
  };
}

/** One that is too long is told from others that begin alike by its hash. */
const shortId = (id: string): string =>
  id.length <= mostIdCharacters ? id : `${id.slice(0, mostIdCharacters - 65).toWellFormed()}~${sha256(id)}`;

async function* printLines(lines: readonly object[]): AsyncGenerator<Uint8Array> {
  const pause = inPieces();
  for (const line of lines) {
    await pause();
    yield Buffer.from(`${JSON.stringify(line)}\n`);
  }
}

function languageOf(turns: readonly ArchiveTurnWrite[]): string {
  let text = '';
  for (const { messages } of turns) {
    for (const message of messages)
      if (text.length < tellingCharacters) text += `${message.text.slice(0, tellingCharacters)}\n`;
    if (text.length >= tellingCharacters) break;
  }
  return guessLanguage(text);
}

function toTurnWrite({ key, id = key, messages, atMs, part }: IncomingTurn, position: number): ArchiveTurnWrite {
  return {
    key: shortId(key),
    id: shortId(id),
    messages: part ? inOrder(messages) : messages,
    position,
    ...(atMs !== undefined && { atMs }),
    ...(part && { part }),
  };
}

/** Of a turn whose lines may come in any order. */
const inOrder = (messages: readonly ArchiveMessage[]): readonly ArchiveMessage[] =>
  rolesInTurn.flatMap((role) => messages.filter((message) => message.role === role));
