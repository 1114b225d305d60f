// Claims that say cells of a row just as they stand are accepted whatever the words are; one changed character, and they are read like any other.
import { describe, expect, it } from 'vitest';
import { supportOf } from '../../../src/answer/support.ts';
import { cellsAsWritten } from '../../../src/answer/tables/as-written.ts';
import { type Columns, rowsOf } from '../../../src/answer/tables/rows.ts';

const tasks: Columns = { names: ['What', 'Who', 'By'], isMarkdown: true };
const task = '| Order new seals for the pump | Ada Brook | 3 May 2031 |';
const gauges: Columns = { names: ['Model', 'Accuracy', 'Price'], isMarkdown: true };
const gauge = '| Finch | ±0.5 % | 1,290 |';

const asIs = (text: string): string => text;
const isSupported = (claim: string, quote: string, columns: Columns): boolean =>
  supportOf(claim, quote, { columns }).verdict === 'supported';

describe('cells as they stand', () => {
  it('are said with the names of their columns, also where these are small words or the values signs', () => {
    expect(isSupported('What: Order new seals for the pump; Who: Ada Brook; By: 3 May 2031', task, tasks)).toBe(true);
    expect(isSupported('What: Order new seals for the pump; By: 3 May 2031', task, tasks)).toBe(true);
    expect(isSupported('Model: Finch; Accuracy: ±0.5 %', gauge, gauges)).toBe(true);
    expect(isSupported('Finch: Accuracy: ±0.5 %', gauge, gauges)).toBe(true);
  });

  it.each([
    'What: Order new seals for the pump; Who: Ada Brooks',
    'What: Order new seals for the pump; By: 4 May 2031',
    'What: Order new seals; Who: Ada Brook',
    'Who: Order new seals for the pump; What: Ada Brook',
    'Who: Ada Brook; Who: Ada Brook',
    'What: Order new seals for the pump; Who: Ada Brook, by: 3 May 2031',
    'What: Do not order new seals for the pump; Who: Ada Brook',
  ])('refuses: %s', (claim) => {
    const [row] = rowsOf(task, tasks);
    expect(row && cellsAsWritten(claim, row, asIs)).toBeUndefined();
    expect(isSupported(claim, task, tasks)).toBe(false);
  });

  it('say nothing where two columns have one name, or the label stands alone', () => {
    const [twice] = rowsOf('| Finch | 3 | 4 |', { names: ['Model', 'Price', 'Price'], isMarkdown: true });
    expect(twice && cellsAsWritten('Model: Finch; Price: 3', twice, asIs)).toBeUndefined();
    const [row] = rowsOf(gauge, gauges);
    expect(row && cellsAsWritten('Finch:', row, asIs)).toBeUndefined();
    expect(row && cellsAsWritten('Finch', row, asIs)).toBeUndefined();
  });
});
