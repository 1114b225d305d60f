// Files that are uploaded first and attached to a source later, for one scope. Invariant: what became of a file is written down before its run ends,
// and a file that was taken away while it was read leaves nothing behind.
import { type DocumentRecord, type Source, webSearchSource } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { madeBefore } from '../../core/keyed/effects.ts';
import { defined } from '../../core/values/defined.ts';
import { limitConcurrency } from '../../core/waiting/limit-concurrency.ts';
import type { AttachedFile } from '../../db/repositories/uploads.ts';
import type { UploadCalls } from '../facade/uploads.ts';
import { found } from './found.ts';
import type { SyncWork } from './ingestion-runs.ts';
import type { CountBytes, HandleOptions } from './options.ts';

/** Files of all runs that are in hand at once: each is held whole. */
const inTurn = limitConcurrency(2);

/** The path of an attached file in its source. */
const uriOf = (fileId: string, name: string): string => `${fileId}/${name.replaceAll(/[/\\#]/gu, '-')}`;

/** Counts what goes beyond the bytes that were counted before. */
function countBeyond(counted: number, countBytes: CountBytes): CountBytes {
  let free = counted;
  return async (amount) => {
    const taken = Math.min(free, amount);
    free -= taken;
    const takeBack = taken < amount ? await countBytes(amount - taken) : undefined;
    return () => {
      free += taken;
      takeBack?.();
    };
  };
}

