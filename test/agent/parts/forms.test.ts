// What documents state by their form about whom a part asks of: the row of an amount under its years, how many there are, when it was done, who signed and who wrote.
import { describe, expect, it } from 'vitest';
import { isByline } from '../../../src/agent/parts/fit/bylines.ts';
import { formClaims, ownLook } from '../../../src/agent/parts/forms.ts';
import { isOwnedBy, ownersIn } from '../../../src/agent/parts/owned.ts';
import type { SpanReader } from '../../../src/answer/claims/draft.ts';
import { columnsAbove } from '../../../src/answer/tables/columns.ts';
import { evidenceOf } from '../../../testkit/turn-library.ts';

const filing = `CONSOLIDATED STATEMENTS OF OPERATIONS
(in millions)

Year Ended December 31,
2022 2023

Total net sales |  | 141 |  | 160
Marketing |  | 10 |  | 13
Operating income |  | 4 |  | 12

As of December 31, 2023, we had approximately 3,700 total employees. Of these 3,500 were full-time.
We were incorporated in Delaware in August 1997 and sold shares in 2002. The contents are not incorporated by reference in 2023.

(6) Registration Statement (Form S-8 No. 333-145147), Acme 2002 Employee Stock Plan.

/s/ Brook & Okafor LLP

The registrant has duly caused this report to be signed.

ACME, INC.

Date: May 20, 2024 By: /s/ Ada M. Brook
Name: Ada M. Brook
`;
const segment = `Segments of Acme

Year Ended December 31,
2022 2023

Net sales |  | 100 |  | 110
`;
const schedule = `Consolidated Statements of Operations

For the years ended June 30, | 2022 | 2023
Operating income | 1 | 2
Other income, net | 7 | 8
`;
const vote = `The shareholders ratified the appointment of Holt LLP as the public accounting firm of Bolt for fiscal year 2023.
`;
const inventory = `INVENTORY REPORT

Prepared By: Eva Holt
Checked twice.
`;
const paper = `Traces of Loops

Ada Brook∗, Tom Okafor+,
Eva Holt

Abstract. Loops are traced.
`;

const texts: Readonly<Record<string, string>> = {
  'Acme, Inc.': filing,
  'Acme segments': segment,
  'Acme schedule': schedule,
  'Inventory Report': inventory,
  'Bolt vote': vote,
  Loops: paper,
};
const readSpan: SpanReader = async ({ documentId, chunkId, start, end }) => {
  const title = documentId.slice('doc_'.length);
  const text = texts[title] ?? '';
  const columns = columnsAbove(text, start);
  const quote = text.slice(start, end);
  return { documentId, chunkId, start, end, quote, title, uri: title, source: 's', ...(columns && { columns }) };
};
const evidence = Object.entries(texts).map(([title, text]) => evidenceOf(title, text));
const form = (asked: string, more: { near?: readonly string[] } = {}) => ({
  subQuery: { id: '1', query: asked, dependencies: [] },
  asked,
  near: new Set(more.near),
});
const answer = async (asked: string, near: readonly string[] = []): Promise<readonly string[]> => {
  const claims = await formClaims(form(asked, { near }), evidence, { readSpan, signal: new AbortController().signal });
  return claims.map(({ text }) => text);
};

