// OpenAI's files and vector stores as a state in memory: what its documentation says of limits, of indexing that takes time, and of what
// deleting takes along. Its meaning is a bag of words: the cosine between query and piece, which lets a test say what is found.
import type { FakeFileSearch } from '../../src/testing/fake-reply.ts';
import { analyzeQuery, analyzeText } from '../../src/text/analyze.ts';

export type Attributes = Readonly<Record<string, string | number | boolean>>;
export type Filter = {
  readonly type: string;
  readonly key?: string;
  readonly value?: unknown;
  readonly filters?: readonly Filter[];
};

export interface StoredFile {
  readonly id: string;
  readonly filename: string;
  readonly text: string;
  readonly createdAt: number;
  /** By requests: before that nothing but its upload knows of it. */
  readonly knownFrom?: number;
}

export interface Attached {
  readonly fileId: string;
  readonly createdAt: number;
  attributes: Attributes;
  /** Looks until it is indexed. */
  looks: number;
  failure?: string;
  /** By requests: before that no list has it; undefined: at once. */
  listedFrom?: number;
  /** By requests: before that nobody is told of it at all. */
  knownFrom?: number;
}

export interface StoredVectors {
  readonly id: string;
  readonly name: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly attached: Map<string, Attached>;
  /** Taken out, and on lists until so many requests have come. */
  ghosts: { readonly attached: Attached; readonly until: number }[];
  isExpired?: boolean;
  /** By requests: before that nobody but who made it is told of it. */
  readonly knownFrom?: number;
}

export interface StateOptions {
  /** Requests for which lists of what is indexed are behind: what is new is not on them, what is gone still is. */
  readonly listLag?: number;
  /** Requests for which the files of a batch are not known anywhere but to the batch itself. */
  readonly batchLag?: number;
  /** The same of a file that was put there by itself. */
  readonly attachLag?: number;
  /** Requests for which a file that was uploaded cannot be put anywhere. */
  readonly fileLag?: number;
  /** Requests for which a vector store that was made is not there. */
  readonly storeLag?: number;
  /** The status that whatever puts a file of these attributes is refused with; undefined: it is taken. */
  readonly refuseAttached?: (attributes: Attributes) => number | undefined;
  /** Times that a file is seen `in_progress`. */
  readonly indexLooks?: number;
  readonly pieceCharacters?: number;
  /** Why a file of this text is not indexed; undefined: it is. */
  readonly failIndexing?: (text: string) => string | undefined;
  /** What the vendor makes of `ne` and `nin` for an attribute that is not there: nobody says. */
  readonly missingPassesNegation?: boolean;
  /** A vendor whose filters are broken: every file is searched. */
  readonly ignoresFilters?: boolean;
  /** What a model there does with the search that it is offered. Default: it searches for the last thing that it was told. */
  readonly hosted?: HostedModel;
}

/** Of a request to a model that may search: what it searches for, and what the vendor tells of that. */
export interface HostedModel {
  queries?: (asked: string) => readonly string[];
  told?: (found: NonNullable<FakeFileSearch['results']>) => FakeFileSearch['results'];
}

/** A request that the vendor refuses. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, what: string) {
    super(what);
    this.status = status;
  }
}

export function checkAttributes(attributes: unknown): Attributes {
  if (attributes === undefined || attributes === null) return {};
  const entries = Object.entries(attributes as Record<string, unknown>);
  if (entries.length > 16) throw new Refusal(400, 'more than 16 attributes');
  for (const [key, value] of entries) {
    if (key.length > 64) throw new Refusal(400, 'a key of more than 64 characters');
    if (typeof value === 'string' && value.length > 512) throw new Refusal(400, 'a value of more than 512 characters');
    if (!['string', 'number', 'boolean'].includes(typeof value)) throw new Refusal(400, 'a value that is none');
  }
  return Object.fromEntries(entries) as Attributes;
}

const order = (left: unknown, right: unknown): number | undefined => {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  return undefined;
};

/** What the vendor makes of a filter. */
export function passes(attributes: Attributes, filter: Filter, missingPasses: boolean): boolean {
  const { type, filters, key = '', value } = filter;
  if (filters) {
    const each = filters.map((part) => passes(attributes, part, missingPasses));
    return type === 'and' ? each.every(Boolean) : each.some(Boolean);
  }
  const held = attributes[key];
  if (held === undefined) return missingPasses && (type === 'ne' || type === 'nin');
  const among = Array.isArray(value) && (value as unknown[]).includes(held);
  const compared = order(held, value);
  switch (type) {
    case 'eq':
      return held === value;
    case 'ne':
      return held !== value;
    case 'in':
      return among;
    case 'nin':
      return !among;
    case 'gt':
      return compared !== undefined && compared > 0;
    case 'gte':
      return compared !== undefined && compared >= 0;
    case 'lt':
      return compared !== undefined && compared < 0;
    case 'lte':
      return compared !== undefined && compared <= 0;
    default:
      throw new Refusal(400, 'a comparison that there is not');
  }
}

type Bag = ReadonlyMap<string, number>;
const bagOf = (terms: readonly string[]): Bag => {
  const bag = new Map<string, number>();
  for (const term of terms) bag.set(term, (bag.get(term) ?? 0) + 1);
  return bag;
};
const lengthOf = (bag: Bag): number => Math.sqrt([...bag.values()].reduce((sum, count) => sum + count * count, 0));

