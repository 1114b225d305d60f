// Scripted models: what their script says, in order, and no call more or less.
import { describe, expect, it } from 'vitest';
import { modelAnswerSchema } from '../../src/answer/write/output.ts';
import { createDeadline } from '../../src/core/deadline.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { answerOf, createScriptedEmbeddings, createScriptedReranker } from '../../src/testing/index.ts';
import { hostileBehaviours, hostileNames, hostileReplies } from '../../testkit/models/hostile-gallery.ts';

const refusal = new FootnoteError('rate-limited', 'later');

describe('scripted embeddings', () => {
  const open = () =>
    createScriptedEmbeddings(
      [
        { expect: 'river', reply: [[3, 4]] },
        { expect: ({ kind }) => kind === 'document', reply: ({ texts }) => texts.map(() => [0, 2]) },
        { reply: refusal },
      ],
      { dimensions: 2 },
    );

  it('gives vectors of length 1, and fails as it is told', async () => {
    const model = open();
    const [river] = await model.embed(['the river'], { kind: 'query' });
    expect([...(river ?? [])].map((x) => x.toFixed(2))).toEqual(['0.60', '0.80']);
    expect(await model.embed(['a', 'b'], { kind: 'document' })).toEqual([Float32Array.of(0, 1), Float32Array.of(0, 1)]);
    await expect(model.embed(['c'], { kind: 'query' })).rejects.toBe(refusal);
    model.assertFinished();
    expect(model.requests.map(({ kind }) => kind)).toEqual(['query', 'document', 'query']);
  });

  it('fails on a call that is not expected, on steps left, and on a step that cannot be', async () => {
    const model = open();
    expect(() => model.assertFinished()).toThrow('3 of 3 steps were not used');
    await expect(model.embed(['the sea'], { kind: 'query' })).rejects.toMatchObject({ code: 'internal' });
    expect(() => model.assertFinished()).toThrow('call 1 is not the one');
    const short = createScriptedEmbeddings([{ reply: [[1]] }], { dimensions: 2 });
    await expect(short.embed(['a'], { kind: 'query' })).rejects.toMatchObject({ code: 'internal' });
    expect(() => short.assertFinished()).toThrow('1 vectors for 1 texts');
  });
});

describe('a scripted reranker', () => {
  const call = () => ({ deadline: createDeadline(1_000) });
  const texts = ['a', 'b', 'c'];

  it('orders all texts by the scores of its script', async () => {
    const model = createScriptedReranker([{ expect: 'harbour', reply: [0.2, 0.9, 0.2] }, { reply: refusal }]);
    const { ranking } = await model.rerank({ query: 'the harbour', texts }, call());
    expect(ranking.map(({ index }) => index)).toEqual([1, 0, 2]);
    await expect(model.rerank({ query: 'x', texts }, call())).rejects.toBe(refusal);
    model.assertFinished();
  });

  it('fails on a call that is not expected, and on a step that loses a text', async () => {
    const model = createScriptedReranker([{ reply: [1, 0] }]);
    await expect(model.rerank({ query: 'x', texts }, call())).rejects.toMatchObject({ code: 'internal' });
    await expect(model.rerank({ query: 'x', texts }, call())).rejects.toMatchObject({ code: 'internal' });
    expect(() => model.assertFinished()).toThrow(/2 scores for 3 texts; call 2 is one more/u);
    const ended = { deadline: createDeadline(1_000), signal: AbortSignal.abort() };
    await expect(model.rerank({ query: 'x', texts }, ended)).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('replies for scripts', () => {
  it('have the form that Footnote reads', () => {
    const read = (text: string) => modelAnswerSchema.parse(JSON.parse(text));
    expect(
      read(
        answerOf([
          { text: 'A.', quote: 'A', passage: 2 },
          { text: 'B.', quote: 'B' },
        ]),
      ),
    ).toEqual({
      claims: [
        { text: 'A.', quotes: [{ id: 2, quote: 'A' }] },
        { text: 'B.', quotes: [{ id: 1, quote: 'B' }] },
      ],
      insufficient: false,
    });
    expect(read(answerOf([]))).toEqual({ claims: [], insufficient: true });
  });

  it('misbehave by name, alike for a seed', () => {
    expect(Object.keys(hostileNames)).toHaveLength(hostileBehaviours.length);
    const honest = answerOf([{ text: 'A.', quote: 'A' }]);
    const replies = (seed: number) =>
      Object.keys(hostileNames).map((name) => hostileReplies(name, { honest, seed })({ prompt: 'Q?' }, 0));
    expect(replies(3)).toEqual(replies(3));
    expect(replies(3)).not.toEqual(replies(4));
    expect(replies(3).every((reply) => Object.keys(reply).length > 0)).toBe(true);
    expect(() => hostileReplies('kindness', { honest })).toThrow('The gallery has no "kindness"');
  });
});
