// The web as this process reads it: one guarded way out for all scopes, and visitors that share the patience of hosts.
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { AddDocument } from '../../core/documents/add-document.ts';
import { type Clock, sha256 } from '../../core/ids.ts';
import { createMirrors, type Mirrors } from '../../ingest/connectors/git/mirror.ts';
import { canonicalAddress } from '../../ingest/connectors/web/address.ts';
import { createVisitors, type Visitor } from '../../ingest/connectors/web/visit.ts';
import { usualSource } from '../../ingest/take/direct.ts';
import { openForeign } from '../../net/foreign.ts';

export interface Web {
  readonly openVisitor: () => Visitor;
  /** Copies of repositories for one tenant. */
  mirrorsOf(tenant: string): Mirrors;
  close(): void;
}

export function openWeb({ web, data }: Pick<Config, 'web' | 'data'>, clock: Clock): Web {
  const foreign = openForeign({
    allowedHosts: web.allowHosts,
    maxResponseBytes: web.maxPageBytes,
    timeoutMs: web.timeoutMs,
  });
  return {
    openVisitor: createVisitors({ foreign, clock, hostGapMs: web.hostGapMs }),
    mirrorsOf: (tenant) => createMirrors({ folder: join(data, 'repositories', sha256(tenant).slice(0, 16)), foreign }),
    close: () => foreign.close(),
  };
}

/** Where pages go that are added one by one without the name of a source. */
const sourceOfPages = 'web';

/** The source that a document will have. */
export const sourceOf = ({ source, url }: Pick<AddDocument, 'source' | 'url'>): string =>
  source ?? (url === undefined ? usualSource : sourceOfPages);

/** A document with what its address leads to; others as they are. Throws what visiting throws, `not-found`. */
export async function withPage(
  { url, ...document }: AddDocument,
  visitor: Visitor,
  signal?: AbortSignal,
): Promise<AddDocument> {
  if (url === undefined) return document;
  const address = canonicalAddress(url);
  const visit = await visitor.visit(address, { signal });
  if (visit.kind === 'gone') throw visit.error;
  if (visit.kind === 'unchanged') return document;
  const { bytes, name, mime, retrievedAt, url: foundAt } = visit;
  const source = sourceOf({ ...document, url });
  return {
    uri: address,
    name,
    ...(mime !== undefined && { mime }),
    ...(source === sourceOfPages && { sourceType: 'web' }),
    ...document,
    source,
    bytes,
    metadata: { ...document.metadata, retrievedAt, ...(foundAt !== address && { foundAt }) },
  };
}
