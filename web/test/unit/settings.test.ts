// What is told of a server's health, with what to do; and the request for a key.
import { describe, expect, it } from 'vitest';
import { keyRequestOf, limitsText, whatIsOn } from '../../src/settings/facts.ts';
import { findingsOf, type Readiness } from '../../src/settings/findings.ts';
import type { StoreStatus } from '../../src/shared/contract.ts';
import { listed } from '../../src/shared/written.ts';

const readiness: Readiness = { status: 'ok', version: '1.2.3', stores: [] };
const store: StoreStatus = {
  name: 'azure',
  status: 'ok',
  detail: 'Answers',
  documents: 8,
  chunks: 80,
  coverage: 1,
  modes: ['hybrid'],
};
const areas = (told: Parameters<typeof findingsOf>[0]): string[] =>
  findingsOf(told).map(({ state, area, remedy }) => [state, area, remedy].filter(Boolean).join(' '));

describe('findings', () => {
  it('are well where all is', () => {
    expect(areas({ readiness, stores: [store] })).toEqual(['ok server', 'ok store azure']);
  });

  it('name the worst first, each with what to do', () => {
    const deliveries = { pending: 3, failed: 2, deletions: 0, paused: false, failure: 'The key is refused.' };
    const drift = { ...{ checkedAt: '', checked: 8, missing: 1, stale: 0, duplicates: 0, orphans: 2 }, examples: [] };
    const ill: StoreStatus = {
      ...store,
      status: 'down',
      coverage: 0.999,
      deliveries,
      drift: { ...drift, isMended: false },
      vectors: { state: 'failed', chunks: 9, embedded: 0, failure: 'No model answers.' },
    };
    const failing = { code: 'unauthenticated', reason: 'HTTP 401', at: '' };
    const told = {
      readiness,
      stores: [ill],
      models: {
        roles: [{ role: 'answer', status: 'down' as const, code: 'unauthenticated' }],
        models: [{ model: 'openai:gpt', state: 'failing' as const, failuresInRow: 1, lastFailure: failing }],
      },
    };
    expect(areas(told)).toEqual([
      'problem store azure',
      'problem model for answer',
      'warning store azure sync',
      'warning store azure reconcile',
      'warning vectors of azure',
      'warning model openai:gpt',
      'ok server',
    ]);
    const found = findingsOf(told);
    expect(found.filter(({ state }) => state !== 'ok').every(({ advice }) => advice !== undefined)).toBe(true);
    expect(found[0]?.detail).toContain('99 % of the documents');
  });

  it('offer to go on where a store is paused, and nothing for what was mended', () => {
    const deliveries = { pending: 1, failed: 4, deletions: 0, paused: true };
    const drift = {
      checkedAt: '',
      checked: 8,
      missing: 1,
      stale: 0,
      duplicates: 0,
      orphans: 0,
      examples: [],
      isMended: true,
    };
    expect(areas({ readiness, stores: [{ ...store, deliveries, drift }] })).toEqual([
      'warning store azure resume',
      'ok server',
      'ok store azure',
    ]);
  });
});

describe('a key', () => {
  const empty = {
    name: ' site ',
    role: 'reader',
    tenant: '',
    groups: '',
    sources: '',
    doors: [],
    lastDay: '',
    limits: {},
  };
  it('is asked for with what was written, and is not limited otherwise', () => {
    expect(keyRequestOf(empty)).toEqual({ name: 'site', role: 'reader' });
    const asked = keyRequestOf({
      ...empty,
      sources: 'a, b ,a',
      doors: ['mcp'],
      lastDay: '2030-01-31',
      limits: { rate: '60/min', dailyUsd: '0.5', dailyTokens: '' },
    });
    expect(asked).toMatchObject({ sources: ['a', 'b'], doors: ['mcp'], limits: { rate: '60/min', dailyUsd: 0.5 } });
    expect(new Date(asked.expiresAt ?? '').getTime()).toBe(new Date(2030, 1, 1).getTime());
    expect(listed(' , ')).toEqual([]);
  });

  it('tells its limits, and a reader nothing of an admin’s parts', () => {
    expect(limitsText({ rate: '5/s', dailyUsd: 2 })).toBe('5/s, $2 a day');
    expect(limitsText(undefined)).toBe('');
    expect(whatIsOn({ models: [], webSearch: false })).toEqual([['Search of the web', 'off']]);
    expect(whatIsOn({ models: [], webSearch: true, metrics: true, keys: false })).toHaveLength(3);
  });
});
