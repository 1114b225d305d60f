// The form of a passage states what a part asks: the row of a time, and what is looked for by itself.
import { describe, expect, it } from 'vitest';
import { isByline } from '../../../src/agent/parts/fit/bylines.ts';
import { formClaims, ownLook } from '../../../src/agent/parts/forms.ts';
import { ownersIn } from '../../../src/agent/parts/owned.ts';
import { evidenceOf } from '../../../testkit/turn-library.ts';

describe('what the form of a passage states', () => {
  it('is the row of the quarter that is asked about', async () => {
    const text =
      'Region: North; Year: 2024; Quarter: Q1; Staff: 45\nRegion: North; Year: 2024; Quarter: Q2; Staff: 47\n';
    const asked = 'How many staff does North have in Q2 2024?';
    const thing = { name: 'North', others: ['South'] };
    const claims = await formClaims(
      { subQuery: { id: '1', query: asked, dependencies: [], criterion: 'staff', thing }, asked },
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

  it('is looked for by itself where a version is named', () => {
    const part = (name: string, criterion?: string) =>
      ownLook({
        subQuery: {
          id: '1',
          query: '',
          dependencies: [],
          thing: { name, others: [] },
          ...(criterion && { criterion }),
        },
        asked: '',
      });
    expect(part('Fjord 4', 'date')).toBe('Fjord 4: release date, versions');
    expect(part('Fjord', 'date')).toBeUndefined();
    expect(part('Fjord 4')).toBeUndefined();
  });
});

describe('whom a part asks of', () => {
  it('are the names in it, without times', () => {
    expect(ownersIn("What were Acme's net sales in fiscal 2022?")).toEqual(['acme']);
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
