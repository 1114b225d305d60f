// The archive at the terminal: an export in by its command and by ingest, a histogram, a turn, an answer, and a conversation gone; on the folder
// itself and through a server that owns it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatGptExport, chatGptNode } from '../../testkit/archive-fixture.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
  const said = (role: string, text: string, at: string) => ({ role, text, at: Date.parse(at) / 1000 });
  const nodes = [
    chatGptNode('root', null),
    chatGptNode('u1', 'root', said('user', 'Do solar panels fit a steep roof?', '2024-03-01T10:00:00Z')),
    chatGptNode('a1', 'u1', said('assistant', 'Solar panels fit roofs up to 60 degrees.', '2024-03-01T10:00:09Z')),
    chatGptNode('u2', 'a1', said('user', 'We decided on twelve solar panels.', '2024-05-11T10:00:00Z')),
  ];
  await writeFile(join(place.folder, 'conversations.json'), JSON.stringify([chatGptExport('roof', nodes, 'u2')]));
});
afterEach(() => place.remove());

async function walk(): Promise<void> {
  const imported = await place.run(['import', 'chatgpt', 'conversations.json']);
  expect([imported.code, imported.out]).toEqual([
    0,
    '1 conversation (chatgpt): 2 turns added, 0 updated, 0 unchanged.\n',
  ]);
  // What ingest meets of it is the same export, and no document.
  const met = await place.run(['ingest', 'conversations.json', '--json']);
  expect(met.json().files).toMatchObject([{ imported: { format: 'chatgpt', turns: { created: 0, unchanged: 2 } } }]);
  const peek = await place.run(['peek', 'solar panels', '--bin', 'month']);
  expect(peek.out).toContain('2 of 2 turns');
  expect(peek.out).toMatch(/^2024-03 +1 +█+.*peak/m);
  expect(peek.out).toMatch(/^2024-04 +0$/m);
  expect((await place.run(['turn', 'u1', '--around', '1', '--json'])).json()).toMatchObject({
    messages: [{ role: 'user' }, { text: 'Solar panels fit roofs up to 60 degrees.' }],
    next: [{ turn_id: 'u2' }],
  });
  const chat = await place.run(['chat', 'How many solar panels did we decide on?', '--steps']);
  expect(chat.err).toMatch(/a look at everything: \d+ hits?[^\n]*\n {2}\d{4}[^\n]*█/u);
  expect(chat.err).toContain('reads ');
  expect(chat.out).toContain('On 11 May 2024, you said: “We decided on twelve solar panels.” [1]');
  expect(chat.err).toContain('a look at everything');
  const missing = await place.run(['import', 'auto', 'nothing.json']);
  expect(missing.code).not.toBe(0);
  expect(missing.err).toContain('nothing.json');
  expect((await place.run(['conversations', 'remove', 'roof'])).code).toBe(0);
  expect((await place.run(['conversations', 'list', '--json'])).json()).toEqual([]);
}

describe('the archive at the terminal', () => {
  it('goes from an export to an answer', () => walk(), 300_000);

  it('does so through a server that owns the folder', async () => {
    const server = await place.serve();
    try {
      await walk();
    } finally {
      await server.stop();
    }
  }, 300_000);
});
