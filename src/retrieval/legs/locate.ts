// Finds the chunks of ours that passages of a store stand in: by its offsets where it gives them, else by its text, in which blanks may
// differ. Invariant: a passage is never put down to a chunk that does not hold a part of it.
import type { Chunk } from '../../core/document.ts';
import type { DocumentRepository } from '../../db/repositories/documents.ts';
import type { StoreHit } from '../../stores/store.ts';
import type { LocateHits } from './store-leg.ts';

type Documents = Pick<DocumentRepository, 'text' | 'chunks'>;

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Read {
  readonly text: string;
  readonly chunks: readonly Chunk[];
  /** The text with every run of blanks as one, and where each of its characters stands. */
  readonly folded: () => { readonly text: string; readonly places: readonly number[] };
}

function fold(text: string): { text: string; places: number[] } {
  const places: number[] = [];
  let folded = '';
  let isBlank = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (/\s/u.test(character)) {
      if (!isBlank && folded !== '') {
        folded += ' ';
        places.push(at);
      }
      isBlank = true;
    } else {
      folded += character;
      places.push(at);
      isBlank = false;
    }
  }
  return { text: folded, places };
}

function spanOf({ passage }: StoreHit, { text, folded }: Read): Span | undefined {
  if (!passage || passage.text.trim() === '') return undefined;
  const { start, end } = passage;
  if (start !== undefined && end !== undefined && text.slice(start, end) === passage.text) return { start, end };
  const at = text.indexOf(passage.text);
  if (at >= 0) return { start: at, end: at + passage.text.length };
  const wanted = fold(passage.text).text.trimEnd();
  const all = folded();
  const from = all.text.indexOf(wanted);
  if (from < 0) return undefined;
  return { start: all.places[from] ?? 0, end: (all.places[from + wanted.length - 1] ?? 0) + 1 };
}

/** The chunk that most of the span stands in; of equal ones the first. */
function chunkOf(span: Span, chunks: readonly Chunk[]): string | undefined {
  let best: { readonly id: string; readonly shared: number } | undefined;
  for (const { id, start, end } of chunks) {
    const shared = Math.min(end, span.end) - Math.max(start, span.start);
    if (shared > 0 && shared > (best?.shared ?? 0)) best = { id, shared };
  }
  return best?.id;
}

/** Over the documents that the scope may read; one that is gone or damaged holds nothing. */
export function createLocate(documents: Documents): LocateHits {
  async function read(id: string): Promise<Read | undefined> {
    const [text, chunks] = await Promise.all([documents.text(id), documents.chunks(id)]);
    if (text === undefined) return undefined;
    let folded: ReturnType<typeof fold> | undefined;
    return { text, chunks, folded: () => (folded ??= fold(text)) };
  }
  return async (hits) => {
    const known = new Map<string, Promise<Read | undefined>>();
    return Promise.all(
      hits.map(async (hit) => {
        const reading = known.get(hit.documentId) ?? read(hit.documentId).catch(() => undefined);
        known.set(hit.documentId, reading);
        const found = await reading;
        const span = found && spanOf(hit, found);
        return span && chunkOf(span, found.chunks);
      }),
    );
  };
}
