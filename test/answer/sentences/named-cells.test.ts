// A row is said with the names of its columns where the check of claims carries that, and as it stands elsewhere.
import { describe, expect, it } from 'vitest';
import type { VerifiedClaim } from '../../../src/answer/claims/draft.ts';
import { withNamedCells } from '../../../src/answer/sentences/named-cells.ts';
import { columnsAbove } from '../../../src/answer/tables/columns.ts';
import { claimOn } from '../../../testkit/claims-on.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';

/** The claim of a row as the reader of the record hands it back. */
function claimOf(text: string, row: string): VerifiedClaim {
  const claim = claimOn(evidenceOf({ id: 'page', text, title: 'Kestrel' }), row);
  const columns = columnsAbove(text, text.indexOf(row));
  return { ...claim, spans: claim.spans.map((span) => ({ ...span, ...(columns && { columns }) })) };
}

const said = (text: string, row: string): string => withNamedCells([claimOf(text, row)])[0]?.text ?? '';

describe('a row with the names of its columns', () => {
  it('is said by them where the header stands above it, and says that it was read so', () => {
    const text = 'Prices\n\n| plan | price |\n|---|---|\n| Team | $29 per month |\n';
    const [claim] = withNamedCells([claimOf(text, '| Team | $29 per month |')]);
    expect(claim?.text).toBe('plan: Team; price: $29 per month');
    expect(claim?.notes).toEqual(['read-by-columns: plan, price']);
    expect(claim?.spans[0]?.quote).toBe('| Team | $29 per month |');
  });

  it('leaves out empty cells, and a name that nothing stands over', () => {
    const text = '| | price | seats |\n|---|---|---|\n| Team | $29 | |\n| Firm | $99 | 40 |\n';
    expect(said(text, '| Team | $29 | |')).toBe('Team; price: $29');
    expect(said(text, '| Firm | $99 | 40 |')).toBe('Firm; price: $99; seats: 40');
  });

  it('stands as it is where no header tells the names, and where one of its cells has none', () => {
    expect(said('| Team | $29 |\n| Firm | $99 |\n', '| Team | $29 |')).toBe('| Team | $29 |');
    const text = '| plan | price | |\n|---|---|---|\n| Team | $29 | yearly |\n';
    expect(said(text, '| Team | $29 | yearly |')).toBe('| Team | $29 | yearly |');
  });

  it('takes the place of the row of names above it', () => {
    const text = '| plan | price |\n|---|---|\n| Team | $29 |\n';
    const claims = ['| plan | price |', '| Team | $29 |'].map((row) => claimOf(text, row));
    expect(withNamedCells(claims).map(({ text: one }) => one)).toEqual(['plan: Team; price: $29']);
    expect(withNamedCells(claims.slice(0, 1)).map(({ text: one }) => one)).toEqual(['| plan | price |']);
  });

  it('touches nothing but rows', () => {
    const claim = claimOf('The Team plan costs $29 per month.', 'The Team plan costs $29 per month.');
    expect(withNamedCells([claim])).toEqual([claim]);
  });
});
