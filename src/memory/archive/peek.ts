// A look at the archive from above: how many turns speak of something and when, over all of them, and pieces of the few that say most.
// Invariant: what it counts is what a count of every turn would give; bins have no gaps, and nothing that the caller may not read is in them.
import {
  type ArchiveMessage,
  type ArchiveRole,
  archiveRoles,
  type Peek,
  type PeekRequest,
  type PeekShare,
  type PeekSnippet,
  type TimeRange,
} from '../../core/archive.ts';
import { FootnoteError } from '../../core/errors.ts';
import { inPieces } from '../../core/waiting/pieces.ts';
import type { ArchiveRepository } from '../../db/repositories/archive.ts';
import { analyzeQuery, analyzeWords } from '../../text/analyze.ts';
import type { ArchiveIndex } from './index/index.ts';
import type { ArchiveMeaning } from './index/meaning.ts';
import { bestHits, type RankedTurn, rankTurns, timeWeights } from './index/rank.ts';
import { searchTurns, type TurnHits, type TurnSearch } from './index/search.ts';
import { leastSimilar, similarTurns } from './index/similar.ts';
import type { Nearness } from './index/turn-vectors.ts';
import { createTelling, isAboutTime } from './telling.ts';
import { type Calendar, calendarOf, readInstant } from './time/calendar.ts';
import { type Bins, chooseUnit, cutBins, printBins, suggestZoom } from './time/histogram.ts';

export interface PeekPorts {
  readonly repository: ArchiveRepository;
  /** Of those whose conversations may be read; undefined: all. */
  readonly owners?: ReadonlySet<string> | undefined;
  readonly meaning?: Pick<ArchiveMeaning, 'nearTo'> | undefined;
}

/** Conversations whose shares are told. */
const mostShares = 50;
/** Languages of an archive in which a query is read. */
const mostLanguages = 4;
/** Turns whose texts decide which are shown. */
const readAnew = 100;

export const queryTerms = (index: ArchiveIndex, query: string): readonly string[] => {
  const languages = index.languages().slice(0, mostLanguages);
  return analyzeQuery(query, languages.length > 0 ? { languages } : {});
};

export async function peekArchive(index: ArchiveIndex, request: PeekRequest, ports: PeekPorts): Promise<Peek> {
  const { top_k: topK = 100, top_n_snippets: topN = 10, time_zone: timeZone = 'UTC', by = [] } = request;
  const { repository } = ports;
  // Each step takes some ms for a hundred thousand hits: others have their turn between them.
  const pause = inPieces();
  if (request.query.trim() === '') throw new FootnoteError('invalid-request', 'query: is empty. Say what to look for.');
  const calendar = calendarOf(timeZone);
  const range = readRange(request.time_range, calendar);
  const inside = await conversationOf(repository, request.conversation_id);
  const terms = queryTerms(index, request.query);
  const { hits, near } = await findHits(
    index,
    request,
    {
      terms,
      ...(ports.owners && { owners: ports.owners }),
      ...(inside && { conversation: inside.row }),
      ...range,
    },
    ports,
  );
  const { atMs } = index.columns;
  const best = bestHits(hits, topK);
  await pause();

  const { undated, firstMs, lastMs, isDated } = timesOf(hits, atMs);
  await pause();
  const fromMs = range.fromMs ?? (isDated ? firstMs : undefined);
  const untilMs = range.toMs === undefined ? (isDated ? lastMs : undefined) : range.toMs - 1;
  const span = fromMs !== undefined && untilMs !== undefined && { fromMs, lastMs: Math.max(fromMs, untilMs) };
  const unit = chooseUnit(span || { fromMs: 0, lastMs: 0 }, request.bin);
  const bins = span ? cutBins(span, unit, calendar) : undefined;
  const count = (places: Iterable<number>): number[] => countBins(places, bins, atMs);
  const histogram = bins ? printBins(bins, { counts: count(hits.places), best: count(best) }, calendar) : [];
  await pause();

  const shares = countConversations(index, hits);
  const ranked =
    topN === 0 ? [] : rankedOf(index, hits, { query: request.query, topN, isByMeaning: near !== undefined });
  const zoom = suggestZoom(histogram, unit);
  await pause();
  const roles = by.includes('role') ? countRoles(index, hits, bins) : undefined;
  await pause();
  return {
    query: request.query,
    terms: [...new Set(terms)],
    bin: unit,
    time_zone: timeZone,
    ...(request.time_range && { time_range: request.time_range }),
    total: {
      hits: hits.places.length,
      conversations: shares.length,
      undated,
      turns: hits.turns,
      ...(isDated && { first_timestamp: toTime(firstMs), last_timestamp: toTime(lastMs) }),
    },
    histogram,
    ...(by.includes('conversation') && (await printShares(index, { hits, best, shares, bins }, repository))),
    ...(roles && { roles }),
    snippets: await printSnippets(index, { ranked, terms: new Set(terms), query: request.query, topN }, repository),
    ...(zoom && { zoom }),
    ...(near && { meaning: { similarity: leastSimilar, turns: near.turns } }),
  };
}

