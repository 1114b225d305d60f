// What the record in PostgreSQL does not keep yet, behind its ports: it has none of it, so that whoever reads finds nothing, and whoever would write is
// told by name. Caches keep nothing.
import type { DocumentOpensRepository } from '../repositories/document-opens.ts';
import type { UploadRepository } from '../repositories/uploads.ts';
import { unsupported } from './unsupported.ts';

const refuse = (what: string) => async (): Promise<never> => {
  throw unsupported(what);
};
const nothing = async (): Promise<undefined> => undefined;
const none = async (): Promise<readonly never[]> => [];

/** How often documents are opened is not counted. */
export const noOpens: DocumentOpensRepository = { add: nothing, most: none };

const uploads = refuse('uploaded files');
export const noUploads: UploadRepository = {
  put: uploads,
  get: nothing,
  list: none,
  bytes: nothing,
  delete: async () => false,
  putCollection: uploads,
  disown: nothing,
  collections: none,
  putAttached: uploads,
  settle: async () => false,
  attached: none,
  detach: nothing,
  files: none,
  counts: async () => ({ pending: 0, done: 0, failed: 0, cancelled: 0, characters: 0 }),
  times: async () => ({}),
};
