// From ranked hits to evidence: reads their chunks from the record (whose hashes are checked) and folds what says the same, word for word
// or nearly in linked documents, into one evidence. Invariant: evidence is that of reading every hit, but hits behind the page are read
// only where they fold into it or are needed to fill it.
import type { DocumentRecord } from '../core/document.ts';
import type { FootnoteError } from '../core/errors.ts';
import type { Evidence } from '../core/search.ts';
import type { TenantRecord } from '../db/tenant-record.ts';
import { toEvidence } from './evidence.ts';
import { readChunks } from './expand/read-chunks.ts';
import type { OrderedHit, RankedRow } from './rank.ts';
import { countWords, haveSameWords, type WordCounts } from './same-words.ts';

export interface HydrationPorts {
  readonly documents: TenantRecord['documents'];
  /** Reads what hits are of that the record does not hold. */
  readonly elsewhere?: ((chunkIds: readonly string[]) => Promise<readonly RankedRow[]>) | undefined;
  /** What was read already, for the order of the hits: it is not read again. */
  readonly known?: Rows | undefined;
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
  readonly onDamage: (error: FootnoteError) => void;
  /** How far a document is believed: of several that say the same the most believed stands for all. Default: the first found. */
  readonly authorityOf?: ((document: DocumentRecord) => number) | undefined;
}

export interface HydrationOptions {
  /** Evidence wanted at most; there may be more hits, which folding needs. */
  readonly wanted: number;
  readonly explain: boolean;
}

/** Documents by those that say nearly the same. */
type Linked = ReadonlyMap<string, ReadonlySet<string>>;

const nothingLinked: Linked = new Map();

type Rows = ReadonlyMap<string, RankedRow>;

/** What hits are of, by chunk id: from the record, else from elsewhere. What is gone is missing. */
export async function readRows(
  hits: readonly OrderedHit[],
  { documents, elsewhere, onDamage, known }: HydrationPorts,
): Promise<Rows> {
  const chunkIds = hits.flatMap(({ chunkId }) => (known?.has(chunkId) ? [] : [chunkId]));
  if (chunkIds.length === 0) return known ?? new Map();
  const rows = new Map<string, RankedRow>(
    (await readChunks(documents, chunkIds, onDamage)).map((row) => [row.chunk.id, row]),
  );
  if (elsewhere && rows.size < chunkIds.length)
    for (const row of await elsewhere(chunkIds.filter((id) => !rows.has(id)))) rows.set(row.chunk.id, row);
  return known ? new Map([...known, ...rows]) : rows;
}

/** Best first, as the hits are. */
export async function hydrate(
  hits: readonly OrderedHit[],
  ports: HydrationPorts,
  { wanted, explain }: HydrationOptions,
): Promise<Evidence[]> {
  const { documents, spanUrl, authorityOf = () => 0 } = ports;
  const evidence: Evidence[] = [];
  const byHash = new Map<string, Evidence>();
  const words = new Map<Evidence, WordCounts>();
  const authority = new Map<Evidence, number>();
  const wordsOf = (item: Evidence): WordCounts => {
    const known = words.get(item) ?? countWords(item.text);
    words.set(item, known);
    return known;
  };

  /** Evidence of a linked document that says the same. */
  const nearTwin = (linked: Linked, documentId: string, text: string): Evidence | undefined => {
    const others = linked.get(documentId);
    if (others === undefined) return undefined;
    const counted = countWords(text);
    return evidence.find((item) => others.has(item.documentId) && haveSameWords(wordsOf(item), counted));
  };

  const take = (some: readonly OrderedHit[], rows: Rows, linked: Linked): void => {
    for (const hit of some) {
      const row = rows.get(hit.chunkId);
      // Deleted between search and read: gone is gone.
      if (row === undefined) continue;
      const { id, source } = row.document;
      const twin = byHash.get(row.chunk.hash) ?? nearTwin(linked, id, row.chunk.text);
      if (twin === undefined) {
        const item = toEvidence({ ...row, hit, stores: hit.stores ?? [], spanUrl, explain });
        byHash.set(row.chunk.hash, item);
        evidence.push(item);
        authority.set(item, authorityOf(row.document));
      } else if (twin.documentId !== id && !twin.alsoIn.some((one) => one.documentId === id)) {
        const believed = authorityOf(row.document);
        if (believed > (authority.get(twin) ?? 0)) {
          const item = represent(twin, toEvidence({ ...row, hit, stores: hit.stores ?? [], spanUrl, explain }));
          authority.set(item, believed);
          evidence[evidence.indexOf(twin)] = item;
          for (const [hash, held] of byHash) if (held === twin) byHash.set(hash, item);
          byHash.set(row.chunk.hash, item);
        } else twin.alsoIn.push({ source, documentId: id });
      }
    }
  };

  const shown = hits.slice(0, wanted);
  const others = hits.slice(wanted);
  const rows = await readRows(shown, ports);
  const hashes = new Map(
    (others.length === 0 ? [] : await documents.hashes(others.map((hit) => hit.chunkId))).map((one) => [
      one.chunkId,
      one,
    ]),
  );
  const documentIds = new Set(rows.values().map(({ document }) => document.id));
  const all = new Set([...documentIds, ...hashes.values().map(({ documentId }) => documentId)]);
  const linked = await linksAmong(all, documentIds, documents);
  take(shown, rows, linked);
  if (evidence.length < wanted) take(others, await readRows(others, ports), await linksAmong(all, all, documents));
  else {
    const folding = others.filter(({ chunkId }) => {
      const one = hashes.get(chunkId);
      return one !== undefined && (byHash.has(one.hash) || linked.has(one.documentId));
    });
    take(folding, await readRows(folding, ports), linked);
  }
  return evidence.slice(0, wanted);
}

/** The copy in the place of what was found first: there it stands, and both are told. */
function represent(found: Evidence, copy: Evidence): Evidence {
  const { explanation } = found;
  return {
    ...copy,
    score: found.score,
    scores: found.scores,
    ranks: { ...copy.ranks, ...found.ranks },
    stores: [...new Set([...found.stores, ...copy.stores])],
    alsoIn: [...found.alsoIn, { source: found.source, documentId: found.documentId }],
    ...(explanation && {
      explanation: {
        ...explanation,
        notes: [...explanation.notes, `found in ${found.source}; ${copy.source} says the same with more authority`],
      },
    }),
  };
}

/** Links of documents with one another; they are looked up only where one of `asked` has any, which it seldom has. */
async function linksAmong(
  all: ReadonlySet<string>,
  asked: ReadonlySet<string>,
  documents: Pick<TenantRecord['documents'], 'withDuplicates' | 'duplicatesAmong'>,
): Promise<Linked> {
  if (all.size < 2 || (await documents.withDuplicates([...asked])).length === 0) return nothingLinked;
  const linked = new Map<string, Set<string>>();
  for (const [id, other] of await documents.duplicatesAmong([...all]))
    linked.set(id, (linked.get(id) ?? new Set()).add(other));
  return linked;
}
