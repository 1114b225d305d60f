// What one request reads of the web: pages that a search found, cut like documents, in memory until the request ends. Invariants: a page is read
// as robots.txt allows and through the guard of every page; its ids are those that it has as a document, so that what was cited of it is found
// in the record once it is kept.
import type { RequestContext } from '../../core/context.ts';
import { type Metadata, webSearchSource } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import { type Clock, documentIdOf, sha256 } from '../../core/ids.ts';
import type { DocumentWrite, TenantRecord } from '../../db/record.ts';
import { canonicalAddress } from '../../ingest/connectors/web/address.ts';
import type { VisitedPage, Visitor } from '../../ingest/connectors/web/visit.ts';
import type { Pipeline } from '../../ingest/pipeline.ts';
import type { Chunking, CuttingPool } from '../../ingest/read/parse.ts';
import { toWrite } from '../../ingest/write/prepare.ts';
import type { RankedRow } from '../../retrieval/rank.ts';
import type { WebAccess, WebPage } from '../../retrieval/web/web-leg.ts';
import type { WebSearch } from '../../stores/web/web-search.ts';
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
}

/** Of one page, in characters: what is longer is a book, and no page that answers. */
const mostCharacters = 400_000;

interface ReadPage {
  readonly write: DocumentWrite;
  readonly visit: VisitedPage;
  readonly metadata: Metadata;
}

/** Opens the web for one request after another. */
export const createWebReader =
  (ports: WebPorts) =>
  ({ deadline }: Pick<RequestContext, 'deadline'>): RequestWeb =>
    openRequestWeb(ports, deadline.signal);

/** `signal` is that of the request: parts of it that want the same page wait for one reading. */
function openRequestWeb(ports: WebPorts, signal: AbortSignal): RequestWeb {
  const { search, parsers, chunking, clock, pipeline } = ports;
  const visitor = ports.openVisitor();
  const pages = new Map<string, ReadPage>();
  const found = new Map<string, RankedRow>();
  const reading = new Map<string, Promise<WebPage>>();
  const asking = new Map<string, ReturnType<WebSearch['search']>>();

  async function read(uri: string): Promise<WebPage> {
    const { pathname, search: asked } = new URL(uri);
    const robots = await visitor.robots(uri, signal);
    if (!robots.allows(`${pathname}${asked}`))
      throw new FootnoteError('forbidden', `${uri} is not read: its site does not allow programs there (robots.txt).`);
    const visit = await visitor.visit(uri, { signal });
    if (visit.kind === 'gone') throw visit.error;
    if (visit.kind === 'unchanged') throw new FootnoteError('internal', `${uri} was not asked whether it changed.`);
    const { bytes, name, mime, retrievedAt, url } = visit;
    const documentId = documentIdOf(webSearchSource, uri);
    const cut = await parsers.cut(
      { bytes, name, ...(mime !== undefined && { mime }) },
      { documentId, chunking, name },
      signal,
    );
    const metadata = { retrievedAt, ...(url !== uri && { foundAt: url }) };
    const write = toWrite(
      { source: { name: webSearchSource, type: 'web' }, uri, name, contentHash: sha256(bytes), metadata },
      cut,
      { id: documentId, revision: 1, at: clock.now() },
    );
    pages.set(documentId, { write, visit, metadata });
    const chunks = write.chunks.filter(({ end }) => end <= mostCharacters);
    const rows = chunks.map((chunk): RankedRow => ({ chunk, document: write.document }));
    for (const row of rows) found.set(row.chunk.id, row);
    return { rows, ...(chunks.length < write.chunks.length && { isCutOff: true }) };
  }

  return {
    access: {
      search(query, limit, until) {
        const key = JSON.stringify([query, limit]);
        const known = asking.get(key) ?? search.search(query, { limit, signal: until });
        asking.set(key, known);
        known.catch(() => asking.delete(key));
        return known;
      },
      read(address) {
        const uri = canonicalAddress(address);
        const known = reading.get(uri) ?? read(uri);
        reading.set(uri, known);
        known.catch(() => reading.delete(uri));
        return known;
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
