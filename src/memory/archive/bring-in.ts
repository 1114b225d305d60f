// Conversations from an export into the record and its index, in batches: what was written stays when the rest fails or the process dies,
// and the next import of the same file goes on from there, since every turn is known by its key.
import { type ArchiveMessage, archiveRoles, type ExportFormat, type ImportReport } from '../../core/archive.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import type {
  ArchiveConversationWrite,
  ArchiveRepository,
  ArchiveTurnWrite,
  ArchiveWritten,
} from '../../db/repositories/archive.ts';
import { guessLanguage } from '../../text/language/language.ts';
import type { ImportNotes, IncomingPiece, IncomingTurn } from './import/incoming.ts';
import { readJsonl } from './import/jsonl.ts';
import { redact } from './import/redact.ts';
import type { TenantArchive } from './tenant-archive.ts';
import { calendarOf } from './time/calendar.ts';

export interface BringPorts {
  readonly repository: ArchiveRepository;
  readonly tenant: TenantArchive;
  readonly clock: Clock;
}

export interface BringOptions {
  readonly format: ExportFormat;
  readonly name: string;
  readonly timeZone?: string | undefined;
  readonly shared?: boolean | undefined;
  readonly redact?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((turns: number) => void) | undefined;
  /** What cannot be read is refused instead of told. */
  readonly isStrict?: boolean;
  /** One of the two. */
  readonly pieces?: (notes: ImportNotes) => AsyncIterable<IncomingPiece>;
  readonly lines?: readonly object[];
}

/** Turns and characters that are written together: some 50 ms. */
const batchTurns = 500;
const batchCharacters = 2_000_000;
const mostWarnings = 100;
/** Characters of a conversation by which its language is told. */
const tellingCharacters = 2000;
/** Longest id that an export may give. */
const mostIdCharacters = 256;

interface Open {
  readonly write: Omit<ArchiveConversationWrite, 'turns' | 'language'>;
  readonly turns: ArchiveTurnWrite[];
}

// oxlint-disable-next-line max-lines-per-function -- One item after another is counted in the same totals.
export async function bringIn({ repository, tenant, clock }: BringPorts, options: BringOptions): Promise<ImportReport> {
  const { format, name, timeZone = 'UTC', shared = false, signal, onProgress } = options;
  calendarOf(timeZone);
  /** Each with how often it was told. */
  const warnings = new Map<string, number>();
  let [created, updated, unchanged, removed, redactions] = [0, 0, 0, 0, 0];
  const conversations = new Set<string>();
  const notes: ImportNotes = {
    timeZone,
    name: name.replace(/\.[^.]+$/u, ''),
    signal,
    warn(message) {
      if (options.isStrict) throw new FootnoteError('invalid-request', message);
      const times = warnings.get(message);
      if (times !== undefined || warnings.size < mostWarnings) warnings.set(message, (times ?? 0) + 1);
    },
  };
  let batch = new Map<string, Open>();
  let [turns, characters] = [0, 0];

  async function flush(): Promise<void> {
    if (turns === 0) return;
    const writes = [...batch.values()].map(({ write, turns: own }) => ({
      ...write,
      language: languageOf(own),
      turns: own,
    }));
    batch = new Map();
    [turns, characters] = [0, 0];
    let refused: ArchiveWritten['refused'] = [];
    await tenant.exclusively(async (index) => {
      const written = await repository.put(writes, clock.now());
      index.remove(written.removed);
      await index.add(written.added);
      created += written.created;
      updated += written.updated;
      unchanged += written.unchanged;
      removed += written.removed.length - written.updated;
      refused = written.refused;
    });
    for (const { conversation, turns: left } of refused) {
      const message = `Conversation "${conversation}" was shared by somebody else: ${left} of its turns are not brought in. Bring it in as your own, without "shared".`;
      if (options.isStrict) throw new FootnoteError('forbidden', message);
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

  const take = (piece: IncomingPiece): void => {
    const { id, title } = piece.conversation;
    if (id.length > mostIdCharacters) {
      notes.warn(`A conversation whose id has ${id.length} characters is left out.`);
      return;
    }
    conversations.add(id);
    let open = batch.get(id);
    if (open === undefined) {
      open = { write: toWrite(piece, { format, shared, id, title }), turns: [] };
      batch.set(id, open);
    } else if (title !== undefined && open.write.title === undefined) {
      open = { write: { ...open.write, title }, turns: open.turns };
      batch.set(id, open);
    }
    for (const turn of piece.turns) {
      const position = turn.positionMs ?? turn.atMs ?? lastPosition.get(id) ?? 0;
      lastPosition.set(id, position);
      open.turns.push(toTurnWrite({ ...turn, messages: turn.messages.map(clean) }, position));
      turns += 1;
      for (const { text } of turn.messages) characters += text.length;
    }
  };

  for await (const piece of options.pieces?.(notes) ?? readJsonl(printLines(options.lines ?? []), notes)) {
    signal?.throwIfAborted();
    take(piece);
    if (turns >= batchTurns || characters >= batchCharacters) await flush();
  }
  await flush();
  await tenant.exclusively((index) => index.purge());
  if (conversations.size === 0 && options.pieces)
    notes.warn(
      `Nothing was brought in: no conversation was found that could be read as ${format}. Is it the right file?`,
    );
  return {
    format,
    conversations: conversations.size,
    turns: { created, updated, unchanged, removed },
    redactions,
    warnings: [...warnings].map(([message, times]) => (times === 1 ? message : `${message} (${times} times)`)),
  };
}

async function* printLines(lines: readonly object[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
}

function toWrite(
  { isWhole }: IncomingPiece,
  given: { format: string; shared: boolean; id: string; title: string | undefined },
): Open['write'] {
  const { format, shared, id, title } = given;
  return {
    id,
    format,
    shared,
    ...(title !== undefined && { title: title.slice(0, 500) }),
    ...(isWhole && { isWhole }),
  };
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

function toTurnWrite({ key, id = key, messages, atMs, isPart }: IncomingTurn, position: number): ArchiveTurnWrite {
  return {
    key: key.slice(0, mostIdCharacters),
    id: id.slice(0, mostIdCharacters),
    messages: isPart ? inOrder(messages) : messages,
    position,
    ...(atMs !== undefined && { atMs }),
    ...(isPart && { merge: true }),
  };
}

/** Of a turn whose lines may come in any order: the person first. */
const inOrder = (messages: readonly ArchiveMessage[]): readonly ArchiveMessage[] =>
  messages.toSorted((left, right) => {
    const first = ({ role }: ArchiveMessage): number =>
      role === archiveRoles[0] ? 0 : role === archiveRoles[1] ? 2 : 1;
    return first(left) - first(right);
  });
