import { describe, expect, it } from 'vitest';
import { groundingOf } from '../../../src/evals/judges/groundedness.ts';
import type { JudgeName } from '../../../src/evals/judges/judge.ts';
import type { Expected, JudgedContext } from '../../../src/evals/judges/judged-answer.ts';
import { ruleJudges } from '../../../src/evals/judges/rules.ts';
import { scoresOf } from '../../../src/evals/judges/scores.ts';
import { answerOf, type MadeClaim } from '../../../testkit/judged-answers.ts';

const quote = 'The harbour of Oslo was opened in 1921 and handles 40,000 containers a year.';

describe('groundedness by rules', () => {
  it('gives a claim that is quoted word for word all of it', () => {
    expect(groundingOf(quote, [quote])).toEqual({ score: 1, isGrounded: true, reasons: [] });
  });

  it.each([
    ['in other words', 'Oslo opened its harbour in 1921.'],
    ['a part of it', 'The harbour handles 40,000 containers.'],
    ['with a related word', 'The opening of the Oslo harbour was in 1921.'],
  ])('carries what the evidence says %s', (_, claim) => {
    expect(groundingOf(claim, [quote])).toMatchObject({ isGrounded: true });
  });

  it.each([
    ['another subject', 'The airport of Bergen has three runways.', 'no word for'],
    ['another number, and more that is not there', 'The harbour of Oslo handles 90,000 tourists a month.', 'number'],
    ['a name that is not there', 'The harbour of Rotterdam was opened by Willem Drees.', 'name'],
  ])('does not carry %s', (_, claim, reason) => {
    const { isGrounded, reasons } = groundingOf(claim, [quote]);
    expect(isGrounded).toBe(false);
    expect(reasons.join(' ')).toContain(reason);
  });

  it('takes a denial and an opposite for less', () => {
    const { score } = groundingOf('Taxes increased last year.', ['Taxes increased last year.']);
    expect(groundingOf('Taxes did not increase last year.', ['Taxes increased last year.']).score).toBeLessThan(score);
    expect(groundingOf('Taxes decreased last year.', ['Taxes increased last year.']).score).toBeLessThan(score);
  });

  it('knows nothing beside no evidence', () => {
    expect(groundingOf(quote, [])).toMatchObject({ score: 0, isGrounded: false });
    expect(groundingOf(quote, [' '])).toMatchObject({ score: 0, isGrounded: false });
  });
});

const context = (...texts: readonly string[]): JudgedContext[] =>
  texts.map((text, at) => ({ chunkId: `c${at}`, documentId: 'd1', text }));

async function judged(
  name: JudgeName,
  claims: readonly MadeClaim[],
  more: { question?: string; context?: JudgedContext[]; expected?: Expected } = {},
) {
  const { question = 'When was the harbour of Oslo opened?', context: read = [], expected } = more;
  const scores = await scoresOf(ruleJudges, {
    question,
    answer: answerOf(...claims),
    context: read,
    ...(expected && { expected }),
  });
  return scores[name];
}

const sound: MadeClaim = ['The harbour of Oslo was opened in 1921.', quote];
const unsound: MadeClaim = ['Bergen has an airport with three long runways.', quote];

