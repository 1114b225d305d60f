// What became of each passage that a trace tells of, where it stands and how it begins. Pure.
import type { SavedTrace } from '../shared/contract.ts';
import { placeOf } from '../shared/markdown.ts';
import { cut } from '../shared/text.ts';
import { answerOf, eventsOfType } from './findings.ts';

interface Passage {
  readonly chunkId: string;
  readonly title: string;
  readonly documentId?: string;
  readonly start?: number;
  readonly end?: number;
  /** Headings over it, below the title. */
  readonly headings?: readonly string[];
  /** `page 4`, or as the page calls itself. */
  readonly place?: string;
  /** Its first words, without its own heading. */
  readonly words?: string;
}
type Fate = 'cited' | 'read' | 'left out';
export interface PassageFate extends Passage {
  readonly fate: Fate;
  /** Why it went no further, each reason once. */
  readonly reasons: readonly string[];
  readonly score?: number;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const firstWords = 160;

function passageOf(chunk: Fields, document: Fields): Passage {
  const id = String(chunk['id']);
  const title = String(document['title'] || document['uri']);
  const path = textsIn(chunk['headingPath']);
  const headings = path[0] === title ? path.slice(1) : path;
  const [from, to] = textsIn(chunk['pages']);
  const lines = textsIn(chunk['lines']).map(Number);
  const own = textIn(chunk['place']);
  const place =
    from === undefined
      ? placeOf({
          ...(lines.length === 2 && { lines: [lines[0] ?? 0, lines[1] ?? 0] }),
          ...(own && own !== path.at(-1) && { place: own }),
        })
      : from === to
        ? `page ${from}`
        : `pages ${from}–${to}`;
  const words = flat(withoutHeading(textIn(chunk['text']), path.at(-1)));
  return {
    chunkId: id,
    title,
    documentId: String(document['id']),
    start: Number(chunk['start']),
    end: Number(chunk['end']),
    ...(headings.length > 0 && { headings }),
    ...(place && { place }),
    ...(words && { words: cut(words, firstWords) }),
  };
}

const flat = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** A piece of a document begins with its heading, which is shown above it already. */
function withoutHeading(text: string, heading: string | undefined): string {
  const [first = '', ...others] = text.trimStart().split('\n');
  const isHeading = heading !== undefined && flat(first.replace(/^#+ /u, '')) === flat(heading);
  return isHeading && others.length > 0 ? others.join('\n') : text;
}

/** What calls said of passages, by chunk. */
interface Said {
  readonly passages: Map<string, Passage>;
  /** Where words of them stand that were quoted, with what a page calls itself. */
  readonly places: Map<string, string>;
}

/** Rows of the record and spans that were read, wherever they stand in a reply. */
function passagesIn(value: unknown, said: Said): void {
  if (Array.isArray(value)) for (const one of value) passagesIn(one, said);
  if (!isFields(value)) return;
  const { chunk, document, chunkId, quote } = value;
  if (isFields(chunk) && isFields(document) && typeof chunk['id'] === 'string')
    said.passages.set(chunk['id'], passageOf(chunk, document));
  else if (typeof chunkId === 'string' && typeof quote === 'string')
    said.places.set(chunkId, placeOf(value as Parameters<typeof placeOf>[0]));
  else for (const one of Object.values(value)) if (typeof one === 'object') passagesIn(one, said);
}

/** The documents of hits that were never read further, by chunk. */
function hitsIn(saved: SavedTrace): ReadonlyMap<string, string> {
  const hits = new Map<string, string>();
  for (const { call } of eventsOfType(saved, 'call')) {
    const found = isFields(call.response) ? call.response['hits'] : undefined;
    for (const hit of Array.isArray(found) ? found : [])
      if (isFields(hit)) hits.set(String(hit['chunkId']), String(hit['documentId']));
  }
  return hits;
}

/** In plain words; each passage has a figure of its own there. */
const plainReason = (reason: string): string =>
  reason.startsWith('budget:') ? 'what stood before it took the room for passages' : reason;

/** Every passage that is told of: what was cited first, then what was read, then what was left out and why. */
export function passagesOf(saved: SavedTrace): PassageFate[] {
  const said: Said = { passages: new Map(), places: new Map() };
  for (const { call } of eventsOfType(saved, 'call')) passagesIn(call.response, said);
  const { passages: known, places } = said;
  const placed = (chunkId: string) => {
    const place = places.get(chunkId);
    return place ? { place } : {};
  };
  const hits = hitsIn(saved);
  const titles = new Map([...known.values()].map(({ documentId, title }) => [documentId, title]));
  const fates = new Map<
    string,
    { fate: Fate; score?: number; reasons: Set<string>; title?: string; documentId?: string }
  >();
  const of = (chunkId: string) => {
    const one = fates.get(chunkId) ?? { fate: 'left out' as Fate, reasons: new Set<string>() };
    fates.set(chunkId, one);
    return one;
  };
  for (const { chunkId, title, documentId, cited, score } of answerOf(saved)?.sources ?? [])
    Object.assign(of(chunkId), { fate: cited ? 'cited' : 'read', title, documentId, score });
  for (const { chunkId, documentId, score } of eventsOfType(saved, 'searched').flatMap(({ results }) => results))
    Object.assign(of(chunkId), { fate: 'read', documentId, score });
  for (const { passages } of eventsOfType(saved, 'left-out'))
    for (const { reason, chunkIds } of passages)
      for (const chunkId of chunkIds) of(chunkId).reasons.add(plainReason(reason));
  const order: readonly Fate[] = ['cited', 'read', 'left out'];
  return [...fates]
    .map(([chunkId, { reasons, title, documentId = hits.get(chunkId), ...rest }]) => ({
      chunkId,
      title: title ?? titles.get(documentId) ?? chunkId,
      ...(documentId !== undefined && { documentId }),
      ...known.get(chunkId),
      ...placed(chunkId),
      ...rest,
      reasons: [...reasons],
    }))
    .toSorted((one, other) => order.indexOf(one.fate) - order.indexOf(other.fate));
}
