import { describe, expect, it } from 'vitest';
import { toRerankTexts } from '../../src/retrieval/rerank-text.ts';
import { countTokens } from '../../src/text/tokens/tokens.ts';

const filler = Array.from({ length: 60 }, (_, at) => `The meeting of day ${at} went on about chairs and tables.`);
const answer = 'The tower of Pisa leans by four degrees.';
const textOf = (place: number): string => [...filler.slice(0, place), answer, ...filler.slice(place)].join(' ');
const item = (text: string, title = 'Report', headingPath: readonly string[] = []) => ({
  title,
  headingPath: [...headingPath],
  text,
});

describe('toRerankTexts', () => {
  it('leaves a text that fits as it is, under its title and headings', () => {
    expect(toRerankTexts('pisa', [item(answer, 'Report', ['Report', 'Towers']), item(answer, '')])).toEqual([
      `Report > Towers\n${answer}`,
      answer,
    ]);
  });

  it.each([0, 20, 40, 60])(
    'reads the part of a long text that speaks of the query, wherever it stands: %d',
    (place) => {
      const [text = ''] = toRerankTexts('How far does the tower of Pisa lean?', [item(textOf(place))], 100);
      expect(text).toContain(answer);
      expect(countTokens(text)).toBeLessThanOrEqual(110);
    },
  );

  it('goes by rare words, not by those that all texts have', () => {
    const quiet = Array.from({ length: 40 }, (_, at) => `Nothing of note happened on day ${at} of that year.`);
    const common = 'The meeting moved chairs and tables.';
    const long = [common, ...quiet, 'Pisa leans.', ...quiet].join(' ');
    const others = Array.from({ length: 4 }, () => item([common, ...quiet].join(' ')));
    const [text = ''] = toRerankTexts('meeting about chairs in Pisa', [item(long), ...others], 60);
    expect(text).toContain('Pisa leans.');
    expect(text).not.toContain('chairs');
  });

  it('reads what stands before and after the best sentence too', () => {
    const story = [
      'It was built on sand, which nobody had asked about before the first stones were laid.',
      'The tower of Pisa leans.',
      'It does so by four degrees, as many people measured with long ropes on quiet days.',
    ];
    const text = [...filler.slice(0, 30), ...story, ...filler.slice(30)].join(' ');
    const [shown = ''] = toRerankTexts('How far does the tower of Pisa lean?', [item(text)], 100);
    expect(shown).toContain(story.join(' '));
  });

  it('begins at the beginning where nothing speaks of the query', () => {
    const [text = ''] = toRerankTexts('quantum', [item(filler.join(' '))], 60);
    expect(text).toMatch(/^Report\nThe meeting of day 0 .* …$/u);
  });

  it('cuts one endless sentence, and text without sentences, within the limit', () => {
    for (const text of ['word '.repeat(3000), '漢字'.repeat(2000), '==== '.repeat(2000), '😀'.repeat(900)]) {
      const [shown = ''] = toRerankTexts('word', [item(text, '')], 60);
      expect(countTokens(shown)).toBeLessThanOrEqual(90);
      expect(shown.isWellFormed()).toBe(true);
    }
  });

  it('does not let a title crowd out the text', () => {
    const [text = ''] = toRerankTexts('pisa', [item(answer, 'title '.repeat(500))]);
    expect(text.length).toBeLessThan(300);
    expect(text).toContain(answer);
  });
});
