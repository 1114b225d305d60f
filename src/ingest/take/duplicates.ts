// Fingerprints for documents that were recorded before there were any, so that they are linked with their duplicates too: a few thousand
// in each run over their source. The work is done where files are parsed; a document that changes meanwhile brings its own.
import { toFootnoteError } from '../../core/errors.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { Chunking, CuttingPool } from '../read/parse.ts';
import { blamed } from './parking.ts';

/** In one run: a large corpus is done after some of them. */
const documentsPerRun = 5_000;
const batchSize = 50;

export interface LinkingPorts {
  readonly record: TenantRecord;
  readonly parsers: CuttingPool;
  readonly chunking: Chunking;
}

/** Errors of one document that another does not share: a damaged text, one that looks like a file of another type. */
const concernsOne: ReadonlySet<string> = new Set([...blamed, 'data-corrupt']);

async function linkOne(
  { record, parsers, chunking }: LinkingPorts,
  documentId: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const text = await record.documents.text(documentId);
  if (text === undefined) return false;
  const input = { bytes: Buffer.from(text), name: 'text.txt', mime: 'text/plain' };
  const { fingerprint, textHash } = await parsers.cut(input, { documentId, chunking, name: 'text.txt' }, signal);
  const { applied } = await record.commit([{ kind: 'put-fingerprint', documentId, textHash, fingerprint }]);
  return applied[0] === true;
}

/** Returns how many documents were given their fingerprint. What a parser left out of the content counts here, for it is not known. */
export async function linkRecorded(ports: LinkingPorts, source: string, signal?: AbortSignal): Promise<number> {
  const { record } = ports;
  let after: string | undefined;
  let linked = 0;
  for (let seen = 0; seen < documentsPerRun; ) {
    const ids = await record.documents.withoutFingerprint(source, after, batchSize);
    for (const documentId of ids) {
      signal?.throwIfAborted();
      try {
        if (await linkOne(ports, documentId, signal)) linked += 1;
      } catch (thrown) {
        if (!concernsOne.has(toFootnoteError(thrown).code)) throw thrown;
      }
    }
    seen += ids.length;
    after = ids.at(-1);
    if (ids.length < batchSize) break;
  }
  return linked;
}
