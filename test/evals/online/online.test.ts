import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { JudgedAnswer } from '../../../src/evals/judges/judged-answer.ts';
import { createOnlineEvals, type Drawn, type OnlineOutcome, scorerByRules } from '../../../src/evals/online/online.ts';
import { correlationOf, driftOf } from '../../../src/evals/online/standing.ts';
import { answerOf } from '../../../testkit/judged-answers.ts';

const quote = 'The harbour of Oslo was opened in 1921.';
const judged: JudgedAnswer = {
  question: 'When was the harbour of Oslo opened?',
  answer: answerOf([quote, quote]),
  context: [{ chunkId: 'c1', documentId: 'd1', text: quote }],
};

function place(options: Partial<Parameters<typeof createOnlineEvals>[0]> = {}) {
  const kept: OnlineOutcome[] = [];
  const ended: (OnlineOutcome | undefined)[] = [];
  let waits = 0;
  const online = createOnlineEvals({
    scorers: [scorerByRules(1)],
    elapsedMs: () => 0,
    random: () => 0.5,
    async giveWay() {
      waits++;
    },
    onEnded: ({ outcome }) => ended.push(outcome),
    ...options,
  });
  const drawn = (read: () => Promise<JudgedAnswer | undefined> = async () => judged): Drawn => ({
    read,
    keep: async (outcome) => kept.push(outcome),
  });
  return { online, kept, ended, drawn, waits: () => waits };
}

describe('judging behind the replies', () => {
  it('judges what is drawn, each judge in a turn of its own', async () => {
    const { online, kept, drawn, waits } = place();
    online.offer(drawn());
    expect(kept).toEqual([]);
    await online.settled();
    expect(kept).toMatchObject([
      { by: 'rules', scores: { groundedness: 1, relevance: 1, coherence: 1, citationPrecision: 1, retrieval: 1 } },
    ]);
    expect(waits()).toBe(6);
  });

  it('draws the share that it is told', async () => {
    let at = 0;
    const { online, kept, drawn } = place({ scorers: [scorerByRules(0.1)], random: () => (at++ % 10) / 10 });
    for (let count = 0; count < 50; count++) online.offer(drawn());
    await online.settled();
    expect(kept).toHaveLength(5);
  });

  it('leaves out what the queue cannot hold, and counts it', async () => {
    const { online, kept, ended, drawn } = place({ mostWaiting: 3 });
    for (let count = 0; count < 10; count++) online.offer(drawn());
    expect(ended.filter((one) => one === undefined)).toHaveLength(6);
    await online.settled();
    expect(kept).toHaveLength(4);
  });

  it('keeps a failure as one and goes on', async () => {
    const { online, kept, drawn } = place();
    online.offer(drawn(() => Promise.reject(new FootnoteError('upstream-unavailable', 'down'))));
    online.offer(drawn(async () => undefined));
    online.offer({ ...drawn(), keep: () => Promise.reject(new FootnoteError('storage-full', 'full')) });
    online.offer(drawn());
    await online.settled();
    expect(kept).toMatchObject([{ error: 'upstream-unavailable', scores: {} }, { scores: { groundedness: 1 } }]);
  });

  it('ends at once when it is closed', async () => {
    const { online, kept, drawn } = place();
    for (let count = 0; count < 20; count++) online.offer(drawn());
    await online.close();
    online.offer(drawn());
    await online.settled();
    expect(kept).toEqual([]);
  });
});

describe('how answers stand', () => {
  it('correlates critic and judges', () => {
    const pairs = [0.1, 0.5, 0.9].map((critic) => ({ critic, judged: critic / 2 }));
    expect(correlationOf(pairs)).toBeCloseTo(1, 12);
    expect(correlationOf(pairs.map(({ critic, judged: other }) => ({ critic: -critic, judged: other })))).toBeCloseTo(
      -1,
      12,
    );
    expect(correlationOf(pairs.slice(1))).toBeUndefined();
    expect(correlationOf(pairs.map(() => ({ critic: 1, judged: 0.3 })))).toBeUndefined();
  });

  it('tells a fall of the last week, and nothing where there is too little', () => {
    const day = (at: number, groundedness: number, evaluations = 10) => ({
      day: `2026-01-${String(at + 10)}`,
      evaluations,
      groundedness,
    });
    const before = Array.from({ length: 10 }, (_, at) => day(at, 0.9));
    const after = Array.from({ length: 7 }, (_, at) => day(at + 10, 0.8));
    expect(driftOf([...before, ...after])).toMatchObject({ isFalling: true });
    expect(driftOf([...before, ...after.map((one) => ({ ...one, groundedness: 0.89 }))])).toMatchObject({
      isFalling: false,
    });
    expect(driftOf(after)).toBeUndefined();
    expect(driftOf([day(1, 0.9, 5), ...after])).toBeUndefined();
  });
});
