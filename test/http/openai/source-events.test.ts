// Sources as Open WebUI shows them: at `[n]` it opens the n-th, under the title of its first, on the page behind the number that it is told.
import { describe, expect, it } from 'vitest';
import type { Answer, Citation } from '../../../src/core/answer.ts';
import { sourceEventsOf } from '../../../src/http/openai/source-events.ts';

const citation = (index: number, more: Partial<Citation> = {}): Citation => ({
  index,
  documentId: 'doc_1',
  chunkId: 'chk_1',
  title: 'The pier',
  uri: 'pier.pdf',
  url: `http://127.0.0.1:4180/v1/documents/doc_1/view?start=${index}&end=9`,
  source: 's',
  quote: `quote ${index}`,
  start: index,
  end: 9,
  score: 1,
  alsoIn: [],
  ...more,
});
const eventsOf = (citations: readonly Citation[], marked: readonly number[]) =>
  sourceEventsOf({
    answer: { citations } as Answer,
    marks: marked.map((index) => ({ start: 0, end: 3, from: 0, to: 3, citation: index, cited: citation(index) })),
  });

describe('sources of Open WebUI', () => {
  it('are the citations in the order of their numbers, each with title, quote, address and page', () => {
    const told = eventsOf([citation(1, { page: 7 }), citation(2)], [2, 1, 2]);
    expect(told.map(({ data }) => data)).toEqual([
      {
        source: { name: 'The pier', url: citation(1).url },
        document: ['quote 1'],
        metadata: [{ source: 'doc_1:1-9', name: 'The pier', page: 6 }],
      },
      {
        source: { name: 'The pier', url: citation(2).url },
        document: ['quote 2'],
        metadata: [{ source: 'doc_1:2-9', name: 'The pier' }],
      },
    ]);
  });

  it('load nothing from elsewhere, and lead nowhere else', () => {
    const quote = 'It is long ![plan](http://evil.test/p.png) and [steep](//evil.test), <img src="http://evil.test"';
    const [shown] = eventsOf([citation(1, { quote })], [1]).map(({ data }) => data.document[0] ?? '');
    expect(shown).not.toMatch(/\]\(|<img/u);
    expect(shown?.replaceAll(' ', '')).toBe(quote.replaceAll(' ', ''));
  });

  it('are none of a text without marks, and no more than it marks where it was cut', () => {
    const three = [1, 2, 3].map((index) => citation(index));
    expect(eventsOf(three, [])).toEqual([]);
    expect(eventsOf(three, [2]).map(({ data }) => data.document[0])).toEqual(['quote 1', 'quote 2']);
  });
});
