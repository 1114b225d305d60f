// Nothing that is done with a long archive holds up others: no turn of the event loop takes long, in this thread's own processor time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { chatGptExport, chatGptNode } from '../../testkit/archive-fixture.ts';
import { longestTurnMs } from '../../testkit/event-loop-turns.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

/** A turn stays under 100 ms on a quiet machine; collection of memory and other programs may double it, unbounded work takes seconds. */
const mostMs = 250;
let folder = '';
let opened: OpenedFootnote | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'footnote-long-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: folder } }));
});
afterEach(async () => {
  await opened?.close();
  rmSync(folder, { recursive: true, force: true });
});

const words = ['harbour', 'copper', 'river', 'lantern', 'meadow', 'cobalt', 'ferry', 'orchard', 'solar', 'panel'];

async function bringIn(name: string, text: string): Promise<void> {
  const path = join(folder, name);
  writeFileSync(path, text);
  await opened?.forScope(localScope()).conversations.import({ content: { path }, details: { name } });
}

/** What each work held at most, where that is too much. */
async function held(works: Readonly<Record<string, () => Promise<unknown>>>): Promise<readonly string[]> {
  const long: string[] = [];
  for (const [name, work] of Object.entries(works)) {
    const { longestMs } = await longestTurnMs(work);
    if (longestMs >= mostMs) long.push(`${name}: ${longestMs.toFixed(0)} ms`);
  }
  return long;
}

it('reads, asks and deletes a conversation of 50,000 turns', { timeout: 300_000 }, async () => {
  const line = (at: number): string =>
    JSON.stringify({
      conversation_id: 'c',
      turn_id: `t${at}`,
      role: at % 2 === 0 ? 'user' : 'assistant',
      text: `The ${words[at % 10]} and the ${words[(at * 7) % 9]} were n${at % 5000} spoken of`,
      timestamp: new Date(Date.UTC(2020, 0, 1) + at * 600_000).toISOString(),
    });
  await bringIn('x.jsonl', Array.from({ length: 50_000 }, (_, at) => line(at)).join('\n'));
  const footnote = opened!.forScope(localScope());
  const { conversations } = footnote;
  const question = 'When did I first talk about solar panels, and what did I decide?';
  // The programs of each are compiled once, whatever they read.
  await conversations.chat({ messages: [{ role: 'user', content: 'Who spoke of a xylophone?' }] });
  await footnote.ask({ question: 'In my old chats, who spoke of a xylophone?' });
  expect(
    await held({
      peek: () => conversations.peek({ query: 'solar panel', by: ['conversation', 'role'] }),
      list: () => conversations.list({}),
      get: () => conversations.get('c'),
      turn: () => conversations.turn('t100', { conversation_id: 'c', neighbours: 20 }),
      chat: () => conversations.chat({ messages: [{ role: 'user', content: question }] }),
      ask: () => footnote.ask({ question: 'In my old chats, what did we decide about solar panels?' }),
      delete: () => conversations.delete('c'),
    }),
  ).toEqual([]);
  expect((await conversations.list({})).data).toEqual([]);
  expect((await conversations.peek({ query: 'solar panel' })).total).toMatchObject({ hits: 0, turns: 0 });
});

it('takes in what comes whole, loses most of it again, and takes in long turns', { timeout: 300_000 }, async () => {
  const talk = (count: number): string => {
    const nodes = [
      chatGptNode('n0', null),
      ...Array.from({ length: count }, (_, at) =>
        chatGptNode(`n${at + 1}`, `n${at}`, { role: 'user', text: `Number ${at} of the ${words[at % 10]}` }),
      ),
    ];
    return JSON.stringify([chatGptExport('c', nodes, `n${count}`)]);
  };
  const many = Array.from({ length: 120_000 }, (_, at) => `word${at}`).join(' ');
  expect(
    await held({
      whole: () => bringIn('1.json', talk(15_000)),
      less: () => bringIn('2.json', talk(10)),
      long: () => bringIn('3.jsonl', JSON.stringify({ conversation_id: 'd', role: 'user', text: many })),
    }),
  ).toEqual([]);
  const { data } = await opened!.forScope(localScope()).conversations.list({});
  expect(data.map(({ turns }) => turns).sort((one, other) => one - other)).toEqual([1, 10]);
});