describe('what a document states about whom it is', () => {
  it.each([
    [
      'What was the operating income of Acme in 2023?',
      'Operating income: Year Ended December 31, 2023 (in millions): 12',
    ],
    ["What were Acme's net sales in 2022?", 'Total net sales: Year Ended December 31, 2022 (in millions): 141'],
    ['How much did Acme spend on marketing in 2023?', 'Marketing: Year Ended December 31, 2023 (in millions): 13'],
    ['How many employees does Acme have?', 'As of December 31, 2023, we had approximately 3,700 total employees.'],
    ['How many people does Acme employ?', 'As of December 31, 2023, we had approximately 3,700 total employees.'],
    ['When was Acme incorporated?', 'We were incorporated in Delaware in August 1997 and sold shares in 2002.'],
    ['Who is the auditor of Acme?', '/s/ Brook & Okafor LLP'],
    ['What was the turnover of Acme in 2022?', 'Total net sales: Year Ended December 31, 2022 (in millions): 141'],
    [
      'In which state was Acme incorporated?',
      'We were incorporated in Delaware in August 1997 and sold shares in 2002.',
    ],
    ['Who is the auditor of Bolt?', vote.trim()],
    ['Who signed the filing of Acme?', 'Date: May 20, 2024 By: /s/ Ada M. Brook Name: Ada M. Brook'],
  ])('%s', async (asked, said) => {
    expect(await answer(asked)).toEqual([said]);
  });

  it('says all the years where none is asked for, and nothing of a year or of anybody that it does not tell of', async () => {
    expect(await answer('What is the operating income of Acme?')).toEqual([
      'Operating income: Year Ended December 31, 2022 (in millions): 4; Year Ended December 31, 2023 (in millions): 12',
    ]);
    expect(await answer('What was the operating income of Acme in 2019?')).toEqual([]);
    expect(await answer('What was the operating income of Bolt in 2023?')).toEqual([]);
    expect(await answer('What was the net income of Acme in 2023?')).toEqual([]);
    // Of two statements that are called alike the first is of the whole.
    expect(await answer("What is Acme's other income?")).toEqual([]);
    expect(await answer('Who was named expert of the audit committee of Acme?')).toEqual([]);
    expect(await answer('How many stores does Acme have?')).toEqual([]);
    expect(await answer('When was Bolt incorporated?')).toEqual([]);
  });

  it('is of the names of the part, or of where the part before it was answered', async () => {
    expect(await answer('Who are the authors of the paper?')).toEqual([]);
    expect(await answer('Who are the authors of the paper?', ['doc_Loops'])).toEqual([
      'Ada Brook∗, Tom Okafor+, Eva Holt',
    ]);
    expect(await answer('Who prepared the inventory report?')).toEqual(['Prepared By: Eva Holt']);
    expect(ownersIn("What were Acme's net sales in fiscal 2022?")).toEqual(['acme']);
    expect(isOwnedBy({ title: 'Report', headingPath: [], uri: '/BESTBUY_2023.pdf' }, ['best', 'buy'])).toBe(true);
    const owned = (title: string, uri = '') => isOwnedBy({ title, headingPath: [], uri }, ['acme']);
    expect([owned('ACME, INC.'), owned('Report', '/filings/ACME_2019_10K.pdf'), owned('Acmewire')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is the row of the quarter that is asked about', async () => {
    const text =
      'Region: North; Year: 2024; Quarter: Q1; Staff: 45\nRegion: North; Year: 2024; Quarter: Q2; Staff: 47\n';
    const asked = 'How many staff does North have in Q2 2024?';
    const thing = { name: 'North', others: ['South'] };
    const claims = await formClaims(
      { subQuery: { id: '1', query: asked, dependencies: [], criterion: 'staff', thing }, asked, near: new Set() },
      [evidenceOf('Staff', text)],
      {
        readSpan: async ({ documentId, chunkId, start, end }) => {
          const quote = text.slice(start, end);
          return { documentId, chunkId, start, end, quote, title: 'Staff', uri: 'staff', source: 's' };
        },
        signal: new AbortController().signal,
      },
    );
    expect(claims.map((claim) => claim.text)).toEqual(['North: Year: 2024; Quarter: Q2; Staff: 47']);
  });

  it('is looked for in the documents that are known to be about it, where the part has such a form', () => {
    const filter = { op: 'in', field: 'id', values: ['doc_Acme, Inc.', 'doc_Acme segments', 'doc_Acme schedule'] };
    expect(ownLook(form('When was Acme incorporated?'), evidence)).toEqual({
      query: 'We were incorporated in; the company was incorporated in',
      filter,
    });
    expect(ownLook(form('What is the net income of Acme?'), evidence)).toMatchObject({ filter });
    expect(ownLook(form('When was Tern incorporated?'), evidence)).toBeUndefined();
    expect(ownLook(form('Why is Acme late?'), evidence)).toBeUndefined();
    expect(ownLook(form('What is the height of Acme?'), evidence)).toBeUndefined();
    const thing = { name: 'Fjord 4', others: [] };
    expect(
      ownLook(
        {
          ...form('What is the release date of Fjord 4?'),
          subQuery: { id: '1', query: '', dependencies: [], criterion: 'date', thing },
        },
        [],
      ),
    ).toEqual({ query: 'Fjord 4: release date, versions' });
  });
});

describe('a line of names', () => {
  it.each(['by Ada Brook', 'Ada Brook, Tom Okafor and Eva Holt', 'A. Brook∗+, Jan van der Berg¹', 'Author: Ada Brook'])(
    'is %s',
    (line) => expect(isByline(line)).toBe(true),
  );
  it.each(['Ada Brook', 'Traces of Loops, and why', 'by the river', 'The loop, Eva Holt said', ''])(
    'is not %s',
    (line) => expect(isByline(line)).toBe(false),
  );
});