describe('judges of answers', () => {
  it('means groundedness over claims and says what is not carried', async () => {
    expect(await judged('groundedness', [sound])).toMatchObject({ score: 1, passed: true });
    const half = await judged('groundedness', [sound, unsound]);
    expect(half).toMatchObject({ passed: false });
    expect(half?.reason).toContain('1 of 2 claims');
    expect(await judged('groundedness', [])).toBeUndefined();
  });

  it('counts a computation as evidence of the claim that was computed', async () => {
    const made = answerOf(['Together they handle 70,000 containers.', 'Oslo handles 40,000 containers.']);
    const [claim] = made.claims;
    const score = async (answer: typeof made) =>
      (await scoresOf(ruleJudges, { question: 'How many containers?', answer, context: [] })).groundedness?.score ?? 0;
    const derived = { ...made, claims: [{ ...claim!, derivation: '40,000 + 30,000 = 70,000 containers' }] };
    expect(await score(derived)).toBeGreaterThan(await score(made));
  });

  it('finds an answer relevant that speaks of what was asked, with the kind of thing that was asked for', async () => {
    expect(await judged('relevance', [sound])).toMatchObject({ score: 1, passed: true });
    const without = await judged('relevance', [['The harbour of Oslo was opened late.', quote]]);
    expect(without?.score).toBeLessThan(0.6);
    expect(without?.reason).toContain('a time');
    expect(await judged('relevance', [['Bergen is wet in 1999.', quote]])).toMatchObject({ passed: false });
  });

  it('finds claims that break off, repeat, or begin in the middle', async () => {
    expect(await judged('coherence', [sound])).toMatchObject({ score: 1 });
    expect(await judged('coherence', [sound, sound])).toMatchObject({ score: 0.5 });
    expect((await judged('coherence', [['The harbour was opened by the', quote]]))?.reason).toContain('breaks off');
    expect(await judged('coherence', [['However, it was opened in 1921.', quote]])).toMatchObject({ score: 0 });
    expect(await judged('coherence', [['It holds **containers** (of steel.', quote]])).toMatchObject({ score: 0 });
  });

  it('measures completeness by what people expect', async () => {
    expect(await judged('completeness', [sound], { expected: { answers: ['1921'] } })).toMatchObject({ score: 1 });
    expect(await judged('completeness', [sound], { expected: { answers: ['in May 1930'] } })).toMatchObject({
      score: 1 / 3,
    });
    expect(await judged('completeness', [], { expected: { answers: ['1921'] } })).toMatchObject({ score: 0 });
    const supporting = [{ text: quote }, { text: 'A sentence that nobody cites at all.' }];
    expect(await judged('completeness', [sound], { expected: { supporting } })).toMatchObject({ score: 0.5 });
    expect(await judged('completeness', [sound])).toBeUndefined();
  });

  it('counts citations that carry, and claims that are carried', async () => {
    const two: MadeClaim = [...sound, 'Bread is baked in the morning.'];
    expect(await judged('citation-recall', [sound, unsound])).toMatchObject({ score: 0.5 });
    expect(await judged('citation-precision', [sound])).toMatchObject({ score: 1 });
    expect(await judged('citation-precision', [two])).toMatchObject({ score: 0.5 });
    expect(await judged('citation-precision', [unsound])).toMatchObject({ score: 0 });
  });

  it('takes two quotes that carry a claim only together for precise', async () => {
    const claim: MadeClaim = [
      'Oslo has a harbour with cranes and Bergen has an airport with runways.',
      'Oslo has a harbour with cranes.',
      'Bergen has an airport with runways.',
    ];
    expect(await judged('citation-precision', [claim])).toMatchObject({ score: 1 });
  });

  it('judges the context by rank, and by what was wanted in it', async () => {
    const read = context('Bread is baked in the morning.', quote);
    expect(await judged('context-precision', [sound], { context: read })).toMatchObject({ score: 0.5 });
    expect(await judged('context-precision', [sound], { context: read.toReversed() })).toMatchObject({ score: 1 });
    const expected = { supporting: [{ text: quote }, { text: 'Never read.' }] };
    expect(await judged('context-recall', [sound], { context: read, expected })).toMatchObject({ score: 0.5 });
    const answers = { answers: ['1921'] };
    expect(await judged('context-recall', [sound], { context: read, expected: answers })).toMatchObject({ score: 1 });
    expect(await judged('context-recall', [sound], { context: [], expected: answers })).toMatchObject({ score: 0 });
  });

  it('judges abstention against what people know', async () => {
    expect(await judged('abstention', [], { expected: { unanswerable: true } })).toMatchObject({ score: 1 });
    expect(await judged('abstention', [sound], { expected: { unanswerable: true } })).toMatchObject({ passed: false });
    expect(await judged('abstention', [], { expected: { answers: ['1921'] } })).toMatchObject({ score: 0 });
    expect(await judged('abstention', [sound], { expected: { answers: ['1921'] } })).toMatchObject({ score: 1 });
    expect(await judged('abstention', [sound])).toBeUndefined();
  });
});
