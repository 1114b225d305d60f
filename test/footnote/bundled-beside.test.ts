// The documents that come with Footnote answer only while nothing else at all is in: a turn of the archive, a memory and a file of the request
// set them aside as a document does, however they are asked for, and they are never counted among what a store holds.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { modes } from '../../src/core/search.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { bundledSource } from '../../src/footnote/record/bundled.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const corpus = resolve(import.meta.dirname, '../../corpus');
const questions = ['What does a citation point to?', 'What did I decide about the solar panels?'];

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;
let bundled: ReadonlySet<string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-bundled-'));
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), ENABLE_ANSWER_CACHE: 'true' };
  opened = await openFootnote(loadConfig({ folder, environment }));
  footnote = opened.forScope(localScope());
  await footnote.sources.put({ name: bundledSource, type: 'docs', connector: { kind: 'folder', path: corpus } });
  await footnote.sources.sync(bundledSource);
  bundled = new Set((await footnote.documents.list({ limit: 100 })).data.map(({ id }) => id));
  expect(bundled.size).toBeGreaterThan(3);
  // There is something that could be told, and whatever keeps answers has kept these.
  expect((await footnote.ask({ question: questions[0]! })).claims.length).toBeGreaterThan(0);
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

/** The bundled documents among all that was told, shown or listed. */
async function told(): Promise<string[]> {
  const found: string[] = [];
  for (const question of questions)
    for (const mode of modes) {
      found.push(...(await footnote.search({ query: question, mode, topK: 50 })).results.map((one) => one.documentId));
      for (const answer of [
        await footnote.ask({ question, mode }),
        await footnote.sessions.send(`talk-${mode}`, { content: question, mode }),
        await footnote.analyse({ kind: 'swot', subject: question, mode }),
      ])
        found.push(...[...answer.sources, ...answer.citations].map((one) => one.documentId));
    }
  found.push(...(await footnote.recommend({ limit: 20 })).map((one) => one.documentId));
  const [readDocument] = bundled;
  found.push(
    ...(await footnote.recommend({ readDocumentIds: [readDocument!], limit: 20 })).map((one) => one.documentId),
  );
  return found.filter((id) => bundled.has(id));
}

describe('the documents about Footnote', () => {
  it('are told while nothing else is in, and counted nowhere', async () => {
    expect((await told()).length).toBeGreaterThan(0);
    const [store] = await footnote.stores.list();
    expect(store).toMatchObject({ documents: 0, chunks: 0, coverage: 1 });
    expect(store?.vectors?.chunks).toBe(0);
    await footnote.documents.add({ text: 'The heron weighs 2 kilograms.', source: 'notes', uri: 'heron.txt' });
    await opened.settle('default');
    const [beside] = await footnote.stores.list();
    expect(beside).toMatchObject({ documents: 1, chunks: 1, coverage: 1 });
    expect(beside?.vectors?.chunks).toBe(1);
  });

  it('are silent beside a turn of the archive', async () => {
    await footnote.conversations.addTurns('solar', {
      messages: [{ role: 'user', text: 'I decided to postpone the solar panels.', timestamp: '2024-03-01T10:00:00Z' }],
    });
    expect(await told()).toEqual([]);
    const named = await footnote.search({ query: questions[0]!, sources: [bundledSource] });
    expect(named.results.length).toBeGreaterThan(0);
  });

  it('are silent beside a memory', async () => {
    const { id } = (await footnote.memories.add({ text: 'I prefer tea over coffee.', user: 'kim' })).memory;
    expect(await told()).toEqual([]);
    await footnote.memories.delete(id, { user: 'kim' });
    expect((await told()).length).toBeGreaterThan(0);
  });

  it('are silent beside a file of the request, and for that request alone', async () => {
    const workspace = [{ path: 'notes.md', text: 'The pump moves 90 litres a minute.\n' }];
    const question = questions[0]!;
    for (const mode of modes)
      for (const answer of [
        await footnote.ask({ question, workspace, mode }),
        await footnote.sessions.send(`files-${mode}`, { content: question, workspace, mode }),
      ])
        expect([...answer.sources, ...answer.citations].filter(({ documentId }) => bundled.has(documentId))).toEqual(
          [],
        );
    expect((await footnote.ask({ question })).claims.length).toBeGreaterThan(0);
  });
});
