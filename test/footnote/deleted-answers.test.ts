// An answer that its asker erases is gone with its trace and what it rested on, whoever asks for it; what belongs to a session goes with that alone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope, type Scope } from '../../src/core/scope.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
const open = () => openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-deleted-answers-'));
  opened = await open();
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

const readerOf = (id: string): Scope => ({ tenant: 'default', principal: { id, role: 'reader', groups: [] } });
const question = 'When was the tower of Sines built?';

it('erases an answer with its trace, for its asker alone, and for good', async () => {
  const text = 'The tower of Sines was built in 1880 by Ana Reis.';
  const [added] = await opened.forScope(localScope()).documents.add({ text, uri: 'tower.md' });
  const documentId = added?.id ?? '';
  const [footnote, other] = [readerOf('key:one'), readerOf('key:two')].map((scope) => opened.forScope(scope));
  if (!footnote || !other) throw new Error('There is no reader.');
  const answer = await footnote.ask({ question });
  const stays = await footnote.ask({ question });
  await expect(other.answers.delete(answer.id)).rejects.toMatchObject({ code: 'not-found' });
  expect(await footnote.answers.get(answer.id)).toMatchObject({ id: answer.id });

  await footnote.answers.delete(answer.id);
  for (const again of ['now', 'reopened']) {
    const reader = opened.forScope(readerOf('key:one'));
    await expect(reader.answers.get(answer.id), again).rejects.toMatchObject({ code: 'not-found' });
    await expect(reader.traces.get(answer.traceId), again).rejects.toMatchObject({ code: 'not-found' });
    await expect(reader.answers.delete(answer.id), again).rejects.toMatchObject({ code: 'not-found' });
    expect((await reader.answers.using({ documentId }, {})).data.map(({ answerId }) => answerId)).toEqual([stays.id]);
    expect((await reader.traces.get(stays.traceId)).trace.id).toBe(stays.traceId);
    if (again === 'reopened') continue;
    await opened.close();
    opened = await open();
  }
});

it('leaves the answer of a turn to its session', async () => {
  const footnote = opened.forScope(localScope());
  const { id } = await footnote.sessions.send('talk', { content: question });
  await expect(footnote.answers.delete(id)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('talk') as string,
  });
  await footnote.sessions.delete('talk');
  await expect(footnote.answers.get(id)).rejects.toMatchObject({ code: 'not-found' });
});
