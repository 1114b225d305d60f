// What admins see of traces: no memory that somebody else told, in whatever it was written into; the owner of the machine sees and replays all.
// And what is exported of a session can be taken in again.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { mostTraceFileBytes } from '../../src/core/trace-file.ts';
import { startFakeOpenAI } from '../../src/testing/index.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
let close: () => Promise<unknown>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-trace-privacy-'));
  const fake = await startFakeOpenAI(() => '{"claims": [], "insufficient": true}');
  close = () => fake.close();
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), ENABLE_SEMANTIC_MEMORY: 'true', ...fake.environment };
  opened = await openFootnote(loadConfig({ folder, environment }));
});
afterEach(async () => {
  await opened.close();
  await close();
  await rm(folder, { recursive: true });
});
const keyed = (id: string) => opened.forScope({ tenant: 'default', principal: { id, role: 'admin', groups: [] } });

it('an admin reads no memory of another key in a trace, and the owner does', async () => {
  const ada = keyed('key:ada');
  await ada.documents.add({ uri: 'a.md', text: 'The clinic of the town is open on Monday.' });
  await ada.memories.add({ text: 'My clinic is "Weissbach" of the town.' });
  const { traceId } = await ada.ask({ question: 'Which clinic of the town is mine?' });
  const owner = opened.forScope(localScope());
  const whole = JSON.stringify(await owner.traces.get(traceId));
  expect(whole).toContain('Weissbach');
  const other = keyed('key:bo');
  for (const seen of [await other.traces.get(traceId), await other.traces.export(traceId)]) {
    expect(JSON.stringify(seen)).not.toContain('Weissbach');
    expect(JSON.stringify(seen)).toContain('withheld: a memory of somebody else');
  }
  expect(await owner.traces.replay(traceId)).toMatchObject({ same: true });
  expect(JSON.stringify(await other.traces.replay(traceId))).not.toContain('Weissbach');
  await ada.sessions.send('of-ada', { content: 'What do you know about me?' });
  const [said] = await other.sessions.turns('of-ada');
  const [own] = await ada.sessions.turns('of-ada');
  expect(own?.answer.citations[0]?.quote).toContain('Weissbach');
  for (const seen of [said?.answer, await other.answers.get(said?.answer.id ?? '')]) {
    expect(seen?.citations).toHaveLength(1);
    expect(JSON.stringify(seen)).not.toContain('Weissbach');
  }
  const repeated = await ada.ask({ question: 'Is it so? My clinic is "Weissbach" of the town.' });
  const { data } = await other.traces.list({});
  expect(data.map(({ id }) => id)).toContain(repeated.traceId);
  expect(data.find(({ id }) => id === traceId)?.question).toBe('Which clinic of the town is mine?');
  expect(JSON.stringify(data)).not.toContain('Weissbach');
});

it('a session is exported so that it can be taken in again, or says what to do', async () => {
  const owner = opened.forScope(localScope());
  const file = (id: string, characters: number) => ({
    format: 'footnote-trace' as const,
    version: 1,
    exportedAt: '2026-11-28T00:00:00.000Z',
    program: 'x',
    id,
    traces: [
      {
        trace: {
          id,
          kind: 'ask' as const,
          sessionId: 'ses_large',
          startedAt: '2026-11-28T00:00:00.000Z',
          totalMs: 1,
          eventCount: 1,
        },
        events: [
          {
            seq: 1,
            atMs: 0,
            event: {
              type: 'request' as const,
              kind: 'ask' as const,
              body: { question: 'x'.repeat(characters) },
              at: '2026-11-28T00:00:00.000Z',
              version: 1,
            },
          },
        ],
      },
    ],
  });
  for (const id of ['trc_1', 'trc_2', 'trc_3']) await owner.traces.import(file(id, mostTraceFileBytes / 2.5));
  await expect(owner.traces.export('ses_large')).rejects.toMatchObject({
    code: 'too-large',
    message: expect.stringContaining('one by one'),
  });
  const one = await owner.traces.export('trc_1');
  expect(Buffer.byteLength(JSON.stringify(one))).toBeLessThan(mostTraceFileBytes);
}, 120_000);
