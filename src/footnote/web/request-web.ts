// What one request reads of the web: pages that a search found, cut like documents, in memory until the request ends. Invariants: a page is read
// as robots.txt allows and through the guard of every page; its ids are those that it has as a document, so that what was cited of it is found
// in the record once it is kept.
import { createDeadline } from '../../core/deadline.ts';
import { type Metadata, webSearchSource } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import { type Clock, documentIdOf, sha256 } from '../../core/ids.ts';
import type { KeptResult, KeptResults } from '../../core/waiting/kept-results.ts';
import type { DocumentWrite } from '../../db/repositories/changes.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import { canonicalAddress } from '../../ingest/connectors/web/address.ts';
import type { VisitedPage, Visitor } from '../../ingest/connectors/web/visit.ts';
import type { Pipeline } from '../../ingest/pipeline.ts';
import type { Chunking, CuttingPool } from '../../ingest/read/parse.ts';
import { toWrite } from '../../ingest/write/prepare.ts';
import type { RankedRow } from '../../retrieval/rank.ts';
import type { WebAccess } from '../../retrieval/web/web-leg.ts';
import type { KeptSince, WebSearch } from '../../stores/web/web-search.ts';
import { overlaid } from '../record/overlaid.ts';

export interface RequestWeb {
  readonly access: WebAccess;
  /** The record with the pages of the request in it, for whoever reads by id. */
  over(documents: TenantRecord['documents']): TenantRecord['documents'];
  /** Keeps those of these documents that are pages of the request. Absent: there is nowhere to keep them. */
  keep?(documentIds: readonly string[]): Promise<void>;
}

export interface WebPorts {
  readonly search: WebSearch;
  readonly openVisitor: () => Visitor;
  readonly parsers: Pick<CuttingPool, 'cut'>;
  readonly chunking: Chunking;
  readonly clock: Pick<Clock, 'now'>;
  readonly pipeline: Pick<Pipeline, 'addDocument'>;
  /** What was found and read before, for this scope alone. */
  readonly kept: KeptResults;
  /** Its source of such pages may say how long they are as good as new. */
  readonly record: { readonly sources: Pick<TenantRecord['sources'], 'kinds'> };
  /** Longest time of one list of addresses, also where nobody waits for it any more. */
  readonly timeoutMs: number;
}

/** Of one page, in characters: what is longer is a book, and no page that answers. */
const mostCharacters = 400_000;

interface ReadPage {
  readonly write: DocumentWrite;
  readonly visit: VisitedPage;
  readonly metadata: Metadata;
}

/** Of a list or a page, in bytes and about so. */
export const sizeOfKept = (value: unknown): number =>
  4096 + (isReadPage(value) ? value.visit.bytes.byteLength + 4 * value.write.text.length : 0);
const isReadPage = (value: unknown): value is ReadPage =>
  typeof value === 'object' && value !== null && 'visit' in value && 'write' in value;

const sinceOf = <T>({ ageMs, isKept, isStale }: KeptResult<T>): { readonly kept?: KeptSince } =>
  isKept ? { kept: { ageMs, isStale } } : {};

/** Opens the web for one request after another of one scope. */
export function createWebReader(ports: WebPorts): () => RequestWeb {
  return () => openRequestWeb(ports);
}

function openRequestWeb({ search, parsers, chunking, clock, pipeline, kept, ...ports }: WebPorts): RequestWeb {
  const visitor = ports.openVisitor();
  let own: Promise<number> | undefined;
  /** Under a key, no longer than the source allows. */
  async function keptOf<T>(key: readonly unknown[], load: (signal: AbortSignal) => Promise<T>, until?: AbortSignal) {
    own ??= ports.record.sources
      .kinds()
      .then(
        (kinds) => 1000 * (kinds.find(({ name }) => name === webSearchSource)?.ttlSeconds ?? Number.POSITIVE_INFINITY),
      );
    return kept.get({ key: JSON.stringify(key), ttlMs: await own }, load, until);
  }
  const pages = new Map<string, ReadPage>();
  const found = new Map<string, RankedRow>();

  /** Without anybody who waits it ends by the time of a page and of a reader. */
  async function read(uri: string, signal: AbortSignal): Promise<ReadPage> {
    const { pathname, search: asked } = new URL(uri);
    const robots = await visitor.robots(uri, signal);
    if (!robots.allows(`${pathname}${asked}`))
      throw new FootnoteError('forbidden', `${uri} is not read: its site does not allow programs there (robots.txt).`);
    const visit = await visitor.visit(uri, { signal });
    if (visit.kind === 'gone') throw visit.error;
    if (visit.kind === 'unchanged')
      throw new FootnoteError(
        'internal',
        `${uri} was reported as unchanged although its earlier version was not named.`,
      );
    const { bytes, name, mime, retrievedAt, url } = visit;
    const documentId = documentIdOf(webSearchSource, uri);
    const file = { bytes, name, ...(mime !== undefined && { mime }) };
    const cut = await parsers.cut(file, { documentId, chunking, name }, signal);
    const metadata = { retrievedAt, ...(url !== uri && { foundAt: url }) };
    const write = toWrite(
      { source: { name: webSearchSource, type: 'web' }, uri, name, contentHash: sha256(bytes), metadata },
      cut,
      { id: documentId, revision: 1, at: clock.now() },
    );
    return { write, visit, metadata };
  }

  return {
    access: {
      async search(query, limit, until) {
        const listed = await keptOf(
          ['list', query, limit],
          (left) => search.search(query, { limit, signal: createDeadline(ports.timeoutMs, left).signal }),
          until,
        );
        return { ...listed.value, ...sinceOf(listed) };
      },
      async read(address, until) {
        const uri = canonicalAddress(address);
        const known = pages.get(documentIdOf(webSearchSource, uri));
        const page = known
          ? { value: known, ageMs: 0, isKept: false, isStale: false }
          : await keptOf(['page', uri], (left) => read(uri, left), until);
        const { write } = page.value;
        pages.set(write.document.id, page.value);
        const chunks = write.chunks.filter(({ end }) => end <= mostCharacters);
        const rows = chunks.map((chunk): RankedRow => ({ chunk, document: write.document }));
        for (const row of rows) found.set(row.chunk.id, row);
        return { rows, ...(chunks.length < write.chunks.length && { isCutOff: true }), ...sinceOf(page) };
      },
    },
    over: (documents) => overlaid(documents, { document: (id) => pages.get(id)?.write, chunk: (id) => found.get(id) }),
    async keep(documentIds) {
      for (const id of new Set(documentIds)) {
        const page = pages.get(id);
        if (!page) continue;
        const { visit, write, metadata } = page;
        await pipeline.addDocument({
          bytes: visit.bytes,
          name: visit.name,
          ...(visit.mime !== undefined && { mime: visit.mime }),
          uri: write.document.uri,
          source: webSearchSource,
          sourceType: 'web',
          metadata,
          // It is opened and checked by its id; searches of what is here do not find what nobody chose.
          stores: [],
        });
      }
    },
  };
}
