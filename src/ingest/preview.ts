// What reading a folder or a file would bring, found out by doing all of it but the writing. Invariant: the run is the real one over a
// dry-run record, so what a preview tells is what would happen; nothing is written and nothing is sent to a provider.

import type { Source } from '../core/document.ts';
import type { IngestPreview, PreviewFile, PreviewKind, SkipReason } from '../core/documents/preview.ts';
import type { Ingestion, IngestionFile } from '../core/documents/runs.ts';
import { type ErrorCode, errorTable, FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { EmbedPlan } from '../vectors/estimate.ts';
import { textForModel } from '../vectors/ports.ts';
import { createPipeline, type PipelineOptions, type SyncRun } from './pipeline.ts';
import { faultOf, outcomeOf } from './progress.ts';
import type { DirectDocument } from './take/direct.ts';
import { createDryRunDuplicates } from './take/dry-run-duplicates.ts';
import { createDryRunRecord, type DryRunListener } from './take/dry-run-record.ts';

export interface PreviewPorts extends Omit<PipelineOptions, 'stores' | 'onChange'> {
  /** Undefined where vectors cost nothing. */
  readonly openEmbedPlan: () => Promise<EmbedPlan | undefined>;
}

export interface PreviewOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: SyncRun['onProgress'];
}

export interface Previews {
  /** Throws what ends such a run: `not-found`, `storage-denied`, `conflict`, `cancelled`, `data-corrupt`. */
  folder(source: Source, options?: PreviewOptions): Promise<IngestPreview>;
  document(document: DirectDocument, options?: PreviewOptions): Promise<IngestPreview>;
}

/** An answer may not grow without bound. */
const keptFileBytes = 4_000_000;
const keptSkipped = 1000;
/** Durable chunks a second on two cores where no run has shown better: a quarter of what bench/results/ingest.json measured. */
const assumedChunksPerSecond = 1000;
/** Shorter runs say little about a rate. */
const tellingChunks = 200;

/** Trouble first. */
const rankOf = ({ state, warnings = [] }: IngestionFile): number =>
  state === 'failed' || state === 'parked' ? 0 : warnings.length > 0 ? 1 : state === 'unchanged' ? 3 : 2;

function toKinds(files: readonly PreviewFile[]): PreviewKind[] {
  const kinds = new Map<string, { kind: string; files: number; bytes: number; chunks: number }>();
  for (const file of files) {
    if (file.state !== 'done') continue;
    const { kind = 'other' } = file;
    const row = kinds.get(kind) ?? { kind, files: 0, bytes: 0, chunks: 0 };
    kinds.set(kind, row);
    row.files += 1;
    row.bytes += file.bytes ?? 0;
    row.chunks += file.chunks ?? 0;
  }
  return [...kinds.values()].sort((a, b) => b.files - a.files || (a.kind < b.kind ? -1 : 1));
}

function keepSome(files: readonly PreviewFile[]): readonly PreviewFile[] {
  let left = keptFileBytes;
  const end = files.findIndex((file) => {
    left -= JSON.stringify(file).length;
    return left < 0;
  });
  return end < 0 ? files : files.slice(0, end);
}

