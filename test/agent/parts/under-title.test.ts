// Of which of several compared things a row is, where it does not say so itself.
import { describe, expect, it } from 'vitest';
import { underTitle } from '../../../src/agent/parts/under-title.ts';
import type { SpanReader } from '../../../src/answer/claims/draft.ts';
import { columnsAbove } from '../../../src/answer/tables/columns.ts';
import { claimOn } from '../../../testkit/claims-on.ts';
import { evidenceOf } from '../../../testkit/turn-library.ts';

const text = '| plan | price |\n|---|---|\n| Team | $29 |\n| Kestrel Pro | $99 |\n\nKestrel is small.\n';
const page = evidenceOf('Kestrel', text);
const readSpan: SpanReader = async ({ documentId, chunkId, start, end }) => {
  const columns = columnsAbove(text, start);
  const quote = text.slice(start, end);
  return {
    documentId,
    chunkId,
    start,
    end,
    quote,
    title: 'Kestrel',
    uri: 'u',
    source: 's',
    ...(columns && { columns }),
  };
};

async function told(row: string, said: string, thing: { readonly name: string; readonly others: readonly string[] }) {
  const { signal } = new AbortController();
  const claim = { ...claimOn(page, row), text: said };
  const [one] = await underTitle([claim], { thing }, { readSpan, signal });
  return one?.text;
}

describe('a row of a compared thing', () => {
  const compared = { name: 'Kestrel', others: ['Heron'] };
  const [row, said] = ['| Team | $29 |', 'plan: Team; price: $29'];

  it('is said with the title of its document where that is the thing', async () => {
    expect(await told(row, said, compared)).toBe('Kestrel: plan: Team; price: $29');
  });

  it('is said as it is where nothing is compared, where the document is called otherwise, and where it names the thing', async () => {
    expect(await told(row, said, { ...compared, others: [] })).toBe(said);
    expect(await told(row, said, { name: 'Heron', others: ['Kestrel'] })).toBe(said);
    const pro = 'plan: Kestrel Pro; price: $99';
    expect(await told('| Kestrel Pro | $99 |', pro, compared)).toBe(pro);
  });

  it('touches no sentence', async () => {
    expect(await told('Kestrel is small.', 'Kestrel is small.', compared)).toBe('Kestrel is small.');
  });
});
