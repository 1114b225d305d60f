// The port of whoever gathers: another gatherer takes the place of one search, and the turn does the same with what it found.
import { describe, expect, it } from 'vitest';
import { gather } from '../../../src/agent/steps/gather.ts';
import type { Gatherer } from '../../../src/agent/turn/gatherer.ts';
import type { Gathering, Understood } from '../../../src/agent/turn/turn-state.ts';
import { runTurn } from '../../../src/agent/turn.ts';
import type { Evidence } from '../../../src/core/search.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';
import { requestContext } from '../../../testkit/request-context.ts';
import { readerOf } from '../../answer/model-turn.ts';

const degraded = { component: 'vector', code: 'off', detail: 'd', effect: 'e' };
const found = (evidence: readonly Evidence[], more: Partial<Gathering> = {}): Gathering => ({
  evidence,
  routing: { sources: ['a'], reason: 'two looks' },
  degraded: [],
  toolCalls: 1,
  ...more,
});
const [dam, weir] = [
  evidenceOf({ id: 'dam', text: 'The dam was completed in 1974.', score: 9 }),
  evidenceOf({ id: 'weir', text: 'The weir was completed in 1981.', score: 8 }),
];

/** A question taken apart: a look for each of its parts, told as one. */
const decomposing: Gatherer = {
  gather: async () => found([dam, weir], { toolCalls: 2, degraded: [degraded] }),
  gatherMore: async () => found([]),
  statistics: async () => undefined,
};

describe('another gatherer', () => {
  it('answers from what it found, with its calls and what it had to leave out', async () => {
    const answer = await runTurn(
      { question: 'When were the dam and the weir completed?', mode: 'embedded', degraded: [] },
      { gatherer: decomposing, readSpan: readerOf([dam, weir]), contextTokens: 2_000, spanUrl: () => '/' },
      requestContext(),
    );
    expect(answer.citations.map(({ chunkId }) => chunkId).toSorted()).toEqual(['dam', 'weir']);
    expect(answer).toMatchObject({ routing: { sources: ['a'] }, degraded: [degraded], usage: { toolCalls: 2 } });
  });
});

describe('gather', () => {
  it('adds what further looks find: each chunk and each reason once, every call', async () => {
    const understood: Understood = {
      request: { question: 'q', mode: 'embedded', degraded: [] },
      intent: 'faq',
      degraded: [],
    };
    const { findings } = await gather(
      understood,
      { gatherer: decomposing },
      {
        ...requestContext(),
        timed: async (_name, work) => work(),
      },
    );
    const other = { ...degraded, code: 'training' };
    findings.add(found([weir, evidenceOf({ id: 'pier', text: 'A pier.' })], { degraded: [degraded, other] }));
    findings.add(found([], { toolCalls: 0 }));
    expect(findings.evidence().map(({ chunkId }) => chunkId)).toEqual(['dam', 'weir', 'pier']);
    expect(findings.first).toEqual([dam, weir]);
    expect(findings.degraded()).toEqual([degraded, other]);
    expect(findings.toolCalls()).toBe(3);
  });
});
