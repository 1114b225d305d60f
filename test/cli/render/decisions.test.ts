// Every decision of a turn has its line in the trace that a terminal draws.
import { expect, it } from 'vitest';
import { decisionsOf } from '../../../src/cli/render/decisions.ts';

it('says what was asked, in which parts, and what each came to', () => {
  expect(
    decisionsOf({
      type: 'decomposition',
      subQueries: [
        { id: '1', query: 'When was Ada born?', dependencies: [] },
        { id: '2', query: 'Where did she live?', dependencies: ['1'] },
      ],
      synthesisPrompt: 'Answer each.',
    }),
  ).toEqual([
    { label: 'part 1', note: 'When was Ada born?', style: 'dim' },
    { label: 'part 2', note: 'Where did she live? (after 1)', style: 'dim' },
  ]);
  const assessed = { type: 'assessment', round: 1, part: '2', reason: 'Nothing says it.' } as const;
  expect(decisionsOf({ ...assessed, verdict: 'fill-gap', query: 'Ada home' })).toEqual([
    { label: 'part 2 fill-gap', note: 'Nothing says it. Looking for: Ada home', style: 'dim' },
  ]);
  expect(decisionsOf({ ...assessed, verdict: 'unanswerable' })[0]?.style).toBe('yellow');
  const complexity = { type: 'complexity', score: 0.6, needsDecomposition: true, reasoning: 'two questions' } as const;
  expect(decisionsOf(complexity)).toEqual([
    { label: 'complexity 0.6', note: 'taken apart: two questions', style: 'dim' },
  ]);
});

it('says what a critic wants and how workers ended', () => {
  const critic = { type: 'critic', round: 1, coverage: 0.5, groundedness: 1, reason: 'A part is missing.' } as const;
  expect(decisionsOf({ ...critic, verdict: 'revise', removed: 1, revised: 0, queries: ['pier film'] })).toEqual([
    {
      label: 'critic revise',
      note: 'coverage 0.5, groundedness 1: A part is missing.; 1 removed; look for: pier film',
      style: 'yellow',
    },
  ]);
  expect(decisionsOf({ type: 'worker_error', taskId: 't1', agent: 'fact checker', error: 'timeout' })).toEqual([
    { label: 'worker t1 failed', note: 'timeout', style: 'red' },
  ]);
  expect(decisionsOf({ type: 'delta', text: 'x' })).toEqual([]);
});
