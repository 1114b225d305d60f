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

/** What was spent in a day, by each caller and (of no name) by all. */
const spendingDays = `
CREATE TABLE model_spending_day (
  tenant TEXT NOT NULL, day TEXT NOT NULL, principal TEXT NOT NULL, calls INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
  cost_usd REAL NOT NULL, unpriced_calls INTEGER NOT NULL, refused_calls INTEGER NOT NULL,
  PRIMARY KEY (tenant, day, principal)
) STRICT, WITHOUT ROWID;
INSERT INTO model_spending_day (tenant, day, principal, calls, input_tokens, output_tokens, cost_usd, unpriced_calls, refused_calls)
  SELECT tenant, day, principal, sum(calls), sum(input_tokens), sum(output_tokens), sum(round(cost_usd * 1e10)) / 1e10, sum(unpriced_calls), sum(refused_calls)
  FROM model_spending GROUP BY tenant, day, principal;
INSERT INTO model_spending_day (tenant, day, principal, calls, input_tokens, output_tokens, cost_usd, unpriced_calls, refused_calls)
  SELECT tenant, day, '', sum(calls), sum(input_tokens), sum(output_tokens), sum(round(cost_usd * 1e10)) / 1e10, sum(unpriced_calls), sum(refused_calls)
  FROM model_spending GROUP BY tenant, day;
`;

/** The first is all tables of the first release. A database of version `unreleased` + n has had the first n. */
export const steps: readonly string[] = [
  [documents, search, requests, memories].join('\n'),
  documentTimes,
  // What was made under a key whose request was not replied to.
  'ALTER TABLE idempotency ADD COLUMN effect TEXT',
  failureAccess,
  spendingDays,
];
