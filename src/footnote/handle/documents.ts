// The documents of one scope, as doors may call them. Invariant: long ones are read and printed on a thread where there is one, so that nobody waits.
import { createDeadline } from '../../core/deadline.ts';
import { type DocumentRecord, editionOf } from '../../core/document.ts';
import type { AddDocument } from '../../core/documents/add-document.ts';
import { FootnoteError } from '../../core/errors.ts';
import { givenPasswords } from '../../ingest/read/passwords.ts';
import type { DirectDocument } from '../../ingest/take/direct.ts';
import type { DocumentCalls } from '../facade/documents.ts';
import { boxesOf } from '../record/document-boxes.ts';
import { notDone } from '../record/record-thread.ts';
import { type ByteRange, bytesIn, textRange } from '../record/text-range.ts';
import { withPage } from '../sources/web.ts';
import { traceOfWorkspace, viewOfCited } from '../sources/workspace.ts';
import { assertSourceName, found, missing } from './found.ts';
import type { HandleOptions } from './options.ts';
import type { StoreNamed } from './store-named.ts';
import { withDuplicates } from './told-duplicates.ts';

/** Passwords that come with a document are tried as those of a password file are. */
export const toDirect = ({ passwords = [], url: _, ...document }: AddDocument): DirectDocument => ({
  ...document,
  ...(passwords.length > 0 && { passwords: givenPasswords(passwords) }),
});

/** Of a file whose document is replaced while it is read. */
const mostReads = 3;

/** Reading and printing a shorter document takes some 10 ms. */
const isLong = ({ textLength, chunkCount }: DocumentRecord): boolean => textLength > 500_000 || chunkCount > 250;

export function createDocumentsPart(
  options: Pick<
    HandleOptions,
    'record' | 'pipeline' | 'previews' | 'demand' | 'thread' | 'timeoutMs' | 'countOpen' | 'openVisitor'
  >,
  storeNamed: StoreNamed,
): DocumentCalls {
  const { record, pipeline, previews, demand, thread, openVisitor } = options;

  /** Bytes of a part as the thread gives them, or as they are read here where there is none. */
  async function partOf(id: string, part: 'file' | 'plain', inPlace: () => Promise<Uint8Array | undefined>) {
    const elsewhere = thread ? await thread.part(record.scope, { id, part }) : notDone;
    return elsewhere === notDone ? inPlace() : (elsewhere ?? undefined);
  }

  /** The file as it was, else the text; all of it where no range is asked. */
  async function fileOf(document: DocumentRecord, range: ByteRange | undefined) {
    const { id, mime } = document;
    const slice = range && thread ? await thread.slice(record.scope, id, range) : notDone;
    if (slice !== notDone && slice !== null) return { ...slice, mime };
    const bytes = await partOf(id, 'file', () => record.documents.file(id));
    if (bytes) return { ...bytesIn(bytes, range), mime };
    const inPlace = async () => new TextEncoder().encode(await found('document', id, record.documents.text(id)));
    const plain = isLong(document) ? await partOf(id, 'plain', inPlace) : await inPlace();
    const text = await found('document', id, Promise.resolve(plain));
    return { ...bytesIn(text, range), mime: 'text/plain; charset=utf-8' };
  }

  return {
    async add(document, call = {}) {
      for (const name of document.stores ?? []) storeNamed(name);
      if (document.source !== undefined) assertSourceName(document.source);
      const whole = await withPage(document, openVisitor(), call.signal);
      await demand.giveWay();
      return withDuplicates(
        await pipeline.addDocument(toDirect(whole), call.signal ? { signal: call.signal } : {}),
        ({ id }) => id,
        { record, demand },
      );
    },
    async preview(document, call = {}) {
      if (document.source !== undefined) assertSourceName(document.source);
      return previews.document(
        toDirect(await withPage(document, openVisitor(), call.signal)),
        call.signal ? { signal: call.signal } : {},
      );
    },
    async get(id) {
      const document = await found('document', id, record.documents.get(id));
      const [deliveries, duplicates] = await Promise.all([
        record.documents.deliveries(id),
        record.documents.duplicates(id),
      ]);
      return { ...document, deliveries, duplicates };
    },
    async list(request, call = {}) {
      if (request.filter === undefined) return record.documents.list(request);
      const deadline = createDeadline(call.timeoutMs ?? options.timeoutMs, call.signal);
      return record.documents.list({ ...request, signal: deadline.signal }).catch((error: unknown) => {
        if (deadline.signal.aborted) deadline.check();
        throw error;
      });
    },
    async delete(id) {
      if (!(await pipeline.deleteDocument(id))) throw missing('document', id);
    },
    async text(id, range = {}) {
      const text = await found('document', id, record.documents.text(id));
      return textRange(text, range);
    },
    async file(id, range) {
      // What is replaced while it is read is read again: a part under the edition of another would be joined with that one's.
      for (let tries = 1; ; tries += 1) {
        const document = await found('document', id, record.documents.get(id));
        const [part, edition] = [await fileOf(document, range), editionOf(document)];
        const after = await found('document', id, record.documents.get(id));
        const name = document.uri.split(/[/\\#]/u).findLast((one) => one !== '') ?? 'document';
        if (editionOf(after) === edition) {
          // Who shows a file part by part has opened it once.
          if (!range) options.countOpen?.(id);
          return { ...part, name, edition };
        }
        if (tries === mostReads)
          throw new FootnoteError(
            'conflict',
            `Document ${id} was replaced each time that its file was read. Ask again.`,
          );
      }
    },
    async chunks(id) {
      await found('document', id, record.documents.get(id));
      return record.documents.chunks(id);
    },
    structure: (id) => found('document', id, record.documents.structure(id)),
    async boxes(id, asked) {
      const document = await found('document', id, record.documents.get(id));
      const elsewhere = thread && isLong(document) ? await thread.boxes(record.scope, id, asked) : notDone;
      if (elsewhere === null) throw missing('document', id);
      if (elsewhere !== notDone) return elsewhere;
      return boxesOf(document, await found('document', id, record.documents.structure(id)), asked);
    },
    async print(id, part, range = {}) {
      const document = await found('document', id, record.documents.get(id));
      if (!thread || !isLong(document)) return undefined;
      const printed = await thread.part(record.scope, { id, part, range });
      if (printed === null) throw missing('document', id);
      return printed === notDone ? undefined : printed;
    },
    async view(id, range) {
      if (traceOfWorkspace(id) !== undefined) {
        const view = await viewOfCited(record.answers, id, range);
        if (view === undefined) throw missing('document', id);
        return view;
      }
      const document = await found('document', id, record.documents.get(id));
      options.countOpen?.(id);
      if (!thread || !isLong(document)) return undefined;
      const view = await thread.view(record.scope, id, range);
      if (view === null) throw missing('document', id);
      return view === notDone ? undefined : view;
    },
  };
}
