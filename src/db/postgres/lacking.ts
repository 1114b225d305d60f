// What the record in PostgreSQL does not keep yet, behind its ports: it has none of it, so that whoever reads finds nothing, and whoever would write is
// told by name. Caches keep nothing.
import type { ArchiveChatRepository, ArchiveIndexRepository, ArchiveRepository } from '../repositories/archive.ts';
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

const conversations = refuse('conversations of the archive');
export const noArchive: ArchiveRepository = {
  put: conversations,
  keepOnly: conversations,
  list: async () => ({ data: [] }),
  conversation: nothing,
  conversations: async () => new Map(),
  turn: nothing,
  turns: none,
  around: async () => ({ before: [], after: [] }),
  turnsOf: async () => ({ data: [] }),
  delete: nothing,
};
export const noArchiveIndex: ArchiveIndexRepository = {
  facts: none,
  turnsAfter: none,
  languages: none,
  segmentAfter: nothing,
  putSegment: conversations,
  deleteSegment: nothing,
  vectorsAfter: none,
  putVectors: nothing,
};
export const noArchiveChats: ArchiveChatRepository = {
  add: refuse('answers from the archive'),
  lastQuestion: nothing,
  delete: async () => false,
};
