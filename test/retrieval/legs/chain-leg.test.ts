// Stores that stand in for each other: who is asked, what is told, and what no other store may hide.
import { describe, expect, it } from 'vitest';
import { type ErrorCode, FootnoteError } from '../../../src/core/errors.ts';
import { createChainLeg } from '../../../src/retrieval/legs/chain-leg.ts';
import { searchLegs } from '../../../src/retrieval/legs/join-legs.ts';
import type { Leg } from '../../../src/retrieval/legs/leg.ts';

function legOf(name: string, found: string | ErrorCode, more: Partial<Leg> = {}): Leg & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    name,
    kind: 'vector',
    store: name,
    modes: ['vector', 'hybrid'],
    asked,
    async search({ text }) {
      asked.push(text);
      if (found.includes('-') || found === 'unsupported')
        throw new FootnoteError(found as ErrorCode, `${name} says no.`);
      const hit = { chunkId: found, score: 1, scores: { vector: 1 }, ranks: { [name]: 1 } };
      return { hits: [hit], degraded: [] };
    },
    ...more,
  };
}

const query = { text: 'q', mode: 'vector', limit: 5, explain: false } as const;
const chainOf = (...links: Leg[]): Leg => createChainLeg(links, { name: 'chain', modes: ['vector', 'hybrid'] });

describe('createChainLeg', () => {
  it('asks the first store alone as long as it serves', async () => {
    const backup = legOf('backup', 'b');
    const result = await chainOf(legOf('first', 'a'), backup).search(query);
    expect(result.hits).toMatchObject([{ chunkId: 'a', stores: ['first'] }]);
    expect(result.name).toBe('first');
    expect(result.usedFallback).toBeUndefined();
    expect(backup.asked).toEqual([]);
  });

  it.each([
    'upstream-unavailable',
    'upstream-invalid',
    'deadline-exceeded',
    'rate-limited',
    'quota-exceeded',
    'config-invalid',
  ] as const)('asks the next one after %s, and tells it under the names of both', async (code) => {
    const result = await chainOf(legOf('first', code), legOf('backup', 'b')).search(query);
    expect(result).toMatchObject({
      name: 'backup',
      usedFallback: true,
      hits: [{ chunkId: 'b', stores: ['backup'] }],
      degraded: [{ component: 'first', code, detail: 'first says no.', effect: 'Searched in backup instead.' }],
    });
  });

  it.each(['unsupported', 'invalid-request', 'data-corrupt'] as const)('hides %s behind nobody', async (code) => {
    const backup = legOf('backup', 'b');
    await expect(chainOf(legOf('first', code), backup).search(query)).rejects.toMatchObject({ code });
    expect(backup.asked).toEqual([]);
  });

  it('refuses a mode that the first store does not serve, and passes over others that do not', async () => {
    const byHybrid = legOf('first', 'a', { modes: ['hybrid'] });
    await expect(chainOf(byHybrid, legOf('backup', 'b')).search(query)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('vector'),
    });
    const chain = chainOf(legOf('first', 'upstream-unavailable'), byHybrid, legOf('last', 'l'));
    expect((await chain.search(query)).degraded).toMatchObject([{ effect: 'Searched in last instead.' }]);
  });

  it('is told as one that could not be asked where all are down: alone it fails, beside others they serve', async () => {
    const chain = chainOf(legOf('first', 'upstream-unavailable'), legOf('backup', 'rate-limited'));
    await expect(searchLegs([chain], query)).rejects.toMatchObject({ code: 'upstream-unavailable' });
    const { hits, degraded, usedFallback } = await searchLegs([legOf('own', 'o'), chain], query);
    expect(hits).toMatchObject([{ chunkId: 'o' }]);
    expect(usedFallback).toBe(true);
    expect(degraded.map(({ component, effect }) => [component, effect])).toEqual([
      ['first', 'Searched in backup instead.'],
      ['backup', 'Searched without backup.'],
    ]);
    const broken = legOf('own', 'data-corrupt');
    await expect(searchLegs([broken, chain], query)).rejects.toMatchObject({ code: 'data-corrupt' });
  });

  it('asks nobody else for whoever left', async () => {
    const stop = new AbortController();
    const backup = legOf('backup', 'b');
    const leaving = legOf('first', 'a', {
      async search() {
        stop.abort();
        throw new FootnoteError('deadline-exceeded', 'Left.');
      },
    });
    await expect(chainOf(leaving, backup).search(query, stop.signal)).rejects.toMatchObject({
      code: 'deadline-exceeded',
    });
    expect(backup.asked).toEqual([]);
  });
});