export function createUploadsPart({
  record,
  pipeline,
  countBytes,
  runs,
  clock,
  ids,
  demand,
  stores,
}: Pick<
  HandleOptions,
  'record' | 'pipeline' | 'countBytes' | 'runs' | 'clock' | 'ids' | 'demand' | 'stores'
>): UploadCalls {
  const { uploads, documents } = record;

  /** Reads a file in, whose own bytes may be counted already; resolves with what became of it. */
  async function take(
    file: AttachedFile,
    { signal, isCounted }: { readonly signal: AbortSignal; readonly isCounted: boolean },
  ): Promise<AttachedFile> {
    const { source, uri, fileId, facts } = file;
    let lines = new Set(facts.lines);
    const linesOf = (documents: readonly Pick<DocumentRecord, 'id' | 'uri'>[]): readonly string[] =>
      documents.filter((one) => one.uri !== uri && !one.uri.startsWith(`${uri}/`)).map(({ id }) => id);
    const toFacts = (): AttachedFile['facts'] => ({ ...facts, ...(lines.size > 0 && { lines: [...lines] }) });
    try {
      await demand.giveWay();
      signal.throwIfAborted();
      const { name, mime } = await found('file', fileId, uploads.get(fileId));
      const bytes = await found('file', fileId, uploads.bytes(fileId));
      const { attributes: metadata, chunking } = facts;
      const added = await pipeline.addDocument(
        // Read again wherever it was read before: its attributes count, or how it is to be cut.
        { bytes, name, uri, source, reread: true, ...(mime !== '' && { mime }), ...defined({ metadata, chunking }) },
        {
          signal,
          ...(countBytes && { countBytes: countBeyond(isCounted ? bytes.byteLength : 0, countBytes) }),
          // One that is cut off may have brought some of them.
          onWritten(documents) {
            for (const id of linesOf(documents)) lines.add(id);
          },
        },
      );
      lines = new Set(linesOf(added));
      const own = added.find((document) => document.uri === uri);
      return { ...file, state: 'done', ...(own && { documentId: own.id }), facts: toFacts() };
    } catch (thrown) {
      const { code, message } = toFootnoteError(signal.aborted ? signal.reason : thrown);
      const state = signal.aborted ? 'cancelled' : 'failed';
      return { ...file, state, facts: { ...toFacts(), error: { code, message } } };
    }
  }

  /** What came of a file, however deep. */
  async function remove({ source, uri, facts: { lines = [] } }: AttachedFile): Promise<void> {
    const own = await documents.findByUri(source, uri);
    if (own) await pipeline.deleteDocument(own.id);
    for await (const inner of documents.inside({ source, uri, container: uri }))
      for (const { id } of inner) await pipeline.deleteDocument(id);
    for (const id of lines) await pipeline.deleteDocument(id);
    await record.readings.forget(source, [uri]);
  }

  const work =
    (files: readonly Omit<AttachedFile, 'runId'>[], begun: PromiseWithResolvers<void>): SyncWork =>
    async ({ ingestion, signal, report }) => {
      const attached = files.map((file) => ({ ...file, runId: ingestion.id }));
      // Uploading a file counted it, for one place: the first.
      const counted = new Set(await uploads.putAttached(attached));
      begun.resolve();
      const counts = { ...ingestion.counts, found: files.length };
      for (const file of attached) {
        const isCounted = counted.delete(file.fileId);
        const settled = await inTurn(() => take(file, { signal, isCounted }));
        const isDone = settled.state === 'done';
        counts[isDone ? 'done' : 'failed'] += 1;
        const { uri, documentId, facts } = settled;
        const told = {
          uri,
          state: isDone ? 'done' : 'failed',
          ...defined({ documentId, error: facts.error }),
        } as const;
        await record.ingestions.putFiles(ingestion.id, [told]);
        // It was taken away meanwhile, unless it is attached anew.
        if (!(await uploads.settle(settled)) && (await uploads.attached(file)).length === 0) await remove(settled);
        report({ ...ingestion, counts: { ...counts } }, told);
      }
      const state = signal.aborted ? 'cancelled' : 'done';
      const final = { ...ingestion, state, finishedAt: clock.now(), counts } as const;
      await record.ingestions.put(final);
      return final;
    };

  const isRunning = async (runId: string): Promise<boolean> => {
    const run = runs.find(record.scope.tenant, runId);
    if (run) return run.latest.state === 'running';
    return runs.hasOthers && (await record.ingestions.get(runId))?.state === 'running';
  };

  return {
    ...uploads,
    isRunning,
    async add(file, bytes) {
      const made = madeBefore('upload');
      if (made !== undefined) return found('file', made, uploads.get(made));
      const upload = {
        ...file,
        id: ids.next('file').replace('_', '-'),
        size: bytes.byteLength,
        createdAt: clock.now(),
      };
      const takeBack = await countBytes?.(bytes.byteLength);
      await uploads.put(upload, bytes).catch((error: unknown) => {
        takeBack?.();
        throw error;
      });
      return upload;
    },
    async describe(source, facts, isMade = false) {
      const { first } = isMade ? {} : await uploads.times(source);
      await uploads.putCollection({ source, isOwn: isMade, createdAt: first ?? clock.now(), facts });
    },
    async attach(source, files) {
      const made = madeBefore('attached');
      if (made !== undefined) return made;
      const { connector } = await found('source', source, record.sources.get(source));
      if (connector || source === webSearchSource) throw mirrors(source);
      const createdAt = clock.now();
      const attached = await Promise.all(
        files.map(async ({ fileId, ...facts }) => {
          const { name } = await found('file', fileId, uploads.get(fileId));
          // What its lines became before is known until it is read again.
          const [present] = await uploads.attached({ fileId, source });
          const known = { ...facts, ...defined({ lines: present?.facts.lines }) };
          return { source, uri: uriOf(fileId, name), fileId, createdAt, state: 'pending' as const, facts: known };
        }),
      );
      const begun = Promise.withResolvers<void>();
      const run = await runs.start(record.scope, source, { record, work: work(attached, begun), isBeside: true });
      run.finished.catch(begun.reject);
      await begun.promise;
      return run.id;
    },
    /** One that a run has in hand is not read to its end; without a run nobody is at it any more. */
    async attached(asked) {
      const rows = await uploads.attached(asked);
      const pending = new Set(rows.flatMap(({ state, runId }) => (state === 'pending' ? [runId] : [])));
      const running = new Map<string, boolean>();
      for (const runId of pending) running.set(runId, await isRunning(runId));
      return rows.map((row) => {
        if (row.state !== 'pending' || running.get(row.runId) === true) return row;
        const error = { code: 'internal', message: 'Reading it in ended early. Attach it again.' };
        return { ...row, state: 'failed', facts: { ...row.facts, error } };
      });
    },
    async detach(file) {
      await uploads.detach(file.source, file.uri);
      await remove(file);
    },
    async setMetadata(documentId, said) {
      const document = await found('document', documentId, documents.get(documentId));
      const source = await found<Source>('source', document.source, record.sources.get(document.source));
      if (source.connector || 'container' in document.metadata) throw mirrors(document.source);
      const deliveries = (await documents.deliveries(documentId)).map(({ store }) => store);
      const isForAll = stores.every(({ name }) => deliveries.includes(name));
      await pipeline.addDocument({
        ...factsOf(document),
        bytes: (await documents.file(documentId)) ?? new TextEncoder().encode(await documents.text(documentId)),
        name: document.uri.split('/').at(-1) ?? document.uri,
        ...said,
        reread: true,
        ...(!isForAll && { stores: deliveries }),
      });
    },
  };
}

const factsOf = ({ source, uri, title, mime, category, version, publishedAt, access }: DocumentRecord) =>
  defined({ source, uri, title, mime, category, version, publishedAt, access });

const mirrors = (source: string): FootnoteError =>
  new FootnoteError(
    'conflict',
    `What stands in source "${source}" comes from elsewhere or out of an archive: change it there. Attach files to a store of your own.`,
  );
