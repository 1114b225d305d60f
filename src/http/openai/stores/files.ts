// Files as OpenAI's clients keep them: bytes that nobody reads before they are attached, and documents, whichever way they came.

import type { DocumentRecord } from '../../../core/document.ts';
import { asAbsent } from '../../../core/errors.ts';
import type { Upload } from '../../../footnote/facade/uploads.ts';
import { type FileObject, vectorStores } from '../../../operations/vector-stores.ts';
import { refusal } from '../../foreign/errors.ts';
import { filePrefix } from '../../foreign/models.ts';
import { createHeldReplies } from '../../hardening/held-replies.ts';
import { contentDisposition } from '../../routes/documents.ts';
import type { Door } from '../../wire/http-types.ts';
import { fileNameOf } from '../file-facts.ts';
import { type HandledRoutes, missingOf, pageOf, type StoreCaller, seconds, serving } from './store-caller.ts';

type Purpose = FileObject['purpose'];
const purposes: readonly string[] = ['assistants', 'user_data'] satisfies Purpose[];

const attachedUri = /^(file-[0-9a-f]{24})\/[^/#]+$/u;

/** That of the upload which it was, or one made of its own. */
export const fileIdOf = ({ id, uri, metadata }: DocumentRecord): string =>
  ('container' in metadata ? undefined : attachedUri.exec(uri)?.[1]) ?? filePrefix + id;

/** Its document in the first place where the caller may read it. */
export async function documentOf({ footnote, uploads }: StoreCaller, fileId: string) {
  if (!fileId.startsWith(filePrefix)) return undefined;
  const attached = (await uploads.attached({ fileId })).map(({ documentId }) => documentId);
  for (const id of [...attached, fileId.slice(filePrefix.length)]) {
    const document = id === undefined ? undefined : await footnote.documents.get(id).catch(asAbsent);
    if (document) return document;
  }
  return undefined;
}

const toFile = ({ id, size: bytes, name: filename, purpose, createdAt }: Omit<Upload, 'mime'>): FileObject => ({
  id,
  object: 'file',
  bytes,
  created_at: seconds(createdAt),
  filename,
  purpose: purpose as Purpose,
  status: 'processed',
});

async function bytesOf(caller: StoreCaller, id: string) {
  const upload = await caller.uploads.get(id);
  const bytes = upload && (await caller.uploads.bytes(id));
  if (bytes) return { name: upload.name, bytes };
  const document = await documentOf(caller, id);
  if (!document) throw missingOf('file', id);
  const { bytes: read } = await caller.footnote.documents.file(document.id);
  return { name: fileNameOf(document), bytes: read, document };
}

async function getFile(caller: StoreCaller, id: string): Promise<FileObject> {
  const upload = await caller.uploads.get(id);
  if (upload) return toFile(upload);
  const { name, bytes, document } = await bytesOf(caller, id);
  const createdAt = document?.updatedAt ?? '';
  return toFile({ id, name, size: bytes.byteLength, purpose: 'assistants' satisfies Purpose, createdAt });
}

/** Takes it out of all stores in which the caller may; an upload that is not the caller's stays with its owner. */
async function deleteFile(caller: StoreCaller, id: string): Promise<void> {
  const { footnote, uploads } = caller;
  const isOwn = (await uploads.get(id)) !== undefined;
  let isGone = isOwn;
  for (const file of await uploads.attached({ fileId: id })) {
    const document =
      file.documentId === undefined ? undefined : await footnote.documents.get(file.documentId).catch(asAbsent);
    if (!isOwn && !document) continue;
    await uploads.detach(file);
    isGone = true;
  }
  if (isOwn) await uploads.delete(id);
  const document = isGone ? undefined : await documentOf(caller, id);
  if (document) await footnote.documents.delete(document.id);
  else if (!isGone) throw missingOf('file', id);
}

export function fileRoutes(door: Door): HandledRoutes {
  const held = createHeldReplies();
  const on = serving(door);
  return [
    on(vectorStores.createFile, async (caller, { body: { purpose, ...others } }, { request }) => {
      const [file, ...more] = request.uploads ?? [];
      if (!file || more.length > 0) throw refusal('file', 'Send one file, as multipart/form-data.', 'invalid_value');
      const { name, mime, bytes } = file;
      if (bytes.byteLength === 0) throw refusal('file', `The file ${name} is empty.`, 'invalid_value');
      if (!purposes.includes(purpose))
        throw refusal('purpose', `Files are kept for ${purposes.join(' and ')}: nothing else is done with them here.`);
      if (Object.keys(others).some((field) => field.startsWith('expires_after')))
        throw refusal('expires_after', 'Files do not expire here. Delete them when they are no longer needed.');
      return getFile(caller, (await caller.uploads.add({ name, mime, purpose }, bytes)).id);
    }),
    on(vectorStores.listFiles, (caller, { query: { purpose, ...query } }) =>
      pageOf(query, {
        async keyOf(id) {
          const upload = await caller.uploads.get(id);
          if (!upload) throw missingOf('file', id);
          return { at: upload.createdAt, id };
        },
        read: (slice) => caller.uploads.list({ ...slice, purpose }),
        show: async (upload) => toFile(upload),
      }),
    ),
    on(vectorStores.getFile, (caller, { params }) => getFile(caller, params.file_id)),
    on(vectorStores.fileContent, async (caller, { params: { file_id: id } }, { reply }) => {
      held.admit();
      const { name, bytes } = await bytesOf(caller, id);
      held.hold(reply, bytes.byteLength);
      return reply
        .header('content-type', 'application/octet-stream')
        .header('content-disposition', contentDisposition(name))
        .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    }),
    on(vectorStores.deleteFile, async (caller, { params: { file_id: id } }) => {
      await deleteFile(caller, id);
      return { id, object: 'file', deleted: true };
    }),
  ];
}
