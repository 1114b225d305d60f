// What of an answer becomes the text of a message: pieces as they come, an abstention with what comes closest, and nothing that nobody confirms.
import { describe, expect, it } from 'vitest';
import type { Answer, Citation, Claim } from '../../../src/core/answer.ts';
import type { FootnoteEvent } from '../../../src/core/events.ts';
import { joinMarked, type MarkedText, marked, marksOf } from '../../../src/core/marked-text.ts';
import { answerChat } from '../../../src/http/foreign/chat-answer.ts';

const citation = (index: number, quote: string): Citation => ({
  ...{ index, documentId: `doc_${index}`, chunkId: `chk_${index}`, title: 'T', uri: 't.md', url: `http://h/${index}` },
  ...{ source: 's', quote, start: 0, end: quote.length, score: 1, alsoIn: [] },
});
const claim = (text: string, cited: number[], more: Partial<Claim> = {}): Claim => ({
  text,
  citations: cited,
  support: 1,
  ...more,
});

/** A facade that streams these pieces, and then gives the answer that they make. */
const asking = (pieces: readonly MarkedText[], fields: Partial<Answer>) => ({
  async ask(_request: unknown, call: { onEvent?: (event: FootnoteEvent) => void } = {}): Promise<Answer> {
    let said = 0;
    for (const one of fields.citations ?? []) call.onEvent?.({ type: 'citation', citation: one });
    for (const { text, marks } of pieces) {
      const own = marks.map((mark) => ({ ...mark, start: mark.start + said, end: mark.end + said }));
      said += text.length;
      call.onEvent?.({ type: 'delta', text, ...(own.length > 0 && { marks: own }) });
    }
    const { text: answer, marks } = joinMarked(pieces);
    return { claims: [], citations: [], abstained: false, answer, marks, ...fields } as unknown as Answer;
  },
});

async function told(
  pieces: readonly MarkedText[],
  fields: Partial<Answer>,
  options: { maxTokens?: number; isTellingUnconfirmed?: boolean } = {},
) {
  const texts: string[] = [];
  const given = await answerChat(
    asking(pieces, fields),
    { question: 'q' },
    {
      ...{ style: 'marks', isTellingUnconfirmed: false, ...options },
      onText: (text) => void texts.push(text),
    },
  );
  expect(texts.join('')).toBe(given.content);
  return { ...given, texts };
}

const opening = 'The documents do not seem to say. ';

describe('the message of an answer', () => {
  it('has a piece for each claim', async () => {
    const pieces = [marked`One. ${marksOf([1])}`, marked` Two 😀. ${marksOf([1, 2])}`];
    const { texts, marks } = await told(pieces, { citations: [citation(1, 'a'), citation(2, 'b')] });
    expect(texts).toEqual(['One. [1]', ' Two 😀. [1][2]']);
    expect(marks).toMatchObject([
      { start: 5, end: 8, from: 5, to: 8, citation: 1 },
      { start: 17, end: 20, from: 16, to: 19, citation: 1 },
      { start: 20, end: 23, from: 19, to: 22, citation: 2 },
    ]);
  });

  it('is the reason of an abstention and its passages, or all that it says where there are none', async () => {
    const pieces = [
      marked`${opening}Nothing matches.\n\nThe closest passages:\n\nOne. ${marksOf([1])}`,
      marked`\n\nTwo. ${marksOf([2])}`,
    ];
    const passages = [claim('One.', [1]), claim('Two.', [2])];
    const fields = {
      abstained: true,
      abstainReason: 'Nothing matches.',
      passages,
      citations: [citation(1, 'One.'), citation(2, 'Two.')],
      version: 6,
    };
    const given = await told(pieces, fields);
    expect(given).toMatchObject({ texts: pieces.map(({ text }) => text), finishReason: 'stop' });
    expect(given.marks.map(({ citation: cited }) => cited)).toEqual([1, 2]);
    const silent = await told([], { abstained: true, abstainReason: 'Nothing matches.', version: 6 });
    expect(silent).toMatchObject({ texts: [`${opening}Nothing matches.`], marks: [] });
    const other = { text: 'I cannot answer that from this conversation.', marks: [] };
    expect(await told([other], { abstained: true })).toMatchObject({ texts: [other.text], marks: [] });
  });

  it('has the quotes of what nothing confirms in its place, and its words where they are asked for', async () => {
    const citations = [
      citation(1, 'Shown.'),
      citation(2, 'The mill is old, see [x](http://evil.test).'),
      citation(3, 'It turns.'),
    ];
    const claims = [
      claim('Shown.', [1]),
      claim('The mill is ancient.', [1, 2], { confirmed: false }),
      claim('It spins.', [2, 3], { confirmed: false }),
    ];
    const pieces = [marked`Shown. ${marksOf([1])}`];
    const plain = await told(pieces, { citations, claims });
    expect(plain.content).toBe('Shown. [1]\n\nThe mill is old, see [x] (http://evil.test). [2]\n\nIt turns. [3]');
    const all = await told(pieces, { citations, claims }, { isTellingUnconfirmed: true });
    expect(all.content).toBe(
      'Shown. [1]\n\n(not confirmed) The mill is ancient. [1][2]\n\nThe mill is old, see [x] (http://evil.test). [2]\n\n(not confirmed) It spins. [2][3]\n\nIt turns. [3]',
    );
    for (const { marks, content } of [plain, all])
      for (const { start, end, citation: cited } of marks) expect(content.slice(start, end)).toBe(`[${cited}]`);
  });

  it('ends before the piece that is too much, and says nothing behind it', async () => {
    const words = 'word '.repeat(50);
    const pieces = [marked`${words}${marksOf([1])}`, marked` ${words}${marksOf([1])}`, marked` Short. ${marksOf([1])}`];
    const fields = { citations: [citation(1, 'a')], claims: [claim('x', [1]), claim('y', [1], { confirmed: false })] };
    for (const [maxTokens, shown] of [
      [1, 1],
      [90, 1],
      [110, 2],
      [9_000, 3],
    ] as const) {
      const { texts, finishReason } = await told(pieces, fields, { maxTokens });
      expect([texts.length, finishReason]).toEqual([shown, shown === 3 ? 'stop' : 'length']);
    }
  });
});
