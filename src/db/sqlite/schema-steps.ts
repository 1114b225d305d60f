// The steps of the schema, in order. Invariant: a step that was released is never edited; new ones are appended.
import { documentTimes } from './schema/document-times.ts';
import { documents } from './schema/documents.ts';
import { memories } from './schema/memories.ts';
import { requests } from './schema/requests.ts';
import { search } from './schema/search.ts';

/** Builds before the first release numbered the schema up to here; what they left is not brought forward. */
export const unreleased = 38;

/** Who may know of a file that could not be read. It was not kept before whom files were for that somebody sent: admins alone know of those. */
const failureAccess = `ALTER TABLE reading_failure ADD COLUMN access TEXT;
UPDATE reading_failure SET access = '[]' WHERE NOT EXISTS (SELECT 1 FROM source AS s
  WHERE s.tenant = reading_failure.tenant AND s.name = reading_failure.source AND s.connector IS NOT NULL);`;

/** The first is all tables of the first release. A database of version `unreleased` + n has had the first n. */
export const steps: readonly string[] = [
  [documents, search, requests, memories].join('\n'),
  documentTimes,
  // What was made under a key whose request was not replied to.
  'ALTER TABLE idempotency ADD COLUMN effect TEXT',
  failureAccess,
];
