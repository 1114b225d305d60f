// Several kinds of source in one collection, as people use them: each searched by its own statistics, joined, routed and explained; and a
// collection of one kind as if none of this were there.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { SourceType } from '../../src/core/document.ts';
import { localScope, type Scope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const texts: readonly (readonly [source: string, type: SourceType, uri: string, text: string])[] = [
  [
    'repo',
    'code',
    'src/retry.ts',
    'export function retryRequest(attempts = 3) {\n  // Retries a request with backoff and jitter.\n  return attempts;\n}\n',
  ],
  [
    'repo',
    'code',
    'src/pool.ts',
    'export class ConnectionPool {\n  // Retries are left to whoever borrows a connection.\n  size = 8;\n}\n',
  ],
  ['repo', 'code', 'src/queue.ts', 'export class WorkQueue {\n  // The queue retries nothing.\n  length = 0;\n}\n'],
  [
    'handbook',
    'textbook',
    'backoff.md',
    '# Backoff\n\nBackoff spreads retries over time, so that a service that is down is not flooded.\n',
  ],
  ['handbook', 'textbook', 'jitter.md', '# Jitter\n\nJitter adds chance to the waiting time of clients.\n'],
  [
    'manual',
    'docs',
    'settings.md',
    '# Settings\n\nThe setting `attempts` says how often a request is tried. Its default is 3.\n',
  ],
  ['forum', 'qa', 'q1.md', '# My client hangs\n\nIt hung since no deadline was set. Setting one solved it.\n'],
];

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;

const open = async (name: string, only?: SourceType): Promise<{ opened: OpenedFootnote; footnote: Footnote }> => {
  const environment = { FOOTNOTE_DATA: join(folder, name), DEFAULT_MODE: 'embedded' };
  const one = await openFootnote(loadConfig({ folder, environment }));
  const facade = one.forScope(localScope());
  for (const [source, sourceType, uri, text] of texts)
    if (only === undefined || only === sourceType) await facade.documents.add({ text, uri, source, sourceType });
  return { opened: one, footnote: facade };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-federation-'));
  ({ opened, footnote } = await open('all'));
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

describe('several kinds of source', () => {
  it('are searched each by its own statistics', async () => {
    const alone = await open('code', 'code');
    try {
      const query = 'retries of the queue';
      const expected = await alone.footnote.search({ query });
      const found = await footnote.search({ query, explain: true });
      const ofCode = found.results.filter(({ sourceType }) => sourceType === 'code');
      expect(ofCode.map(({ uri }) => uri)).toEqual(expected.results.map(({ uri }) => uri));
      for (const [at, { scores }] of ofCode.entries())
        expect(scores.bm25).toBeCloseTo(expected.results[at]?.scores.bm25 ?? Number.NaN, 9);
      expect(found.routing.asked).toEqual(expect.arrayContaining(['code', 'textbook', 'docs', 'qa']));
      expect(found.routing.kinds?.map(({ type }) => type)).toEqual(found.routing.asked);
      expect(Object.keys(found.legs?.lists ?? {})).toEqual(expect.arrayContaining(['code', 'textbook']));
      for (const { score, scores, explanation } of found.results) {
        const added = explanation?.ranking?.reduce((sum, { weight }) => sum + weight, 0) ?? 0;
        expect(scores.fused + added).toBeCloseTo(score, 12);
        expect(explanation?.kind?.contribution).toBe(scores.fused);
      }
    } finally {
      await alone.opened.close();
    }
  });

  it('are left out where the request names one: it is searched as if nothing else were there', async () => {
    const alone = await open('named', 'code');
    try {
      const query = 'retries of the queue and a request';
      const expected = await alone.footnote.search({ query });
      const found = await footnote.search({ query, sources: ['repo'] });
      expect(found.results.map(({ uri }) => uri)).toEqual(expected.results.map(({ uri }) => uri));
      for (const [at, { score }] of found.results.entries())
        expect(score).toBeCloseTo(expected.results[at]?.score ?? Number.NaN, 9);
    } finally {
      await alone.opened.close();
    }
  });

  it('are asked as the question needs them, and the answer says which and why', async () => {
    const found = await footnote.search({ query: 'Explain the backoff pattern' });
    expect(found.routing.sources).toEqual(['textbook']);
    expect(found.routing.reason).toContain('asks for the explanation of a pattern');
    expect(found.results[0]?.uri).toBe('backoff.md');
    const code = await footnote.search({ query: 'where is retryRequest defined' });
    expect([code.routing.sources[0], code.results[0]?.uri]).toEqual(['code', 'src/retry.ts']);
    const answer = await footnote.ask({ question: 'How often is a request tried by default?' });
    expect(answer.routing.sources.length).toBeGreaterThan(0);
  });

  it('are left to whoever names sources', async () => {
    const found = await footnote.search({ query: 'retries backoff', sources: ['handbook', 'repo'] });
    expect(found.routing).toMatchObject({
      sources: ['handbook', 'repo'],
      reason: 'the sources that the request named',
    });
    expect(new Set(found.results.map(({ source }) => source))).toEqual(new Set(['handbook', 'repo']));
    await expect(footnote.search({ query: 'x', sources: ['nowhere'] })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('show a copy once, as its most authoritative source has it, and what belongs together', async () => {
    const text = 'The frobnicator widget of connectPool drains the northern basin within four minutes of a fault.';
    await footnote.documents.add({ text, uri: 'https://mirror.example/frob', source: 'mirror', sourceType: 'web' });
    await footnote.documents.add({ text, uri: 'frob.md', source: 'manual', sourceType: 'docs' });
    await footnote.documents.add({
      text: 'export function connectPool() { return drain(); }',
      uri: 'src/frob.ts',
      source: 'repo',
      sourceType: 'code',
    });
    const { results } = await footnote.search({ query: 'frobnicator widget northern basin', explain: true });
    const copies = results.filter((one) => one.text.includes('frobnicator'));
    expect(copies.map(({ uri, alsoIn }) => [uri, alsoIn.map(({ source }) => source)])).toEqual([
      ['frob.md', ['mirror']],
    ]);
    const code = (await footnote.search({ query: 'frobnicator connectPool' })).results;
    const definition = code.find(({ uri }) => uri === 'src/frob.ts');
    expect(code.find(({ uri }) => uri === 'frob.md')?.related).toContain(definition?.chunkId);
  });

  it('show nobody that there is a kind of which he may read nothing', async () => {
    await footnote.documents.add({
      text: 'A secret guide.',
      uri: 'secret.md',
      source: 'internal',
      sourceType: 'guide',
      access: ['chief'],
    });
    const reader: Scope = { tenant: 'default', principal: { id: 'clerk', role: 'reader', groups: [] } };
    const { routing } = await opened.forScope(reader).search({ query: 'retries' });
    expect(routing.asked).not.toContain('guide');
    expect((await footnote.search({ query: 'retries' })).routing.asked).toContain('guide');
  });
});

describe('one kind of source', () => {
  it('is searched as a whole: the scores of the index, no kinds asked', async () => {
    const alone = await open('docs', 'docs');
    try {
      const { results, routing } = await alone.footnote.search({ query: 'where is attempts defined', explain: true });
      expect(routing.asked).toBeUndefined();
      expect(routing.reason).toContain('there is only docs');
      expect(results[0]?.score).toBe(results[0]?.scores.fused);
      expect(results[0]?.explanation?.kind).toBeUndefined();
      expect(results[0]?.scores.bm25).toBeLessThanOrEqual(results[0]?.score ?? 0);
    } finally {
      await alone.opened.close();
    }
  });
});
