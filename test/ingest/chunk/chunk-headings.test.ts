// Where headings stand in a chunk: their words, their levels, and what stands over its beginning without being over all of it.
import { governHeadings } from '@footnote/readers/canonical/canonical-text';
import { describe, expect, it } from 'vitest';
import { headingsWithin } from '../../../src/ingest/chunk/chunk-headings.ts';
import { cutPassages } from '../../../src/passages/cut.ts';

function within(text: string, titles: readonly (readonly [title: string, level: number, written?: string])[]) {
  const marks = titles.map(([title, level, written = title]) => ({ start: text.indexOf(written), level, title }));
  return headingsWithin({ text, headings: governHeadings(marks, text.length) });
}
const whole = (text: string) => ({ start: 0, end: text.length, path: [] });

describe('headingsWithin', () => {
  it.each([
    ['plain', 'Late fees\n\nThey double.', 'Late fees', 'Late fees'],
    ['marked by signs', '## Late fees ##\n\nThey double.', '## Late fees ##', '## Late fees ##'],
    ['over two lines', 'Late\nfees\n\nThey double.', 'Late', 'Late\nfees'],
    ['with emphasis', '# **Late** `fees`\n\nThey double.', '# **Late**', '# **Late** `fees`'],
    ['before its text', 'Late fees double.\n', 'Late fees', 'Late fees'],
  ])('ends where the words of the heading end: %s', (_, text, written, wanted) => {
    const [found] = within(text, [['Late fees', 2, written]])(whole(text));
    expect(found && text.slice(found.start, found.end)).toBe(wanted);
    expect(found?.level).toBe(2);
  });

  it('takes no word of a text that goes on in the line of a heading, in any script', () => {
    const text = 'Гарантия Действует два года.';
    const [found] = within(text, [['Гарантия', 2]])(whole(text));
    expect(found).toEqual({ start: 0, end: 8, level: 2 });
  });

  it('takes no line of the text for a heading whose words do not stand there', () => {
    const text = 'id: bk101\nauthor: Gambardella\n\nid: bk102\nauthor: Ralls';
    const at = within(text, [['catalog / item', 1, 'id: bk101']]);
    const headings = at({ start: 0, end: text.length, path: ['catalog / item'] });
    expect(headings).toEqual([{ start: 0, end: 0, level: 1, title: 'catalog / item' }]);
    const passages = cutPassages({ text, title: 'Books', headingPath: ['catalog / item'], headings });
    expect(passages.map(({ text: own }) => own).join('\n\n')).toBe(text);
    for (const { headingPath } of passages) expect(headingPath).toEqual(['Books', 'catalog / item']);
  });

  it('names what stands over the beginning of a chunk alone', () => {
    const text = 'Members\n\nFees\n\nDue in May.\n\nVisits\n\nCome by bus.';
    const at = within(text, [
      ['Members', 1],
      ['Fees', 2],
      ['Visits', 1],
    ]);
    const start = text.indexOf('Fees');
    expect(at({ start, end: text.length, path: [] })).toEqual([
      { start: 0, end: 0, level: 1, title: 'Members' },
      { start: 0, end: 4, level: 2 },
      { start: text.indexOf('Visits') - start, end: text.indexOf('Visits') + 6 - start, level: 1 },
    ]);
  });

  it('names none that the path of the chunk holds, and none that ended before', () => {
    const text = 'Members\n\nDue in May.\n\nVisits\n\nCome by bus.';
    const at = within(text, [
      ['Members', 1],
      ['Visits', 1],
    ]);
    expect(at({ start: 9, end: 20, path: ['Members'] })).toEqual([]);
    expect(at({ start: text.indexOf('Come'), end: text.length, path: [] })).toEqual([
      { start: 0, end: 0, level: 1, title: 'Visits' },
    ]);
  });
});
