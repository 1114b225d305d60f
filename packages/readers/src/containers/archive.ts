// Archives are no documents: their files are, each by itself. Asked to parse one, this says so in a way that the pipeline
// understands, which then has it taken apart (archive-files.ts).

import { ReadError } from '../read-error.ts';
import type { Parser } from '../reader.ts';

export const archive: Parser = {
  name: 'archive',
  mimes: [
    'application/zip',
    'application/x-tar',
    'application/gzip',
    'application/x-bzip2',
    'application/x-xz',
    'application/zstd',
  ],
  async parse({ name, mime }) {
    throw new ReadError(
      'unsupported-media',
      `${name} is an archive: the files in it are documents, and it is none itself. Ingest it, and each of them is read.`,
      { details: { archive: mime } },
    );
  },
};