export function createPreviews(ports: PreviewPorts): Previews {
  const { record, clock, ids } = ports;

  async function rate(): Promise<{ chunksPerSecond: number; from: 'measured' | 'assumed' }> {
    let [chunks, seconds] = [0, 0];
    for (const { startedAt, finishedAt, counts } of (await record.ingestions.list({ limit: 20 })).data) {
      if (finishedAt === undefined || counts.chunks < tellingChunks) continue;
      chunks += counts.chunks;
      seconds += (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
    }
    return seconds > 0
      ? { chunksPerSecond: chunks / seconds, from: 'measured' }
      : { chunksPerSecond: assumedChunksPerSecond, from: 'assumed' };
  }

  /** Counts what would be written, and asks what its vectors would take. */
  async function startDryRun(onWritten?: DryRunListener['written']) {
    const plan = await ports.openEmbedPlan();
    const duplicates = createDryRunDuplicates(record.documents);
    const startedMs = clock.elapsedMs();
    let tokens = 0;
    let planning = Promise.resolve();
    const listener: DryRunListener = {
      written(write) {
        const { document, chunks } = write;
        onWritten?.(write);
        duplicates.add(write);
        for (const chunk of chunks) tokens += chunk.tokens;
        if (plan) planning = planning.then(() => plan.add(chunks.map((chunk) => textForModel(document, chunk))));
      },
    };
    const pipeline = createPipeline({ ...ports, record: createDryRunRecord(record, listener), stores: [] });
    return {
      pipeline,
      async end(
        found: Pick<IngestPreview, 'source' | 'counts' | 'skipped'> & { readonly files: readonly PreviewFile[] },
      ): Promise<IngestPreview> {
        const readingSeconds = (clock.elapsedMs() - startedMs) / 1000;
        await planning;
        const { chunksPerSecond, from } = await rate();
        const sorted = found.files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.uri < b.uri ? -1 : 1));
        const files: PreviewFile[] = [];
        for (const file of keepSome(sorted)) {
          const links = file.documentId === undefined ? [] : await duplicates.of(file.documentId);
          files.push(links.length === 0 ? file : { ...file, duplicates: links });
        }
        return {
          source: found.source,
          counts: found.counts,
          bytes: found.files.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
          tokens,
          kinds: toKinds(found.files),
          files,
          omittedFiles: found.files.length - files.length,
          skipped: found.skipped.slice(0, keptSkipped),
          omittedSkipped: Math.max(0, found.skipped.length - keptSkipped),
          time: {
            seconds: Math.max(readingSeconds, found.counts.chunks / chunksPerSecond),
            readingSeconds,
            chunksPerSecond,
            from,
          },
          ...(plan && { embedding: plan.need() }),
        };
      },
    };
  }

  return {
    async folder(source, { signal, onProgress } = {}) {
      const { connector } = source;
      if (connector === undefined)
        throw new FootnoteError(
          'unsupported',
          `Source "${source.name}" has nothing to read: its documents were added one by one.`,
        );
      const skipped: { path: string; reason: SkipReason }[] = [];
      const sizes = new Map<string, number>();
      const dryRun = await startDryRun();
      const files = new Map<string, PreviewFile>();
      const ingestion: Ingestion = {
        id: ids.next('preview'),
        source: source.name,
        state: 'running',
        startedAt: clock.now(),
        counts: { found: 0, done: 0, unchanged: 0, failed: 0, deleted: 0, chunks: 0 },
      };
      const final = await dryRun.pipeline.syncSource({
        source,
        connector,
        ingestion,
        isLook: true,
        onItem: ({ uri, sizeBytes }) => void sizes.set(uri, sizeBytes ?? 0),
        onSkipped: (path, reason) => skipped.push({ path, reason }),
        ...(signal && { signal }),
        onProgress(present, file) {
          if (file && file.state !== 'pending') {
            const bytes = sizes.get(file.uri);
            files.set(file.uri, { ...file, ...(bytes !== undefined && { bytes }) });
          }
          onProgress?.(present, file);
        },
      });
      if (final.state === 'cancelled') throw new FootnoteError('cancelled', 'The look at the folder was cancelled.');
      if (final.state !== 'doubtful' && final.error) {
        const { code, message } = final.error;
        throw new FootnoteError(code in errorTable ? (code as ErrorCode) : 'internal', message);
      }
      return dryRun.end({ source: source.name, counts: final.counts, files: [...files.values()], skipped });
    },

    async document(document, { signal } = {}) {
      const kinds = new Map<string, string | undefined>();
      const dryRun = await startDryRun((write) => kinds.set(write.document.uri, outcomeOf(write.document).kind));
      const source = document.source ?? 'uploads';
      const bytes = document.bytes?.byteLength ?? Buffer.byteLength(document.text ?? '');
      const counts = { found: 1, done: 0, unchanged: 0, failed: 0, deleted: 0, chunks: 0 };
      const files: PreviewFile[] = [];
      try {
        const results = await dryRun.pipeline.addDocument(document, signal ? { signal } : {});
        for (const [at, { id, uri, status, chunks, warnings }] of results.entries()) {
          const isSame = status === 'unchanged';
          const kind = kinds.get(uri);
          counts[isSame ? 'unchanged' : 'done'] += 1;
          if (!isSame) counts.chunks += chunks;
          files.push({
            uri,
            state: isSame ? 'unchanged' : 'done',
            ...(!isSame && { change: status === 'created' ? 'added' : 'changed' }),
            ...(kind !== undefined && { kind }),
            documentId: id,
            chunks,
            ...(warnings.length > 0 && { warnings }),
            ...(at === 0 && { bytes }),
          });
        }
        counts.found = results.length;
      } catch (thrown) {
        const error = toFootnoteError(thrown);
        if (['cancelled', 'internal', 'conflict'].includes(error.code)) throw thrown;
        counts.failed = 1;
        const uri = document.uri ?? document.name ?? 'text';
        files.push({ uri, state: 'failed', error: faultOf(error, uri), bytes });
      }
      return dryRun.end({ source, counts, files, skipped: [] });
    },
  };
}
