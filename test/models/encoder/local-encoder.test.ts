// The encoder that comes with Footnote, run for real: what it says of texts, whatever they are, and what becomes of questions when its process dies.
import { afterAll, describe, expect, it } from 'vitest';
import { cosinesOf } from '../../../src/models/encoder/cosines.ts';
import { openLocalEncoder } from '../../../src/models/encoder/local-encoder.ts';
import { hasLocalRuntime } from '../local-runtime.ts';

/** The constants are of an x64 processor: another one rounds otherwise, by less. */
const tolerance = 0.02;
const query = 'How do I make messages larger than ten megabytes pass?';
const graded: readonly (readonly [text: string, cosine: number])[] = [
  [
    'message_size_limit sets the maximal size in bytes of a message, including envelope information. The default is 10240000.',
    0.66,
  ],
  ['Mail that exceeds the limit is rejected with a permanent error.', 0.306],
  ['The cat sat on the mat and looked out of the window.', -0.01],
  ['Wie lasse ich größere Nachrichten zu?', 0.043],
  ['怎样允许更大的邮件通过？', 0.107],
];
const texts = graded.map(([text]) => text);
const lengthOf = (vector: Float32Array): number => Math.hypot(...vector);

describe.skipIf(!hasLocalRuntime())('the encoder that comes with Footnote', () => {
  const opening = openLocalEncoder();
  afterAll(async () => (await opening).close());
  const encode = async (...some: readonly string[]) => (await opening).encode(some);

  it('gives the cosines of its model', async () => {
    const cosines = await cosinesOf(await opening, query, texts);
    for (const [at, [text, cosine]] of graded.entries())
      expect(Math.abs((cosines[at] ?? 0) - cosine), text).toBeLessThan(tolerance);
  });

  it('gives a text the same bits alone, among others, in another order and in another process', async () => {
    const together = await encode(...texts);
    const backwards = (await encode(...texts.toReversed())).toReversed();
    expect(backwards).toEqual(together);
    for (const [at, text] of texts.entries()) expect((await encode(text))[0]).toEqual(together[at]);
    const another = await openLocalEncoder();
    try {
      expect(another.id).toBe((await opening).id);
      expect(await another.encode(texts)).toEqual(together);
    } finally {
      await another.close();
    }
  });

  it('tells how the tokens of a text match those of a question: alike in any company, best of the very words, none of no word', async () => {
    const encoder = await opening;
    const matched = await encoder.match(query, [...texts, query, '']);
    expect(await encoder.match(query, texts.slice(1, 2))).toEqual(matched.slice(1, 2));
    expect(matched.toSorted((a, b) => b - a)[0]).toBe(matched[texts.length]);
    expect(matched[texts.length]).toBeCloseTo(1, 2);
    expect(matched[0]).toBeGreaterThan(matched[2] ?? 1);
    expect(matched.at(-1)).toBe(0);
    expect(await encoder.match(query, [])).toEqual([]);
    expect(await encoder.match('', texts.slice(0, 1))).toEqual([0]);
    const least = await encoder.leastMatch(query, [...texts, query, '']);
    expect(least.slice(0, -2).every((one, at) => one < (matched[at] ?? -1))).toBe(true);
    expect(least[texts.length]).toBeCloseTo(1, 2);
    expect(least.at(-1)).toBe(0);
  });

  it('reads the start of a text that is longer than its window, however long it is', async () => {
    const long = 'Replication copies changes to a follower. '.repeat(2500);
    expect(long.length).toBeGreaterThan(100_000);
    const [vector, start] = await encode(long, long.slice(0, 20_000));
    expect(vector).toEqual(start);
    expect(lengthOf(vector as Float32Array)).toBeCloseTo(1, 5);
  });

  it('gives a vector of length 1 to any text, and all zeros where there is no word', async () => {
    const strange = ['中文文本', '𠀀𠀁', '\ud800', '\0', '🙂', 'a'.repeat(5000), '[SEP] [CLS]'];
    for (const vector of await encode(...strange)) expect(lengthOf(vector)).toBeCloseTo(1, 5);
    for (const vector of await encode('', ' \n')) expect(vector).toEqual(new Float32Array(384));
    expect(await cosinesOf(await opening, query, [''])).toEqual([0]);
    expect(await encode()).toEqual([]);
  });

  it('names model, runtime, platform and level in its id', async () => {
    const { id } = await opening;
    expect(id).toMatch(/^all-MiniLM-L6-v2@[\da-f]{16}\/onnxruntime-[\d.]+-\w+-\w+-all$/u);
  });
});

describe('an encoder whose files are missing', () => {
  it('says so with a fault', async () => {
    await expect(openLocalEncoder({ name: 'nothing-here' })).rejects.toMatchObject({
      code: 'config-invalid',
      details: { fault: 'no-folder' },
      message: expect.stringContaining('Install Footnote again'),
    });
  });
});
