// What every row of a table says of a thing under a criterion, in a document that is called by the thing.
import { describe, expect, it } from 'vitest';
import { columnClaims } from '../../../src/agent/parts/column-rows.ts';
import type { SpanReader } from '../../../src/answer/claims/draft.ts';
import { columnsAbove } from '../../../src/answer/tables/columns.ts';
import { evidenceOf } from '../../../testkit/turn-library.ts';

const plans = `Osprey is a log search.

| Plan | Price per month | Retention |
|---|---|---|
| Free | $0 | 3 days |
| Team | $79 | 30 days |

| Limit | Value |
|---|---|
| Query | 60 seconds |
| Line | 32 KB |
`;

async function told(text: string, title: string, criterion: string, others: readonly string[] = ['Magpie']) {
  const readSpan: SpanReader = async ({ documentId, chunkId, start, end }) => {
    const columns = columnsAbove(text, start);
    const quote = text.slice(start, end);
    return { documentId, chunkId, start, end, quote, title, uri: title, source: 's', ...(columns && { columns }) };
  };
  const { signal } = new AbortController();
  const asked = { criterion, thing: { name: 'Osprey', others } };
  const claims = await columnClaims(asked, [evidenceOf(title, text)], { readSpan, signal });
  return claims.map(({ text: said }) => said);
}

describe('all rows under a column', () => {
  it('are said with what calls them, below the title where several things are compared', async () => {
    expect(await told(plans, 'Osprey', 'retention')).toEqual([
      'Osprey: Plan: Free; Retention: 3 days',
      'Osprey: Plan: Team; Retention: 30 days',
    ]);
    expect(await told(plans, 'Osprey', 'price', [])).toEqual([
      'Plan: Free; Price per month: $0',
      'Plan: Team; Price per month: $79',
    ]);
  });

  it('are not said of a document that is called otherwise, nor under a column that is called otherwise', async () => {
    expect(await told(plans, 'Log searches', 'retention')).toEqual([]);
    expect(await told(plans, 'Osprey', 'licence')).toEqual([]);
  });

  it('are said all or none: nothing of a table with many rows, or of one with an empty cell', async () => {
    const many = `| Plan | Price |\n|---|---|\n${Array.from({ length: 7 }, (_, at) => `| P${at} | $${at} |`).join('\n')}\n`;
    expect(await told(many, 'Osprey', 'price')).toEqual([]);
    expect(await told('| Plan | Price |\n|---|---|\n| Free | |\n| Team | $79 |\n', 'Osprey', 'price')).toEqual([]);
  });

  it('are not said where two columns are called so', async () => {
    const two = '| Plan | Price per month | Price per year |\n|---|---|---|\n| A | $1 | $9 |\n| B | $2 | $19 |\n';
    expect(await told(two, 'Osprey', 'price')).toEqual([]);
  });
});
