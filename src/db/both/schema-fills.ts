// What new columns and tables hold of what was there before: the same statements on both databases. Invariant: as steps of the schema, what was released is
// never edited.

/** Who may know of a file that could not be read. It was not kept before whom files were for that somebody sent: admins alone know of those. */
export const closeFailures = `UPDATE reading_failure SET access = '[]' WHERE NOT EXISTS (SELECT 1 FROM source AS s
  WHERE s.tenant = reading_failure.tenant AND s.name = reading_failure.source AND s.connector IS NOT NULL);`;

const into =
  'INSERT INTO model_spending_day (tenant, day, principal, calls, input_tokens, output_tokens, cost_usd, unpriced_calls, refused_calls)';
const sums =
  'sum(calls), sum(input_tokens), sum(output_tokens), sum(round(cost_usd * 1e10)) / 1e10, sum(unpriced_calls), sum(refused_calls)';

/** What was spent in a day, by each caller and (of no name) by all. */
export const fillSpendingDays = `${into}
  SELECT tenant, day, principal, ${sums} FROM model_spending GROUP BY tenant, day, principal;
${into}
  SELECT tenant, day, '', ${sums} FROM model_spending GROUP BY tenant, day;
`;