/** Turns that share a term with the query or, where that is asked for and can be said, are near it in meaning. */
async function findHits(
  index: ArchiveIndex,
  { query, meaning }: PeekRequest,
  search: TurnSearch,
  ports: Pick<PeekPorts, 'meaning'>,
): Promise<{ readonly hits: TurnHits; readonly near?: Nearness }> {
  if (meaning && ports.meaning) {
    const filtered = await searchTurns(index, { ...search, terms: [] });
    const near = await ports.meaning.nearTo(index, query, filtered.admits);
    if (near) return { hits: similarTurns(filtered, near), near };
  }
  return { hits: await searchTurns(index, search) };
}

function rankedOf(
  index: ArchiveIndex,
  hits: TurnHits,
  { query, topN, isByMeaning }: { query: string; topN: number; isByMeaning: boolean },
): readonly RankedTurn[] {
  if (hits.places.length === 0) return [];
  if (isByMeaning)
    return bestHits(hits, 2 * topN).map((place) => ({ place, score: hits.scores[place] as number, hit: true }));
  const limit = Math.max(readAnew, 2 * topN);
  return rankTurns(index, hits, { limit, ...(isAboutTime(query) && { weights: timeWeights }) });
}

/** When the hits were said: the first and the last of them, and how many have no time. */
function timesOf({ places }: TurnHits, atMs: Float64Array) {
  let [undated, firstMs, lastMs] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const place of places) {
    const ms = atMs[place] as number;
    if (Number.isNaN(ms)) undated += 1;
    else {
      if (ms < firstMs) firstMs = ms;
      if (ms > lastMs) lastMs = ms;
    }
  }
  return { undated, firstMs, lastMs, isDated: firstMs <= lastMs };
}

const toTime = (ms: number): string => new Date(ms).toISOString();

async function conversationOf(repository: ArchiveRepository, id: string | undefined) {
  if (id === undefined) return undefined;
  const found = await repository.conversation(id);
  if (!found) throw new FootnoteError('not-found', `There is no conversation "${id}" in the archive.`);
  return found;
}

export function readRange(range: TimeRange | undefined, calendar: Calendar): { fromMs?: number; toMs?: number } {
  const fromMs = range?.from === undefined ? undefined : readInstant(range.from, calendar, 'time_range.from');
  const toMs = range?.to === undefined ? undefined : readInstant(range.to, calendar, 'time_range.to');
  if (fromMs !== undefined && toMs !== undefined && toMs <= fromMs)
    throw new FootnoteError(
      'invalid-request',
      'time_range: "to" must be after "from"; it does not belong to the range.',
    );
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}

function countBins(places: Iterable<number>, bins: Bins | undefined, atMs: Float64Array): number[] {
  if (!bins) return [];
  const counts = new Array<number>(bins.edges.length - 1).fill(0);
  for (const place of places) {
    const bin = bins.binAt(atMs[place] as number);
    if (bin !== -1) counts[bin] = (counts[bin] as number) + 1;
  }
  return counts;
}

interface Share {
  readonly row: number;
  readonly count: number;
}

/** Conversations with hits, most first. */
function countConversations({ columns }: ArchiveIndex, { places }: TurnHits): readonly Share[] {
  const { conversations } = columns;
  let last = 0;
  for (const place of places) last = Math.max(last, conversations[place] as number);
  const counts = new Uint32Array(last + 1);
  for (const place of places) {
    const row = conversations[place] as number;
    counts[row] = (counts[row] as number) + 1;
  }
  const shares: Share[] = [];
  for (const [row, count] of counts.entries()) if (count > 0) shares.push({ row, count });
  return shares.sort((left, right) => right.count - left.count || left.row - right.row);
}

async function printShares(
  { columns }: ArchiveIndex,
  {
    hits,
    best,
    shares,
    bins,
  }: { hits: TurnHits; best: readonly number[]; shares: readonly Share[]; bins: Bins | undefined },
  repository: ArchiveRepository,
): Promise<Pick<Peek, 'conversations' | 'conversations_omitted'>> {
  const { conversations, atMs } = columns;
  const shown = shares.slice(0, mostShares);
  const known = await repository.conversations(shown.map(({ row }) => row));
  const byRow = new Map<number, number[]>(shown.map(({ row }) => [row, []]));
  for (const place of hits.places) byRow.get(conversations[place] as number)?.push(place);
  const printed: PeekShare[] = shown.flatMap(({ row, count }) => {
    const conversation = known.get(row);
    if (!conversation) return [];
    return {
      conversation_id: conversation.conversation_id,
      title: conversation.title,
      count,
      top_k: best.filter((place) => conversations[place] === row).length,
      counts: countBins(byRow.get(row) ?? [], bins, atMs),
    };
  });
  return { conversations: printed, conversations_omitted: shares.length - printed.length };
}

