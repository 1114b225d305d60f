// What is asked about the user is answered from what is remembered of them, over a folder of documentation that speaks of the same things;
// what is asked of the documentation is answered from it. The questions stand in testkit/memory/about-the-user.jsonl.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { answerOf, startFakeOpenAI } from '../../src/testing/index.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

interface Line {
  readonly kind: 'paper' | 'memory' | 'question';
  readonly part?: 'develop' | 'held-out';
  readonly title?: string;
  readonly text?: string;
  readonly ask?: string;
  readonly answer?: string;
  readonly none?: string;
  readonly from?: 'memory' | 'document';
}

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;
let lines: readonly Line[];

beforeAll(async () => {
  const file = resolve(import.meta.dirname, '../../testkit/memory/about-the-user.jsonl');
  lines = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  folder = await mkdtemp(join(tmpdir(), 'footnote-about-the-user-'));
  opened = await openFootnote(
    loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), ENABLE_SEMANTIC_MEMORY: 'true' } }),
    { withEncoder: true },
  );
  footnote = opened.forScope(localScope());
  for (const { kind, part, title, text } of lines) {
    if (kind === 'paper') await footnote.documents.add({ title: title!, text: text!, source: 'handbook', uri: title! });
    if (kind === 'memory') await footnote.memories.add({ text: text!, user: part! });
  }
  await opened.settle('default');
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

/** The questions of a part that are not answered as they should be, with what was said. */
async function wrongOf(part: 'develop' | 'held-out'): Promise<{ readonly asked: number; readonly wrong: string[] }> {
  const questions = lines.filter((line) => line.kind === 'question' && line.part === part);
  const wrong: string[] = [];
  for (const { ask, answer, none, from } of questions) {
    const told = await footnote.ask({ question: ask!, user: part });
    const cited = told.citations.map(({ source }) => source);
    const isRight =
      new RegExp(answer!, 'iu').test(told.answer) &&
      !(none !== undefined && new RegExp(none, 'iu').test(told.answer)) &&
      cited.every((source) => (source === 'memory') === (from === 'memory'));
    if (!isRight) wrong.push(`${ask} -> ${told.answer}`);
  }
  return { asked: questions.length, wrong };
}

describe('a question about the user', () => {
  it('is answered from memory before documents, those that the rules were made on', async () => {
    const { asked, wrong } = await wrongOf('develop');
    expect(asked).toBe(24);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(1);
  });

  it('is answered from memory before documents, those that were looked at once', async () => {
    const { asked, wrong } = await wrongOf('held-out');
    expect(asked).toBe(16);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(1);
  });

  it('is answered from memory in each of its parts', async () => {
    const told = await footnote.ask({ question: 'Where do I live? Who is my manager?', user: 'develop' });
    expect(told.answer).toContain('Porto');
    expect(told.answer).toContain('Henrike Dahl');
    expect(told.citations.map(({ source }) => source)).toEqual(['memory', 'memory']);
  });

  it('is answered from memory where no document answers, though the model takes it for one about the world', async () => {
    const user = 'traveller';
    await footnote.memories.add({ text: 'I play the trombone.', user });
    const question = 'Which brass instruments can I practise?';
    const told = await footnote.ask({ question, user });
    expect(told.answer).toBe('I play the trombone. [1]');
    expect(told.routing.reason).toContain('it was answered from memory');
    for (const other of [
      { question, user, sources: ['handbook'] },
      { question },
      { question: 'Which brass instruments does the porter practise?', user },
    ])
      expect((await footnote.ask(other)).citations.filter(({ source }) => source === 'memory')).toEqual([]);
  });

  it('is answered from documents alone where it names them', async () => {
    const told = await footnote.ask({ question: 'Who is my manager?', user: 'develop', sources: ['handbook'] });
    expect(told.citations.filter(({ source }) => source !== 'handbook')).toEqual([]);
  });
});

describe('with a model that answers from whatever document it reads', () => {
  let provider: Awaited<ReturnType<typeof startFakeOpenAI>>;
  let own: OpenedFootnote;
  let asking: Footnote;
  const quote = 'We decided to put the solar panels on the roof of the depot in May.';
  const past = 'I decided to postpone the solar panels until the roof is mended.';

  beforeAll(async () => {
    provider = await startFakeOpenAI((request) => {
      const lines = /^\| (?<line>.*(?:Zurich|depot|postpone).*)$/mu.exec(request.prompt)?.groups;
      return answerOf(lines?.['line'] === undefined ? [] : [{ text: lines['line'], quote: lines['line'] }]);
    });
    own = await openFootnote(
      loadConfig({
        folder,
        environment: {
          FOOTNOTE_DATA: join(folder, 'by-model'),
          ENABLE_SEMANTIC_MEMORY: 'true',
          ...provider.environment,
        },
      }),
    );
    asking = own.forScope(localScope());
    await asking.documents.add({ text: 'I work at the head office in Zurich.', uri: 'office.txt' });
    await asking.documents.add({ text: quote, uri: 'solar.txt' });
    await asking.memories.add({ text: 'I work at the harbour office in Trieste.' });
    await asking.conversations.addTurns('solar', {
      messages: [{ role: 'user', text: past, timestamp: '2024-03-01T10:00:00Z' }],
    });
  });
  afterAll(async () => {
    await own.close();
    await provider.close();
  });

  it('memory answers, and the model is not asked', async () => {
    const before = provider.requests.length;
    const told = await asking.ask({ question: 'Where do I work?' });
    expect(told.answer).toContain('Trieste');
    expect(told.citations.map(({ source }) => source)).toEqual(['memory']);
    expect(provider.requests.length).toBe(before);
  });

  it('the archive answers what was decided, and the model reads no document', async () => {
    const told = await asking.ask({ question: 'What did I decide about the solar panels?' });
    expect(told.answer).toContain('postpone');
    expect(told.citations.every(({ conversationId }) => conversationId === 'solar')).toBe(true);
    expect(provider.requests.at(-1)?.prompt).not.toContain('depot');
  });
});
