// Rows that a question calls by their names, under columns that it names as well.
import { describe, expect, it } from 'vitest';
import { askedCellClaims } from '../../../src/agent/parts/asked-cells.ts';
import { evidenceOf, openLibrary } from '../../../testkit/turn-library.ts';

const texts = {
  Staff: `Name: Ada Brook; Role: Head of Tests; Room: 12; Started: 2019-03-01; Reports to: Tim Lane
Name: Tim Lane; Role: Director; Room: 3; Started: 2012-05-02; Reports to: Eva Holt
Name: Eva Holt; Role: Chair; Room: 1; Started: 2010-01-04; Reports to:  nobody`,
  Minutes: `Minutes of the board.

| What | Who | By |
|---|---|---|
| Order new seals | Ada Brook | 3 May 2031 |
| Paint the hall | Tim Lane | 9 June 2031 |
`,
  Plans: `| Model | Seats | Fee |
|---|---|---|
| Finch | 4 | $12 |
| Finch Plus | 16 | $30 |
`,
  People: `Surname: Brook; First name: Ada; Dept.: Tests; Ext.: 220
Surname: Brook; First name: Tom; Dept.: Sales; Ext.: 221`,
  Fares: `| Ticket | Single | Return |
|---|---|---|
| Adult | 8.40 | 15.00 |
| Child (5 to 15) | 4.20 | 7.50 |
`,
  Courses: `| Code | Course | Tutor | Room |
|---|---|---|---|
| L07 | Italian, level 2 | Tim Lane | B 11 |
| L09 | Welsh, level 1 | Ada Brook | B 12 |
`,
  Things: `Tag: T1; Type: Laptop; Assigned to: Ada Brook; Bought: 2030-01-02`,
};

async function told(
  asked: string,
  titles: readonly (keyof typeof texts)[] = ['Staff', 'Minutes', 'Plans', 'Things', 'Fares'],
) {
  const { readSpan } = openLibrary(texts);
  const { signal } = new AbortController();
  const evidence = titles.map((title) => evidenceOf(title, texts[title]));
  return (await askedCellClaims(asked, evidence, { readSpan, signal })).map(({ text }) => text);
}

describe('cells that a question asks for', () => {
  it.each([
    ['Who does Ada Brook report to?', ['Name: Ada Brook; Reports to: Tim Lane']],
    ["What is Tim Lane's role?", ['Name: Tim Lane; Role: Director']],
    ['When has Ada Brook started at the firm?', ['Name: Ada Brook; Started: 2019-03-01']],
    ['How many seats does the Finch have?', ['Model: Finch; Seats: 4']],
    ['How many seats does the Finch Plus have?', ['Model: Finch Plus; Seats: 16']],
    ['Who has to order new seals?', ['What: Order new seals; Who: Ada Brook']],
    ['By when must one order new seals?', ['What: Order new seals; By: 3 May 2031']],
    ['What does Tim Lane have to do?', ['What: Paint the hall; Who: Tim Lane; By: 9 June 2031']],
    ['What does Ada Brook have to do next?', ['What: Order new seals; Who: Ada Brook; By: 3 May 2031']],
  ])('tells: %s', async (asked, claims) => {
    expect(await told(asked)).toEqual(claims);
  });

  it.each([
    ["What is Ada Brook's extension?", ['Surname: Brook; First name: Ada; Ext.: 220']],
    ['What is the department of Tom Brook?', ['Surname: Brook; First name: Tom; Dept.: Sales']],
  ])('tells of people by both of their names, under a column that is cut short: %s', async (asked, claims) => {
    expect(await told(asked, ['People'])).toEqual(claims);
  });

  it('tells of a row that stands behind its number', async () => {
    expect(await told('Who teaches Welsh?', ['Courses'])).toEqual(['Course: Welsh, level 1; Tutor: Ada Brook']);
    expect(await told('Who teaches Irish?', ['Courses'])).toEqual([]);
  });

  it('tells of a row whose name is limited in brackets', async () => {
    expect(await told('What does a child single cost?')).toEqual(['Ticket: Child (5 to 15); Single: 4.20']);
  });

  it.each([
    'Which car does Ada Brook drive?',
    'How many seats does the Heron have?',
    'How many seats does the Finch of Acme have?',
    'How many people that applied in spring for the Finch course got seats?',
    'What does Eva Holt have to do?',
  ])('tells nothing: %s', async (asked) => {
    expect(await told(asked)).toEqual([]);
  });
});
