// The thread that reads and deletes long documents (record-thread.ts): one task at a time, on connections with the safety of the record's own.
import { parentPort, workerData } from 'node:worker_threads';
import type { Chunk, Heading, Page, Place, WordBox } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { DocumentStructure } from '../../db/repositories/changes.ts';
import { createDocumentRepository } from '../../db/sqlite/documents/documents.ts';
import { createRowCache } from '../../db/sqlite/documents/row-cache.ts';
import { openReader, openWriter } from '../../db/sqlite/file/connection.ts';
import { translated } from '../../db/sqlite/file/sqlite-errors.ts';
import { createTransaction } from '../../db/sqlite/transaction.ts';
import { createTenantIndex } from '../../stores/embedded/tenant-index.ts';
import { removeVectors } from '../../stores/embedded/vectors.ts';
import { reply, replyFailure } from '../../threads/replies.ts';
import { boxesOf } from './document-boxes.ts';
import { viewOf } from './document-view.ts';
import type { RecordOrder, RecordResult } from './record-thread.ts';
import { bytesIn, textRange } from './text-range.ts';

const { path } = workerData as { readonly path: string };
let reader: ReturnType<typeof openReader> | undefined;
/** Nothing is kept: what is read here is long. */
const rows = createRowCache(0);

const documentsOf = (scope: Scope) =>
  createDocumentRepository(
    scope,
    async (work) =>
      translated(path, () => {
        reader ??= openReader(path);
        return work(reader);
      }),
    rows,
  );

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const printed = (value: unknown): Uint8Array => utf8(JSON.stringify(value));

// Field by field, as the schemas of the API have them: what else a value may hold is not theirs.
const spanOf = ({ start, end }: { readonly start: number; readonly end: number }) => ({ start, end });
const chunkOf = ({ id, documentId, ordinal, start, end, text, hash, headingPath, ...rest }: Chunk) => {
  const { headings, pages, lines, place, tokens } = rest;
  return { id, documentId, ordinal, start, end, text, hash, headingPath, headings, pages, lines, place, tokens };
};
const pageOf = ({ number, label, width, height, ...span }: Page) => ({
  ...spanOf(span),
  number,
  label,
  width,
  height,
});
const headingOf = ({ level, title, ...span }: Heading) => ({ ...spanOf(span), level, title });
const wordOf = ({ page, x, y, width, height, ...span }: WordBox) => ({ ...spanOf(span), page, x, y, width, height });
const placeOf = ({ label, ...span }: Place) => ({ ...spanOf(span), label });
const structureOf = ({ pages, headings, words, places }: DocumentStructure) => ({
  pages: pages.map(pageOf),
  headings: headings.map(headingOf),
  words: words.map(wordOf),
  ...(places && { places: places.map(placeOf) }),
});

async function partOf({ scope, id, part, range }: Extract<RecordOrder, { kind: 'part' }>): Promise<Uint8Array | null> {
  const documents = documentsOf(scope);
  if (part === 'file') return (await documents.file(id)) ?? null;
  if (part === 'chunks') {
    if (!(await documents.get(id))) return null;
    return printed({ data: (await documents.chunks(id)).map(chunkOf) });
  }
  if (part === 'structure') {
    const structure = await documents.structure(id);
    return structure ? printed(structureOf(structure)) : null;
  }
  const text = await documents.text(id);
  if (text === undefined) return null;
  return part === 'plain' ? utf8(text) : printed(textRange(text, range));
}

/** The file that a part was asked of last: whoever shows one asks for many. It is given to those alone who may read it as it is now. */
let kept: { readonly key: string; readonly bytes: Uint8Array; readonly ends: NodeJS.Timeout } | undefined;
const keptMs = 30_000;

async function sliceOf({ scope, id, range }: Extract<RecordOrder, { kind: 'slice' }>): Promise<RecordResult> {
  const documents = documentsOf(scope);
  const document = await documents.get(id);
  const key = JSON.stringify([scope.tenant, id, document?.contentHash]);
  const bytes = document && (kept?.key === key ? kept.bytes : await documents.file(id));
  if (!bytes) return null;
  clearTimeout(kept?.ends);
  const forget = () => {
    kept = undefined;
  };
  kept = { key, bytes, ends: setTimeout(forget, keptMs).unref() };
  // Its own memory is given away.
  const { bytes: part, size } = bytesIn(bytes, range);
  return { bytes: part.slice(), size };
}

async function shownOf(order: Extract<RecordOrder, { kind: 'view' | 'boxes' }>): Promise<RecordResult> {
  const { id } = order;
  const documents = documentsOf(order.scope);
  const [document, structure] = [await documents.get(id), await documents.structure(id)];
  if (!document || !structure) return null;
  if (order.kind === 'boxes') return boxesOf(document, structure, order.asked);
  const text = await documents.text(id);
  return text === undefined ? null : viewOf({ document, text, structure }, order.range);
}

function remove({ scope, ids }: Extract<RecordOrder, { kind: 'delete' }>): number {
  kept = undefined;
  return translated(path, () => {
    const writer = openWriter(path, 'FULL');
    try {
      writer.exec('BEGIN IMMEDIATE');
      const make = createTransaction(writer, scope);
      removeVectors(writer, scope.tenant, ids);
      createTenantIndex(scope.tenant).remove(writer, ids);
      const removed = ids.filter((id) => make({ kind: 'delete-document', id })).length;
      // What is indexed of documents that this caller may not delete would be gone from the index alone.
      if (removed !== ids.length)
        throw new FootnoteError('internal', 'Not all of the documents can be deleted at once.');
      writer.exec('COMMIT');
      return removed;
    } finally {
      // A transaction that was not committed ends with its connection.
      writer.close();
    }
  });
}

async function work(order: RecordOrder): Promise<void> {
  const { task } = order;
  try {
    if (order.kind === 'delete') return reply<RecordResult>({ kind: 'done', task, result: remove(order) });
    const result =
      order.kind === 'part'
        ? await partOf(order)
        : order.kind === 'slice'
          ? await sliceOf(order)
          : await shownOf(order);
    const bytes = result !== null && typeof result === 'object' && 'bytes' in result ? result.bytes : result;
    const transfer = bytes instanceof Uint8Array ? [bytes.buffer as ArrayBuffer] : [];
    return reply<RecordResult>({ kind: 'done', task, result }, transfer);
  } catch (thrown) {
    return replyFailure(thrown, task);
  }
}

let working: Promise<void> = Promise.resolve();
parentPort?.on('message', (order: RecordOrder) => {
  working = working.then(() => work(order));
});
reply({ kind: 'ready' });