function countRoles({ columns }: ArchiveIndex, { places, roles }: TurnHits, bins: Bins | undefined) {
  const own: number[][] = archiveRoles.map(() => []);
  for (const place of places)
    for (let bit = 0; bit < own.length; bit += 1)
      if (((roles[place] as number) & (1 << bit)) !== 0) own[bit]?.push(place);
  return archiveRoles.flatMap((role: ArchiveRole, bit) => {
    const said = own[bit] ?? [];
    return said.length === 0 ? [] : { role, count: said.length, counts: countBins(said, bins, columns.atMs) };
  });
}

async function printSnippets(
  { columns }: ArchiveIndex,
  {
    ranked,
    terms,
    query,
    topN,
  }: {
    readonly ranked: readonly RankedTurn[];
    readonly terms: ReadonlySet<string>;
    readonly query: string;
    readonly topN: number;
  },
  repository: ArchiveRepository,
): Promise<readonly PeekSnippet[]> {
  const turns = await repository.turns(ranked.map(({ place }) => columns.rows[place] as number));
  const byRow = new Map(turns.map((turn) => [turn.row, turn]));
  const telling = createTelling(query);
  const best = ranked
    .flatMap(({ place, score, hit }) => {
      const turn = byRow.get(columns.rows[place] as number);
      return turn ? [{ turn, hit, place, score: score * telling(turn) }] : [];
    })
    .sort((left, right) => right.score - left.score || left.place - right.place)
    .slice(0, topN);
  const conversations = await repository.conversations(best.map(({ turn }) => turn.conversation));
  return best.flatMap(({ turn, score, hit }) => {
    const conversation = conversations.get(turn.conversation);
    const snippet = snippetOf(turn.messages, terms, turn.language);
    if (!conversation || !snippet) return [];
    return {
      turn_id: turn.id,
      conversation_id: conversation.conversation_id,
      title: conversation.title,
      ...(turn.atMs !== undefined && { timestamp: toTime(turn.atMs) }),
      role: snippet.message.role,
      ...(snippet.message.author !== undefined && { author: snippet.message.author }),
      snippet: snippet.text,
      score: Number(score.toFixed(4)),
      hit,
    };
  });
}

const windowCharacters = 240;
/** A long message is looked through up to here. */
const searchedCharacters = 20_000;

interface Snippet {
  readonly message: ArchiveMessage;
  readonly text: string;
}

/** The window of a text that says most of a query, cut where words end. */
function snippetOf(
  messages: readonly ArchiveMessage[],
  terms: ReadonlySet<string>,
  language: string,
): Snippet | undefined {
  let best: { readonly message: ArchiveMessage; readonly start: number; readonly score: number } | undefined;
  for (const message of messages) {
    const words = analyzeWords(message.text.slice(0, searchedCharacters), { language }).filter(({ term }) =>
      terms.has(term),
    );
    // The window slides: words leave it at its start and come in at its end.
    const inside = new Map<string, number>();
    let next = 0;
    for (const [at, { term, start }] of words.entries()) {
      for (; next < words.length && (words[next]?.end ?? 0) <= start + windowCharacters; next += 1) {
        const coming = words[next]?.term ?? '';
        inside.set(coming, (inside.get(coming) ?? 0) + 1);
      }
      const score = inside.size + (next - at) / 1000;
      if (best === undefined || score > best.score) best = { message, start, score };
      const left = (inside.get(term) ?? 0) - 1;
      if (left > 0) inside.set(term, left);
      else inside.delete(term);
    }
  }
  const [first] = messages;
  if (best)
    return { message: best.message, text: cut(best.message.text, Math.max(0, best.start - windowCharacters / 4)) };
  return first && { message: first, text: cut(first.text, 0) };
}

function cut(text: string, from: number): string {
  let start = Math.floor(from);
  if (start > 0) start = Math.max(0, text.lastIndexOf(' ', start) + 1);
  let end = Math.min(text.length, start + windowCharacters);
  if (end < text.length) {
    const space = text.lastIndexOf(' ', end);
    if (space > start + windowCharacters / 2) end = space;
  }
  const piece = text.slice(start, end).replace(/\s+/gu, ' ').trim().toWellFormed();
  return `${start > 0 ? '… ' : ''}${piece}${end < text.length ? ' …' : ''}`;
}
