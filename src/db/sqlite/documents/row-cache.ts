// Rows of documents and chunks that were read and checked, kept while no document of their tenant changes: answers read the same ones
// again and again. Invariants: what is kept of a tenant is of one revision of its documents (the record counts every change, whichever
// process makes it), nothing of another is ever given out, and whoever asks must still ask who may read it. Bounded in bytes: two
// generations, of which the older one goes when the younger is half of all (an LRU in large steps).
import type { Chunk, DocumentRecord, Page, Place } from '../../../core/document.ts';
import { keepJson, keptJson } from '../../../core/traces/kept-json.ts';
import type { ChunkHash } from '../../repositories/documents.ts';

export interface ChunkInDocument {
  readonly chunk: Chunk;
  readonly document: DocumentRecord;
}

interface DocumentText {
  readonly document: DocumentRecord;
  readonly text: string;
}

/** Where the spans of a document stand. */
interface DocumentLayout {
  readonly document: DocumentRecord;
  readonly pages: readonly Page[];
  readonly places: readonly Place[];
}

interface Kinds {
  /** Under the id of the chunk and who asked. */
  readonly hashes: ChunkHash;
  readonly chunks: ChunkInDocument;
  readonly documents: DocumentRecord;
  readonly texts: DocumentText;
  readonly layouts: DocumentLayout;
}
type Kind = keyof Kinds;

export interface TenantRows {
  /** By the id of the chunk or of the document; undefined for what is not kept. */
  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined;
  /** Values must be as `frozenChunk` and `freezeJson` give them. What is too large is not kept. */
  keep<K extends Kind>(kind: K, id: string, value: Kinds[K]): void;
}

export interface RowCache {
  /** What is kept of a tenant at this revision of its documents; what was kept of another one is gone. Good until the next read. */
  at(tenant: string, revision: number): TenantRows;
}

const defaultBytes = 32 * 1024 * 1024;
/** What takes more than this part of everything is read each time. */
const largestPart = 64;
/** Of the objects themselves, their entries and their hashes, beside the characters of their texts. */
const objectBytes = 900;
/** Of a hash with its two ids. */
const hashBytes = 500;
/** Of a page or a place, beside its label. */
const placeBytes = 120;

type Entry = { readonly value: unknown; readonly bytes: number };
type Generation = Readonly<Record<Kind, Map<string, Entry>>>;

interface Tenant {
  readonly name: string;
  readonly revision: number;
  readonly rows: TenantRows;
  young: Generation;
  old: Generation;
  youngBytes: number;
}

const generation = (): Generation => ({
  hashes: new Map(),
  chunks: new Map(),
  documents: new Map(),
  texts: new Map(),
  layouts: new Map(),
});

export function createRowCache(mostBytes = defaultBytes): RowCache {
  const tenants = new Map<string, Tenant>();
  let youngBytes = 0;

  const turnOver = (): void => {
    for (const [name, tenant] of tenants) {
      if (tenant.youngBytes === 0) tenants.delete(name);
      tenant.old = tenant.young;
      tenant.young = generation();
      tenant.youngBytes = 0;
    }
    youngBytes = 0;
  };

  const insert = (tenant: Tenant, place: { kind: Kind; id: string }, entry: Entry): void => {
    if (youngBytes + entry.bytes > mostBytes / 2) turnOver();
    tenants.set(tenant.name, tenant);
    tenant.young[place.kind].set(place.id, entry);
    tenant.youngBytes += entry.bytes;
    youngBytes += entry.bytes;
  };

  const open = (name: string, revision: number): Tenant => {
    const touch = (kind: Kind, id: string): Entry | undefined => {
      const young = tenant.young[kind].get(id);
      if (young !== undefined) return young;
      const entry = tenant.old[kind].get(id);
      if (entry === undefined) return undefined;
      insert(tenant, { kind, id }, entry);
      // What a row holds on to is counted where the row is.
      const { document } = entry.value as { readonly document?: DocumentRecord };
      if (document) touch('documents', document.id);
      return entry;
    };
    const rows: TenantRows = {
      get: <K extends Kind>(kind: K, id: string) => touch(kind, id)?.value as Kinds[K] | undefined,
      keep(kind, id, value) {
        const bytes = bytesOf(kind, value);
        if (bytes <= mostBytes / largestPart && touch(kind, id) === undefined)
          insert(tenant, { kind, id }, { value, bytes });
      },
    };
    const tenant: Tenant = { name, revision, rows, young: generation(), old: generation(), youngBytes: 0 };
    return tenant;
  };

  return {
    at(name, revision) {
      const known = tenants.get(name);
      if (known?.revision === revision) return known.rows;
      if (known) youngBytes -= known.youngBytes;
      const opened = open(name, revision);
      tenants.set(name, opened);
      return opened.rows;
    },
  };
}

/** A chunk in its document, both already frozen and marked; its own JSON is put together from theirs. */
export function frozenChunk(chunk: Chunk, document: DocumentRecord): ChunkInDocument {
  const row = { chunk, document };
  return Object.freeze(keepJson(row, () => `{"chunk":${keptJson(chunk)},"document":${keptJson(document)}}`));
}

/** Characters take one byte each where all are ASCII, else up to two; chunks and documents have their JSON beside them. */
function bytesOf<K extends Kind>(kind: K, value: Kinds[K]): number {
  if (kind === 'hashes') return hashBytes;
  if (kind === 'texts') return objectBytes + charactersOf((value as DocumentText).text);
  if (kind === 'layouts') {
    const { pages, places } = value as DocumentLayout;
    return objectBytes + placeBytes * (pages.length + places.length) + 2 * [...pages, ...places].reduce(labelled, 0);
  }
  if (kind === 'chunks') {
    const { chunk } = value as ChunkInDocument;
    return objectBytes + 2 * charactersOf(chunk.text) + 4 * chunk.headingPath.join('').length;
  }
  return objectBytes + 2 * charactersOf(keptJson(value) ?? '');
}

const labelled = (sum: number, { label = '' }: { readonly label?: string }): number => sum + label.length;

const charactersOf = (text: string): number =>
  Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;
