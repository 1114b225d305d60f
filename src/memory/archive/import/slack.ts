// Slack's export: a ZIP of `users.json`, `channels.json` and a folder for each channel with a file for each day. A channel is a conversation,
// each message a turn, known by its `ts`; a reply stands with the message it answers. People are shown by their names.
import { FootnoteError } from '../../../core/errors.ts';
import { type ImportNotes, type IncomingPiece, isRecord, textOf, toTimestamp } from './incoming.ts';
import { jsonMembers } from './json-stream.ts';

export interface SlackDay {
  /** Path within the export, such as `general/2024-03-01.json`. */
  readonly path: string;
  open(): AsyncIterable<Uint8Array>;
}

const dayPattern = /(?:^|\/)([^/]+)\/\d{4}-\d{2}-\d{2}\.json$/u;
const listPattern = /(?:^|\/)users\.json$/u;

export const isSlackExport = (paths: readonly string[]): boolean =>
  paths.some((path) => dayPattern.test(path)) && paths.some((path) => /(?:^|\/)(?:users|channels)\.json$/u.test(path));

export async function* readSlack(files: readonly SlackDay[], notes: ImportNotes): AsyncGenerator<IncomingPiece> {
  const people = new Map<string, string>();
  for (const file of files.filter(({ path }) => listPattern.test(path)))
    for await (const user of jsonMembers(file.open(), notes)) {
      const id = isRecord(user) ? textOf(user['id']) : undefined;
      if (isRecord(user) && id !== undefined) people.set(id, nameOf(user) ?? id);
    }
  const days = files
    .filter(({ path }) => dayPattern.test(path))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  if (days.length === 0) throw new FootnoteError('invalid-media', 'The Slack export has no folder of a channel.');
  for (const day of days) {
    const channel = dayPattern.exec(day.path)?.[1] as string;
    const conversation = { id: `slack:${channel}`, title: `#${channel}` };
    for await (const message of jsonMembers(day.open(), notes)) {
      const turn = isRecord(message) ? readMessage(message, people, notes) : undefined;
      if (turn) yield { conversation, turns: [turn] };
    }
  }
}

function nameOf(user: Readonly<Record<string, unknown>>): string | undefined {
  const profile = isRecord(user['profile']) ? user['profile'] : {};
  return (
    textOf(profile['display_name']) ?? textOf(profile['real_name']) ?? textOf(user['real_name']) ?? textOf(user['name'])
  );
}

/** Joins, leaves and the like say nothing. */
const silent = /^(?:channel_|group_|bot_add|bot_remove|pinned_item|reminder_add|tombstone)/u;

function readMessage(
  message: Readonly<Record<string, unknown>>,
  people: ReadonlyMap<string, string>,
  notes: ImportNotes,
) {
  const ts = textOf(message['ts']);
  const subtype = textOf(message['subtype']) ?? '';
  const files = Array.isArray(message['files']) ? message['files'] : [];
  const names = files.flatMap((file: unknown) => (isRecord(file) ? (textOf(file['name']) ?? []) : []));
  const text = [plain(textOf(message['text']) ?? '', people), ...names.map((name) => `[${name}]`)]
    .filter(Boolean)
    .join('\n');
  const atMs = ts === undefined ? Number.NaN : Math.round(Number(ts) * 1000);
  if (text.trim() !== '' && !Number.isFinite(atMs)) notes.warn('A message without a time is left out.');
  if (ts === undefined || !Number.isFinite(atMs) || text.trim() === '' || silent.test(subtype)) return undefined;
  const user = textOf(message['user']);
  const isBot = subtype === 'bot_message' || textOf(message['bot_id']) !== undefined;
  const author = (user && people.get(user)) ?? textOf(message['username']) ?? user;
  const thread = textOf(message['thread_ts']);
  const positionMs = thread === undefined ? atMs : Math.round(Number(thread) * 1000);
  const timestamp = toTimestamp(atMs);
  return {
    key: ts,
    atMs,
    ...(Number.isFinite(positionMs) && { positionMs }),
    messages: [
      {
        role: isBot ? ('assistant' as const) : ('user' as const),
        ...(author !== undefined && author !== '' && { author }),
        text,
        ...(timestamp !== undefined && { timestamp }),
      },
    ],
  };
}

/** Slack's marks as people see them: `<@U1>`, `<#C1|general>`, `<https://x|y>`, and three escaped characters. */
function plain(text: string, people: ReadonlyMap<string, string>): string {
  return text
    .replace(/<([^<>]*)>/gu, (_, inner: string) => {
      const [target = '', label] = inner.split('|', 2);
      if (target.startsWith('@')) return `@${label ?? people.get(target.slice(1)) ?? target.slice(1)}`;
      if (target.startsWith('#')) return `#${label ?? target.slice(1)}`;
      if (target.startsWith('!')) return `@${label ?? target.slice(1)}`;
      return label === undefined || label === target ? target : `${label} (${target})`;
    })
    .replace(/&lt;/gu, '<')
    .replace(/&gt;/gu, '>')
    .replace(/&amp;/gu, '&');
}
