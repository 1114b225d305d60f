// What answers cite that is no document: a turn of the session and a file of the request are not gone because some document was deleted.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-kept-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  footnote = opened.forScope(localScope());
  await footnote.documents.add({ title: 'Ferry', text: 'The ferry to Corran leaves at noon.' });
  const [{ id } = { id: '' }] = await footnote.documents.add({ title: 'Old', text: 'The old ferry was sold.' });
  await footnote.documents.delete(id);
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

it('an answer over a file of its request keeps its words while a document was deleted a moment ago', async () => {
  const workspace = [{ path: 'notes.md', text: 'The harbour office opens at seven.' }];
  const answer = await footnote.ask({ question: 'When does the harbour office open?', workspace });
  expect(answer.answer).toContain('at seven');
  expect((await footnote.answers.get(answer.id)).answer).toBe(answer.answer);
});

it('an answer about the conversation keeps its words likewise', async () => {
  const session = await footnote.sessions.create({});
  await footnote.sessions.send(session.id, { content: 'When does the ferry to Corran leave?' });
  const answer = await footnote.sessions.send(session.id, { content: 'What did I ask before?' });
  expect(answer.citations.some(({ turnId }) => turnId !== undefined)).toBe(true);
  expect((await footnote.answers.get(answer.id)).answer).toBe(answer.answer);
});
