// An answer given again: told as such, checked and replayed like any other, and never once anything that it rests on has changed, or to anybody else.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAnswerCache } from '../../src/agent/answer-cache/answer-cache.ts';
import { loadConfig } from '../../src/config.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import { localScope, type Scope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;

const open = (environment: Readonly<Record<string, string>>): Promise<OpenedFootnote> =>
  openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), ...environment } }));
const tower = (metres: number, access?: readonly string[]) =>
  footnote.documents.add({
    text: `The tower of Oban is ${metres} metres tall. It was built in 1872.`,
    uri: 'tower.md',
    title: 'The tower of Oban',
    source: 'notes',
    ...(access && { access }),
  });
const question = 'How tall is the tower of Oban?';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-answer-cache-'));
  opened = await open({ ENABLE_ANSWER_CACHE: 'true' });
  footnote = opened.forScope(localScope());
  await tower(43);
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

describe('an answer is given again', () => {
  it('never once it was deleted', async () => {
    const first = await footnote.ask({ question });
    expect((await footnote.ask({ question })).reused?.answerId).toBe(first.id);
    await footnote.answers.delete(first.id);
    expect(await footnote.ask({ question })).not.toHaveProperty('reused');
  });

  it('never where what it rests on changed while it was made, whoever asked the same meanwhile', async () => {
    let basis = 'before';
    const cache = createAnswerCache({ basis: async () => basis, ttlSeconds: 60, isThere: async () => true });
    const answer = await footnote.ask({ question });
    const at = new Date().toISOString();
    const [early, late] = [{ question }, { question }];
    await cache.find(early, at);
    basis = 'after';
    await cache.find(late, at);
    await cache.put(early, answer, at);
    expect(await cache.find({ question }, at)).toBeUndefined();
    await cache.put(late, answer, at);
    expect((await cache.find({ question }, at))?.answer).toEqual(answer);
  });

  it('to the same question, without a search, and says so', async () => {
    const first = await footnote.ask({ question });
    const events: FootnoteEvent[] = [];
    const again = await footnote.ask(
      { question: ' how tall  is the tower of oban ' },
      { onEvent: (event) => events.push(event) },
    );
    expect(first.reused).toBeUndefined();
    expect(again.reused).toEqual({ answerId: first.id, question, at: expect.any(String) as string });
    expect([again.answer, again.citations]).toEqual([first.answer, first.citations]);
    expect(again.id).not.toBe(first.id);
    expect(again.usage.toolCalls).toBe(0);
    expect(events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('')).toBe(again.answer);
    const calls = events.flatMap((event) => (event.type === 'call' ? [event.call.port] : []));
    expect(calls).toEqual(['answer-cache']);
    expect((await footnote.answers.verify(await footnote.answers.get(again.id))).ok).toBe(true);
    expect(await footnote.traces.replay(again.traceId)).toMatchObject({ same: true, sameCalls: true, divergences: [] });
    expect(await footnote.traces.replay(first.traceId)).toMatchObject({ same: true, sameCalls: true, divergences: [] });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['its document changed', () => tower(44)],
    ['who may read it changed', () => tower(43, ['builders'])],
    [
      'another document came',
      () => footnote.documents.add({ text: 'The pier is 90 metres long.', uri: 'pier.md', source: 'notes' }),
    ],
    ['a source was declared', () => footnote.sources.put({ name: 'others', type: 'qa' })],
    [
      'somebody said that it is wrong',
      async () => footnote.feedback.give((await footnote.ask({ question, topK: 3 })).id, { rating: 'down' }),
    ],
  ])('not once %s', async (_, change) => {
    await footnote.ask({ question });
    expect((await footnote.ask({ question })).reused).toBeDefined();
    await change();
    const after = await footnote.ask({ question });
    expect(after.reused).toBeUndefined();
  });

  it('not with the words of a deleted document', async () => {
    const { citations } = await footnote.ask({ question });
    const hit = await footnote.ask({ question });
    await footnote.documents.delete(citations[0]?.documentId ?? '');
    expect((await footnote.ask({ question })).abstained).toBe(true);
    await opened.settleErasures();
    expect(JSON.stringify(await footnote.answers.get(hit.id))).not.toContain('43 metres');
    expect(JSON.stringify((await footnote.traces.get(hit.traceId)).events)).not.toContain('43 metres');
  });

  it('not to a question with another number, other options, files of its own, or of today', async () => {
    await footnote.ask({ question });
    const reused = async (request: Parameters<Footnote['ask']>[0]) => (await footnote.ask(request)).reused;
    expect(await reused({ question: 'How old is the tower of Oban?' })).toBeUndefined();
    expect(await reused({ question: 'What is the height of the tower of Oban?' })).toBeUndefined();
    expect(await reused({ question, topK: 3 })).toBeUndefined();
    expect(await reused({ question, mode: 'embedded' })).toBeUndefined();
    expect(await reused({ question, workspace: [{ path: 'a.md', text: 'Nothing.' }] })).toBeUndefined();
    const today = 'How tall is the tower of Oban today?';
    await footnote.ask({ question: today });
    expect(await reused({ question: today })).toBeUndefined();
  });

  it('to nobody else', async () => {
    await footnote.ask({ question });
    const { principal } = localScope();
    const other = (scope: Scope) => opened.forScope(scope);
    const strangers = [
      other({ tenant: localScope().tenant, principal: { ...principal, id: 'somebody' } }),
      other({ tenant: 'elsewhere', principal }),
    ];
    for (const stranger of strangers) expect((await stranger.ask({ question })).reused).toBeUndefined();
  });
});

it('is off unless it is asked for', async () => {
  await opened.close();
  opened = await open({});
  footnote = opened.forScope(localScope());
  await footnote.ask({ question });
  expect((await footnote.ask({ question })).reused).toBeUndefined();
});
