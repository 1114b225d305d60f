// Documents analysed on a worker thread before their transaction, which then only writes what is known. Remembered by the
// identity of their chunks, for as long as these live; whoever finds nothing analyses in place.
import type { Chunk } from '../../core/document.ts';
import { openSegment, type Segment } from '../../engine/segment.ts';
import type { EngineThreads } from '../../engine/threads/engine-threads.ts';
import type { AnalyzedText, ChunkText } from '../../engine/threads/protocol.ts';
import { guessLanguage } from '../../text/language/language.ts';
import type { StoreDocument } from '../delivered.ts';

/** Less text than this is analysed in its transaction: some 2 ms, and ten times as many before the code is compiled. */
const prepareFromCharacters = 10_000;
/** Text of one order to a thread at most: some 50 ms. */
const pieceCharacters = 200_000;

/** Chunks analysed together, as a segment whose rows are still to be numbered. */
export interface Fragment {
  readonly segment: Segment;
  /** Set once its rows were numbered: then it is part of an index, and of no other. */
  used: boolean;
}

/** Chunks `from` and following of a document, at `offset` in the fragment. */
export interface Piece {
  readonly fragment: Fragment;
  readonly from: number;
  readonly offset: number;
  readonly count: number;
}

export interface PreparedDocument {
  readonly language: string;
  /** Of each chunk, as the log keeps them. */
  readonly terms: readonly string[];
  readonly pieces: readonly Piece[];
}

interface Remembered extends PreparedDocument {
  readonly id: string;
  readonly title: string;
  readonly named: string | undefined;
}

const remembered = new WeakMap<readonly Chunk[], Remembered>();

/** What was prepared of this document, if it is still the same. */
export function preparedOf({ document, chunks }: StoreDocument): PreparedDocument | undefined {
  const found = remembered.get(chunks);
  if (found?.terms.length !== chunks.length) return undefined;
  return found.id === document.id && found.title === document.title && found.named === document.language
    ? found
    : undefined;
}

/** `en-US` is English: callers name languages in more ways than one. */
export function languageOf({ document, chunks }: StoreDocument): string {
  const named = document.language?.toLowerCase().split(/[-_]/u)[0];
  return named || guessLanguage(chunks[0]?.text ?? document.title);
}

/** Headings of a chunk without the title of its document, which is a field of its own. */
export const headingsOf = (chunk: Chunk, title: string): string =>
  chunk.headingPath.filter((heading) => heading !== title).join('\n');

interface Growing {
  readonly given: StoreDocument;
  readonly language: string;
  readonly terms: string[];
  readonly pieces: Piece[];
}

/** Analyses what is worth a thread; small batches are left to their transaction. */
export async function prepareDocuments(
  batch: readonly StoreDocument[],
  threads: EngineThreads,
  signal?: AbortSignal,
): Promise<void> {
  const fresh = batch.filter((one) => one.chunks.length > 0 && !preparedOf(one));
  const characters = fresh.reduce((sum, { chunks }) => sum + chunks.reduce((all, { text }) => all + text.length, 0), 0);
  if (characters < prepareFromCharacters) return;
  const growing = fresh.map((given): Growing => ({ given, language: languageOf(given), terms: [], pieces: [] }));
  const orderCharacters = characters / Math.ceil(characters / pieceCharacters);
  for (const order of cut(growing, orderCharacters)) {
    const result = await threads.analyze(
      order.map(({ text }) => text),
      signal,
    );
    if (!result) return;
    const fragment: Fragment = { segment: openSegment(result.bytes), used: false };
    let offset = 0;
    for (const { of, from, text } of order) {
      const count = text.chunks.length;
      of.terms.push(...result.terms.slice(offset, offset + count));
      of.pieces.push({ fragment, from, offset, count });
      offset += count;
    }
  }
  for (const { given, language, terms, pieces } of growing) {
    const { id, title, language: named } = given.document;
    remembered.set(given.chunks, { id, title, named, language, terms, pieces });
  }
}

interface OrderPart {
  readonly of: Growing;
  readonly from: number;
  readonly text: AnalyzedText;
}

/** Orders of bounded length; a long document is cut between chunks. */
function cut(growing: readonly Growing[], orderCharacters: number): OrderPart[][] {
  const orders: OrderPart[][] = [[]];
  let length = 0;
  for (const of of growing) {
    const { document, chunks } = of.given;
    let part: ChunkText[] | undefined;
    for (const [at, chunk] of chunks.entries()) {
      if (length >= orderCharacters) {
        orders.push([]);
        length = 0;
        part = undefined;
      }
      if (!part) {
        part = [];
        const text = { group: document.id.toWellFormed(), title: document.title, language: of.language, chunks: part };
        orders.at(-1)?.push({ of, from: at, text });
      }
      part.push({ key: chunk.id, headings: headingsOf(chunk, document.title), text: chunk.text });
      length += chunk.text.length;
    }
  }
  return orders;
}
