// Rows of tables and sentences with a pronoun say nothing of which thing they are: documents about two things do not contradict each other by them.
import { describe, expect, it } from 'vitest';
import { findAgreements } from '../../../src/answer/conflicts/find-agreements.ts';
import { findConflicts } from '../../../src/answer/conflicts/find-conflicts.ts';
import { claimOn } from '../../../testkit/claims-on.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';

const page = (id: string, title: string, text: string) => ({ ...evidenceOf({ id, title, text }), source: id });
const priced = (amount: number): string => `| Team | $${amount} per month |`;
const table = (amount: number): string => `| plan | price |\n|---|---|\n${priced(amount)}\n`;

describe('what does not say of which thing it is', () => {
  const kestrel = page('one', 'Kestrel', `Kestrel is a tool.\n\n${table(29)}`);

  it('contradicts no row on the page of another thing', () => {
    const heron = page('two', 'Heron', `Heron is a tool.\n\n${table(49)}`);
    expect(findConflicts([claimOn(kestrel, priced(29))], [kestrel, heron])).toEqual([]);
  });

  it('contradicts a row of a page that speaks of the same thing, by its title or in its text', () => {
    for (const other of [
      page('two', 'Prices of Kestrel', table(49)),
      page('two', 'All our prices', `What Kestrel costs:\n\n${table(49)}`),
    ])
      expect(findConflicts([claimOn(kestrel, priced(29))], [kestrel, other])).toMatchObject([{ kind: 'number' }]);
  });

  it('contradicts a row that names its thing, wherever that stands', () => {
    const row = (amount: number): string => `| Kestrel Team | $${amount} per month |`;
    const [list, sheet] = [page('one', 'Kestrel', row(29)), page('two', 'Budget', row(49))];
    expect(findConflicts([claimOn(list, row(29))], [list, sheet])).toMatchObject([{ kind: 'number' }]);
  });

  it('holds of pronouns as well, and not of sentences that name their thing', () => {
    const it2 = (year: number): string => `It was first released in ${year}.`;
    const [one, two] = [page('one', 'Kestrel', it2(2019)), page('two', 'Heron', it2(2021))];
    expect(findConflicts([claimOn(one, it2(2019))], [one, two])).toEqual([]);
    const named = (days: number): string => `New employees get ${days} days of leave.`;
    const [book, page2] = [page('one', 'Handbook', named(25)), page('two', 'Holidays', named(30))];
    expect(findConflicts([claimOn(book, named(25))], [book, page2])).toMatchObject([{ kind: 'number' }]);
  });

  it('agrees with no row on the page of another thing', () => {
    const [heron, prices] = [page('two', 'Heron', table(29)), page('three', 'Prices of Kestrel', table(29))];
    expect(findAgreements([claimOn(kestrel, priced(29))], [kestrel, heron])).toEqual([]);
    expect(findAgreements([claimOn(kestrel, priced(29))], [kestrel, prices])).toMatchObject([{ claim: 1 }]);
  });
});
