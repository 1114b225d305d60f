// What was talked about in a time: its conversations in the order in which they began, each with its first words. Invariant: nothing that the caller may
// not read is counted or shown, and words are a run of the record's own.
import type { ArchiveMessage, DuringRequest, TimeConversations } from '../../core/archive.ts';
import { inPieces } from '../../core/waiting/pieces.ts';
import type { ArchiveIndex } from './index/index.ts';
import { searchTurns } from './index/search.ts';
import { type PeekPorts, readRange } from './peek.ts';
import { calendarOf } from './time/calendar.ts';

/** Characters of the first words. */
const longest = 160;

interface Group {
  readonly row: number;
  turns: number;
  first: number;
}

export async function lookDuring(
  index: ArchiveIndex,
  { time_range, limit }: DuringRequest,
  { repository, owners }: Pick<PeekPorts, 'repository' | 'owners'>,
): Promise<TimeConversations> {
  const range = readRange(time_range, calendarOf('UTC'));
  const { admits, turns } = await searchTurns(index, { terms: [], ...(owners && { owners }), ...range });
  const { columns } = index;
  const pause = inPieces();
  const groups = new Map<number, Group>();
  const atOf = (place: number): number => columns.atMs[place] as number;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < columns.size; place += 1) {
    if (place % 4096 === 0) await pause();
    if (!admits(place) || Number.isNaN(atOf(place))) continue;
    lastMs = Math.max(lastMs, atOf(place));
    const row = columns.conversations[place] as number;
    const group = groups.get(row) ?? { row, turns: 0, first: place };
    groups.set(row, group);
    group.turns += 1;
    if (atOf(place) < atOf(group.first)) group.first = place;
  }
  // Those with most turns are shown, in the order of time.
  const shown = [...groups.values()]
    .sort((left, right) => right.turns - left.turns || left.row - right.row)
    .slice(0, limit)
    .sort((left, right) => atOf(left.first) - atOf(right.first));
  const names = await repository.conversations(shown.map(({ row }) => row));
  const firsts = await repository.turns(shown.map(({ first }) => columns.rows[first] as number));
  return {
    turns,
    total: groups.size,
    ...(groups.size > 0 && { last_timestamp: new Date(lastMs).toISOString() }),
    conversations: shown.flatMap(({ row, turns: own, first }) => {
      const name = names.get(row);
      const turn = firsts.find((one) => one.row === columns.rows[first]);
      const message = turn?.messages.find(({ role }) => role === 'user') ?? turn?.messages[0];
      if (!name || !turn || !message) return [];
      return {
        conversation_id: name.conversation_id,
        title: name.title,
        turns: own,
        turn_id: turn.id,
        timestamp: new Date(atOf(first)).toISOString(),
        role: message.role,
        ...(message.author !== undefined && { author: message.author }),
        words: firstWords(message),
      };
    }),
  };
}

/** The first line, cut where a word ends. */
function firstWords({ text }: ArchiveMessage): string {
  const line = /\S[^\n]*/u.exec(text)?.[0].trimEnd() ?? '';
  if (line.length <= longest) return line;
  const cut = line.lastIndexOf(' ', longest);
  return line.slice(0, cut > 0 ? cut : longest).toWellFormed();
}
