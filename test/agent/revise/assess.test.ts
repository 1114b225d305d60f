// Whether what was found is enough: a weak draft is looked after once more, a sound one is not, and every decision is an event.
import { describe, expect, it } from 'vitest';
import { assessmentLimits, createAssessment } from '../../../src/agent/revise/assess.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { toolBudget } from '../../../testkit/request-context.ts';
import { askLibrary, eventsOf, openLibrary } from '../../../testkit/turn-library.ts';

const texts = {
  Reservoir: 'The Harlow reservoir holds 40,000 cubic metres of water. It was completed in 1974 by the county.',
  Warden: 'The warden of the Harlow reservoir is Maud Ellery. She lives beside the dam.',
  Mill: 'The mill was built in 1820. It grinds rye.',
  Ledger: 'The mill was built in 1834. It grinds rye.',
};
const assess = createAssessment();

describe('an assessment', () => {
  it('finds a sound draft enough, and searches no more', async () => {
    const library = openLibrary(texts);
    const { answer, events } = await askLibrary('When was the Harlow reservoir completed?', library, {
      ports: { assess },
    });
    expect(answer.claims[0]?.text).toContain('1974');
    expect(eventsOf(events, 'assessment')).toMatchObject([{ round: 1, verdict: 'answer' }]);
    expect(library.seen).toHaveLength(1);
  });

  it('names the gap, searches for it, and answers from what that finds', async () => {
    const finds = (title: string, query: string) =>
      title === 'Warden' ? query.startsWith('Harlow') : query.includes('Harlow') && title === 'Reservoir';
    const library = openLibrary(texts, { finds });
    const { answer, events } = await askLibrary('Who is the warden of the Harlow reservoir?', library, {
      ports: { assess },
    });
    const [first, last] = eventsOf(events, 'assessment');
    expect(first).toMatchObject({ round: 1, verdict: 'fill-gap', query: expect.stringContaining('warden') });
    expect(last).toMatchObject({ round: 2, verdict: 'answer' });
    expect(answer.claims[0]?.text).toContain('Maud Ellery');
    expect(answer.usage.toolCalls).toBe(2);
    // The same without the step.
    const without = await askLibrary('Who is the warden of the Harlow reservoir?', openLibrary(texts, { finds }));
    expect(without.answer.claims[0]?.text ?? '').not.toContain('Maud Ellery');
  });

  it('ends as unanswerable after its rounds', async () => {
    const library = openLibrary(texts);
    const { answer, events } = await askLibrary('Who painted the Quenby ceiling?', library, { ports: { assess } });
    expect(answer.abstained).toBe(true);
    expect(eventsOf(events, 'assessment').at(-1)?.verdict).toBe('unanswerable');
    expect(library.seen.length).toBeLessThanOrEqual(1 + assessmentLimits.rounds);
    expect(library.seen.length).toBeGreaterThan(1);
  });

  it('looks no further where the budget is spent, and says so', async () => {
    const library = openLibrary(texts);
    const { events } = await askLibrary('Who painted the Quenby ceiling?', library, {
      ports: { assess },
      context: { budget: toolBudget({ tools: 1 }) },
    });
    expect(library.seen).toHaveLength(1);
    expect(eventsOf(events, 'assessment').at(-1)).toMatchObject({
      verdict: 'unanswerable',
      reason: expect.stringContaining('budget'),
    });
  });

  it('costs the answer nothing where its search fails', async () => {
    const down = new FootnoteError('upstream-unavailable', 'The store is down.');
    const library = openLibrary(texts, { fail: (query) => (query.includes('?') ? undefined : down) });
    const { answer } = await askLibrary('Who painted the Quenby ceiling of the Reservoir?', library, {
      ports: { assess },
    });
    expect(answer.degraded).toContainEqual(
      expect.objectContaining({ component: 'assessment', code: 'upstream-unavailable' }),
    );
  });

  it('searches once more for what sources disagree about', async () => {
    const library = openLibrary(texts, { finds: (title, query) => /mill/iu.test(query) && /Mill|Ledger/u.test(title) });
    const { answer, events } = await askLibrary('When was the mill built?', library, { ports: { assess } });
    expect(answer.conflicts).toHaveLength(1);
    expect(eventsOf(events, 'assessment').map(({ verdict }) => verdict)).toEqual(['answer', 'reconcile']);
    expect(library.seen).toHaveLength(2);
  });
});
