// Words of a question that only frame it ("how often", "why is … needed") need not stand in what answers it.
import { describe, expect, it } from 'vitest';
import { analyzeQuestion } from '../../../src/answer/question/question.ts';
import { typeFit } from '../../../src/answer/question/typed-spans.ts';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { contextOf } from '../../../testkit/evidence-of.ts';

const termsOf = (question: string): string[] => analyzeQuestion(question).terms.map(({ term }) => term);

describe('words that only frame a question', () => {
  it.each([
    ['How often are the keys rotated?', ['key', 'rotat']],
    ['Why is jitter needed?', ['jitter']],
    ['Why are circuit breakers useful?', ['circuit', 'breaker']],
    ['Why is it important to rotate keys?', ['rotat', 'key']],
    // Here they are what is asked about.
    ['What is needed to rotate keys?', ['need', 'rotat', 'key']],
    ['Why do ferns often wither?', ['fern', 'often', 'wither']],
    ['Why is a key required by the installer?', ['key', 'requir', 'instal']],
  ])('%s', (question, terms) => {
    expect(termsOf(question)).toEqual(terms);
  });

  it('lets a short sentence answer how often, and knows how that is said', () => {
    const question = 'How often are the keys rotated?';
    const context = contextOf(
      { id: 'a', text: 'Keys are rotated every 90 days.', score: 3 },
      { id: 'b', text: 'A delivery is tried at most so often. How often it is tried is set there.', score: 2 },
    );
    const draft = composeAnswer({ question, context });
    expect(draft.claims[0]?.text).toBe('Keys are rotated every 90 days.');
    expect(draft.confidence).toBeGreaterThan(0.6);
    const asked = analyzeQuestion(question);
    for (const said of [
      'It runs nightly.',
      'Run it every night.',
      'Once a month it is read.',
      'It is read three times a year.',
    ])
      expect(typeFit(asked, said), said).toBe(1);
    expect(typeFit(asked, 'There are 400 keys.')).toBeLessThan(1);
    expect(typeFit(asked, 'Keys are rotated by the server.')).toBe(0);
  });

  it('lets a sentence about the thing answer why it is needed', () => {
    const text =
      'Jitter adds randomness to the delay. Without jitter, clients that failed together try again together, which is called a thundering herd.';
    const draft = composeAnswer({ question: 'Why is jitter needed?', context: contextOf({ id: 'a', text }) });
    expect(draft.claims.map((claim) => claim.text).join(' ')).toContain('Without jitter');
  });
});
