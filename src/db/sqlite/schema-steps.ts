// The steps of the schema, in order. Invariant: a step that was released is never edited; new ones are appended.
import { closeFailures, fillSpendingDays } from '../both/schema-fills.ts';
import { documentTimes } from './schema/document-times.ts';
import { documents } from './schema/documents.ts';
import { memories } from './schema/memories.ts';
import { requests } from './schema/requests.ts';
import { search } from './schema/search.ts';

/** Builds before the first release numbered the schema up to here; what they left is not brought forward. */
export const unreleased = 38;

const failureAccess = `ALTER TABLE reading_failure ADD COLUMN access TEXT;
${closeFailures}`;

const spendingDays = `
CREATE TABLE model_spending_day (
  tenant TEXT NOT NULL, day TEXT NOT NULL, principal TEXT NOT NULL, calls INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
  cost_usd REAL NOT NULL, unpriced_calls INTEGER NOT NULL, refused_calls INTEGER NOT NULL,
  PRIMARY KEY (tenant, day, principal)
) STRICT, WITHOUT ROWID;
${fillSpendingDays}`;

// Who opened which citation of an answer, once each; and whose question it was that something was said of, where a key serves several people.
const citationOpens = `
CREATE TABLE citation_open (
  tenant TEXT NOT NULL, answer_id TEXT NOT NULL, principal TEXT NOT NULL, citation INTEGER NOT NULL,
  PRIMARY KEY (tenant, answer_id, principal, citation),
  FOREIGN KEY (tenant, answer_id) REFERENCES answer (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
ALTER TABLE feedback ADD COLUMN person TEXT`;

/** The first is all tables of the first release. A database of version `unreleased` + n has had the first n. */
export const steps: readonly string[] = [
  [documents, search, requests, memories].join('\n'),
  documentTimes,
  // What was made under a key whose request was not replied to.
  'ALTER TABLE idempotency ADD COLUMN effect TEXT',
  failureAccess,
  spendingDays,
  // Where headings stand in a chunk.
  'ALTER TABLE chunk ADD COLUMN headings TEXT',
  citationOpens,
];