export function createState({
  listLag = 0,
  batchLag = 0,
  attachLag = 0,
  fileLag = 0,
  storeLag = 0,
  refuseAttached = () => undefined,
  indexLooks = 0,
  pieceCharacters = 200,
  failIndexing,
  missingPassesNegation = false,
  ignoresFilters = false,
  hosted = {},
}: StateOptions) {
  const files = new Map<string, StoredFile>();
  const stores = new Map<string, StoredVectors>();
  const batches = new Map<string, { readonly storeId: string; readonly fileIds: readonly string[] }>();
  let made = 0;
  let requests = 0;
  const next = (prefix: string): { id: string; createdAt: number } => {
    made += 1;
    return { id: `${prefix}${String(made).padStart(6, '0')}`, createdAt: 1_700_000_000 + made };
  };
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Refusal(404, 'no such thing');
    return value;
  };

  const isKnown = ({ knownFrom = 0 }: { readonly knownFrom?: number }): boolean => requests >= knownFrom;
  const checkAttachable = (fileId: string, attributes: unknown) => {
    const file = present(files.get(fileId));
    if (!isKnown(file)) throw new Refusal(404, 'not yet');
    const checked = checkAttributes(attributes);
    const refused = refuseAttached(checked);
    if (refused !== undefined) throw new Refusal(refused, 'it is not taken');
    return { text: file.text, checked };
  };

  /** Taken out of the index; a list may show it a while longer. */
  const detach = (store: StoredVectors, fileId: string): void => {
    const attached = store.attached.get(fileId);
    if (!attached) return;
    store.attached.delete(fileId);
    if (listLag > 0) store.ghosts.push({ attached, until: requests + listLag });
  };

  return {
    hosted,
    detach,
    tick(): void {
      requests += 1;
    },
    isKnown,
    checkAttachable,
    /** As a list shows it now. */
    listed({ attached, ghosts }: StoredVectors): readonly Attached[] {
      const shown = [...attached.values()].filter(
        ({ listedFrom = 0, knownFrom = 0 }) => requests >= listedFrom && requests >= knownFrom,
      );
      return [...shown, ...ghosts.flatMap((one) => (one.until > requests ? [one.attached] : []))];
    },
    files,
    stores,
    batches,
    present,
    storeOf(id: string): StoredVectors {
      const store = present(stores.get(id));
      if (!isKnown(store)) throw new Refusal(404, 'not yet');
      return store;
    },
    addStore(name: string | null, metadata: Readonly<Record<string, string>>): StoredVectors {
      const { id, createdAt } = next('vs_');
      const knownFrom = requests + storeLag;
      const store: StoredVectors = { id, name, metadata, createdAt, attached: new Map(), ghosts: [], knownFrom };
      stores.set(id, store);
      return store;
    },
    addFile(filename: string, text: string): StoredFile {
      if (text === '') throw new Refusal(400, 'an empty file');
      const file: StoredFile = { ...next('file-'), filename, text, knownFrom: requests + fileLag };
      files.set(file.id, file);
      return file;
    },
    removeFile(id: string): void {
      present(files.get(id));
      files.delete(id);
      for (const store of stores.values()) detach(store, id);
    },
    attach(store: StoredVectors, fileId: string, attributes: unknown, inBatch = false): Attached {
      if (store.isExpired) throw new Refusal(400, 'it has expired');
      const { text, checked } = checkAttachable(fileId, attributes);
      const known = store.attached.get(fileId);
      if (known) {
        known.attributes = checked;
        return known;
      }
      const failure = failIndexing?.(text);
      const { createdAt } = next('n');
      const attached: Attached = {
        fileId,
        createdAt,
        attributes: checked,
        looks: indexLooks,
        ...(failure && { failure }),
        ...(listLag > 0 && { listedFrom: requests + listLag }),
        knownFrom: requests + (inBatch ? batchLag : attachLag),
      };
      store.attached.set(fileId, attached);
      return attached;
    },
    addBatch(storeId: string, fileIds: readonly string[]): string {
      const { id } = next('vsfb_');
      batches.set(id, { storeId, fileIds });
      return id;
    },
    /** How a file stands; each look brings it on. */
    look(attached: Attached): 'in_progress' | 'completed' | 'failed' {
      if (attached.looks > 0) {
        attached.looks -= 1;
        return 'in_progress';
      }
      return attached.failure ? 'failed' : 'completed';
    },
    search(store: StoredVectors, { query, filters, most }: { query: string; filters: unknown; most: number }) {
      if (query === '' || query.length > 4096) throw new Refusal(400, 'a query without text or with too much');
      if (store.isExpired) throw new Refusal(400, 'it has expired');
      const asked = bagOf(analyzeQuery(query, { languages: ['en'] }));
      const found = [...store.attached.values()].flatMap((attached) => {
        const file = files.get(attached.fileId);
        if (!file || attached.looks > 0 || attached.failure || requests < (attached.knownFrom ?? 0)) return [];
        const isAsked =
          ignoresFilters ||
          filters === undefined ||
          passes(attached.attributes, filters as Filter, missingPassesNegation);
        if (!isAsked) return [];
        return piecesOf(file.text, pieceCharacters).flatMap((text) => {
          const bag = bagOf(analyzeText(text, { language: 'en' }));
          const product = [...asked].reduce((sum, [term, count]) => sum + count * (bag.get(term) ?? 0), 0);
          const score = product === 0 ? 0 : product / (lengthOf(asked) * lengthOf(bag));
          return score === 0 ? [] : [{ file, attributes: attached.attributes, text, score: Math.min(1, score) }];
        });
      });
      found.sort((left, right) => right.score - left.score);
      return found.slice(0, most);
    },
  };
}

export type State = ReturnType<typeof createState>;

function piecesOf(text: string, length: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length));
  return pieces;
}
