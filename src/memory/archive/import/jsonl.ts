// The generic form: a line for each message, `{conversation_id, turn_id, role, text, timestamp, title?}`. Lines of one turn id are one turn;
// without turn ids a person's line and what follows it are. Other fields are let be.
import type { ArchiveRole } from '../../../core/archive.ts';
import { sha256 } from '../../../core/ids.ts';
import { type ImportNotes, type IncomingPiece, isRecord, type TurnPart, textOf } from './incoming.ts';
import { linesOf } from './json-stream.ts';
import { toMessage } from './pair-turns.ts';
import { readTime } from './times.ts';

interface Line {
  readonly conversation: string;
  readonly title: string | undefined;
  readonly turn: string | undefined;
  readonly role: ReturnType<typeof toRole>;
  readonly text: string;
  readonly atMs: number | undefined;
}

const idOf = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : textOf(value);

/** A line as it is read, or what is wrong with it. */
export function readLine(value: unknown, timeZone: string): Line | string {
  if (!isRecord(value)) return 'it is no JSON object';
  const conversation = idOf(value['conversation_id'] ?? value['conversationId']);
  if (conversation === undefined) return 'it has no conversation_id';
  const text = value['text'] ?? value['content'];
  if (typeof text !== 'string' || text.trim() === '') return 'it has no text';
  if (typeof value['role'] !== 'string') return 'it has no role';
  const given = value['timestamp'] ?? value['created_at'];
  const atMs = readTime(given, timeZone);
  if (atMs === undefined && given !== undefined && given !== null)
    return `its timestamp ${JSON.stringify(given)} is none`;
  return {
    conversation,
    title: textOf(value['title']),
    turn: idOf(value['turn_id'] ?? value['turnId']),
    role: toRole(value['role'], textOf(value['author']) ?? textOf(value['name'])),
    text: text.toWellFormed(),
    atMs,
  };
}

interface Open {
  readonly key: string;
  readonly hasTurnId: boolean;
  readonly lines: Line[];
}

/** Conversations whose last turn is remembered at once. */
const remembered = 10_000;

/** Opens the same lines as often as it is called: they are read twice. */
export type OpenBytes = () => AsyncIterable<Uint8Array>;

/** A turn's lines may lie apart, with others between: first they are counted, so that each run of them knows its place in its turn. */
export async function* readJsonl(open: OpenBytes, notes: ImportNotes): AsyncGenerator<IncomingPiece> {
  const totals = new Map<number, number>();
  const quiet = { ...notes, warn: () => undefined };
  for await (const { key, read } of linesIn(open(), quiet)) count(totals, read, key);
  /** Lines that were given of turns that lie apart. */
  const given = new Map<number, number>();
  const toPiece = (lines: Open): IncomingPiece => pieceOf(lines, { totals, given });
  let run: Open | undefined;
  for await (const { key, read } of linesIn(open(), notes)) {
    const last = run?.lines[0];
    if (run && last && (run.key !== key || last.conversation !== read.conversation)) {
      yield toPiece(run);
      run = undefined;
    }
    run ??= { key, hasTurnId: read.turn !== undefined, lines: [] };
    run.lines.push(read);
  }
  if (run) yield toPiece(run);
}

async function* linesIn(bytes: AsyncIterable<Uint8Array>, notes: ImportNotes) {
  /** The turn without an id that a conversation is in, and how often each line without one was seen. */
  const current = new Map<string, string>();
  const seen = new Map<string, number>();
  for await (const { line, number } of linesOf(bytes)) {
    notes.signal?.throwIfAborted();
    const content = number === 1 ? line.replace(/^\ufeff/u, '') : line;
    if (content.trim() === '') continue;
    const read = parseLine(content, notes.timeZone);
    if (typeof read === 'string') notes.warn(`Line ${number} is left out: ${read}.`);
    else yield { read, key: read.turn ?? impliedKey(read, current, seen) };
  }
}

/** Of the lines of one role in one turn. A number takes a fifth of what a text would; two are alike once in 9e15. */
const nameOf = ({ conversation, role }: Line, key: string): number =>
  Number.parseInt(sha256(JSON.stringify([conversation, key, role.role])).slice(0, 13), 16);

/** Returns how many there were before. */
function count(counts: Map<number, number>, line: Line, key: string): number {
  const name = nameOf(line, key);
  const before = counts.get(name) ?? 0;
  counts.set(name, before + 1);
  return before;
}

function parseLine(line: string, timeZone: string): Line | string {
  try {
    return readLine(JSON.parse(line), timeZone);
  } catch {
    return 'it is no JSON';
  }
}

/** A person's line begins a turn, named by what it is; what follows belongs to it. */
function impliedKey(line: Line, current: Map<string, string>, seen: Map<string, number>): string {
  const { conversation, role, text, atMs } = line;
  const known = current.get(conversation);
  if (role.role !== 'user' && known !== undefined) return known;
  const name = sha256(JSON.stringify([conversation, role, atMs ?? null, text])).slice(0, 24);
  const copy = (seen.get(name) ?? 0) + 1;
  seen.set(name, copy);
  const key = copy === 1 ? name : `${name}-${copy}`;
  if (current.size >= remembered) current.delete(current.keys().next().value as string);
  if (seen.size >= remembered * 10) seen.delete(seen.keys().next().value as string);
  current.delete(conversation);
  current.set(conversation, key);
  return key;
}

interface Counts {
  readonly totals: ReadonlyMap<number, number>;
  readonly given: Map<number, number>;
}

function partOf({ key, lines }: Open, { totals, given }: Counts): TurnPart {
  const part: { [role in ArchiveRole]?: { at: number; of: number } } = {};
  for (const line of lines) {
    const { role } = line.role;
    if (part[role]) continue;
    const name = nameOf(line, key);
    const own = lines.filter((other) => other.role.role === role).length;
    const of = totals.get(name) ?? own;
    const at = given.get(name) ?? 0;
    if (of > own) given.set(name, at + own);
    part[role] = { at, of };
  }
  return part;
}

function pieceOf(run: Open, counts: Counts): IncomingPiece {
  const { key, hasTurnId, lines } = run;
  const [first] = lines as [Line];
  const title = lines.find((line) => line.title !== undefined)?.title;
  const times = lines.flatMap(({ atMs }) => atMs ?? []);
  return {
    conversation: { id: first.conversation, ...(title !== undefined && { title }) },
    turns: [
      {
        key,
        ...(!hasTurnId && { id: `turn_${key}` }),
        messages: lines.map(({ role, text, atMs }) => toMessage({ key, ...role, text, atMs })),
        ...(times.length > 0 && { atMs: Math.min(...times) }),
        part: partOf(run, counts),
      },
    ],
  };
}

const roles = new Map(
  Object.entries({
    user: 'user human person',
    assistant: 'assistant ai bot model chatgpt claude gpt',
    system: 'system developer',
    tool: 'tool function',
  } satisfies Record<ArchiveRole, string>).flatMap(([role, names]) =>
    names.split(' ').map((name) => [name, role as ArchiveRole] as const),
  ),
);

/** Exports call the roles of speakers by many names; a name of its own is a person. */
function toRole(name: string, author?: string | undefined): { readonly role: ArchiveRole; readonly author?: string } {
  const lower = name.trim().toLowerCase();
  const known = roles.get(lower);
  const shown = author ?? (known === undefined ? name.trim().slice(0, 200) : undefined);
  return { role: known ?? 'user', ...(shown !== undefined && shown !== '' && { author: shown }) };
}
