// Files that are sent to be read in a run: whoever sent them goes, and each is told of with its reason, in the list of runs and after a restart.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { randomIds, systemClock } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import type { TenantRecord } from '../../src/db/tenant-record.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { createAddingRuns } from '../../src/footnote/handle/adding-runs.ts';
import { createIngestionRuns } from '../../src/footnote/handle/ingestion-runs.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;
const open = async (): Promise<void> => {
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  footnote = opened.forScope(localScope());
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-adding-'));
  await open();
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

const file = (name: string, text: string) => ({ name, mime: '', bytes: new TextEncoder().encode(text) });
const lock = file('lock.md', '# Lock\n\nThe lock opens at nine.\n');

async function ended(id: string) {
  for await (const run of footnote.ingestions.watch(id)) if (run.state !== 'running') return run;
  return footnote.ingestions.get(id);
}

describe('files that are read in a run', () => {
  it('are listed as one, each with what became of it', async () => {
    await footnote.documents.add({ source: 'port', uri: 'old.md', text: 'The crane is red.' });
    const files = [lock, file('old.md', 'The crane is blue.'), file('broken.pdf', '%PDF-1.7 nothing')];
    const run = await footnote.ingestions.start({ source: 'port', metadata: { berth: 4 } }, files);
    expect(run).toMatchObject({ source: 'port', state: 'running' });
    expect(await ended(run.id)).toMatchObject({ state: 'done', counts: { found: 3, done: 2, failed: 1 } });
    const told = (await footnote.ingestions.files(run.id, {})).data;
    expect(told.map(({ uri, state, change }) => [uri, state, change])).toEqual([
      ['broken.pdf', 'failed', undefined],
      ['lock.md', 'done', 'added'],
      ['old.md', 'done', 'changed'],
    ]);
    expect(told[0]?.error).toMatchObject({ code: 'invalid-media' });
    expect((await footnote.documents.get(told[1]?.documentId ?? '')).metadata).toMatchObject({ berth: 4 });
    await opened.close();
    await open();
    expect((await footnote.ingestions.list({})).data.map(({ id, state }) => [id, state])).toEqual([[run.id, 'done']]);
  });

  it('are unchanged when they come again, and two such runs of a source go at once', async () => {
    const runs = await Promise.all([footnote.ingestions.start({}, [lock]), footnote.ingestions.start({}, [lock])]);
    const states = await Promise.all(runs.map(async ({ id }) => (await ended(id)).counts));
    expect(states.map(({ done, unchanged }) => done + unchanged)).toEqual([1, 1]);
    expect(
      (await footnote.documents.list({ filter: { op: 'eq', field: 'source', value: 'uploads' } })).data,
    ).toHaveLength(1);
  });

  it('of a run that is cancelled are not read any more', async () => {
    const many = Array.from({ length: 40 }, (_, at) => file(`${at}.md`, `# Berth ${at}\n\nIt is ${at} metres deep.\n`));
    const run = await footnote.ingestions.start({}, many);
    await footnote.ingestions.cancel(run.id);
    const { state, counts } = await footnote.ingestions.get(run.id);
    expect(state).toBe('cancelled');
    expect(counts.done).toBeLessThan(many.length);
    // What they held is given back: as much again may wait.
    const again = await footnote.ingestions.start({}, many);
    expect(await ended(again.id)).toMatchObject({ state: 'done' });
  });

  it('are refused where what waits would be too much, and not when nothing waits', async () => {
    const large = { name: 'large.bin', mime: '', bytes: new Uint8Array(200 * 1024 * 1024) };
    const begun = footnote.ingestions.start({}, [large]);
    await expect(footnote.ingestions.start({}, [large])).rejects.toMatchObject({ code: 'rate-limited' });
    expect(await ended((await begun).id)).toMatchObject({ counts: { failed: 1 } });
    expect(await ended((await footnote.ingestions.start({}, [large])).id)).toMatchObject({ counts: { failed: 1 } });
  });

  it('are not begun, and wait no more, where the run cannot be written down', async () => {
    const full = new FootnoteError('storage-full', 'The disk is full.');
    const record = {
      scope: localScope(),
      ingestions: { put: () => Promise.reject(full) },
    } as unknown as TenantRecord;
    const runs = createIngestionRuns(systemClock, randomIds);
    const start = createAddingRuns({ record, runs, clock: systemClock }, () => Promise.reject(full));
    const large = { name: 'large.bin', mime: '', bytes: new Uint8Array(200 * 1024 * 1024) };
    for (let time = 0; time < 3; time++) await expect(start({}, [large])).rejects.toThrow(full);
  });

  it('end as failed, with the reason, where what became of them cannot be written down', async () => {
    const away = new FootnoteError('storage-busy', 'The database is away.');
    const record = {
      scope: localScope(),
      ingestions: { put: async () => undefined, putFiles: () => Promise.reject(away) },
    } as unknown as TenantRecord;
    const runs = createIngestionRuns(systemClock, randomIds);
    const gate = Promise.withResolvers<never>();
    const start = createAddingRuns({ record, runs, clock: systemClock }, () => gate.promise);
    const { id } = await start({}, [lock]);
    const run = runs.find('default', id);
    gate.reject(new FootnoteError('invalid-media', 'It is broken.'));
    expect(await run?.finished).toMatchObject({ state: 'failed', error: { code: 'storage-busy' } });
  });

  it('are told, while they are read and later, to whoever may see them', async () => {
    const scope = localScope();
    const as = (role: 'reader' | 'writer', id: string) =>
      opened.forScope({ ...scope, principal: { id, role, groups: [] } }).ingestions;
    const broken = file('bonus.pdf', '%PDF-1.7 nothing');
    const { id } = await footnote.ingestions.start({ access: ['board'] }, [broken, file('pay.md', '# Pay\n\nMuch.\n')]);
    await expect(as('reader', 'board').get(id)).rejects.toMatchObject({ code: 'not-found' });
    await ended(id);
    await expect(as('reader', 'board').get(id)).rejects.toMatchObject({ code: 'not-found' });
    const seen = async (who: string) => (await as('writer', who).files(id, {})).data.map(({ uri }) => uri);
    expect(await seen('board')).toEqual(['bonus.pdf', 'pay.md']);
    expect(await seen('other')).toEqual([]);
  });

  it('of an address are of the source that its page goes to, and told by it where the visit failed', async () => {
    const start = (url: string, calls = footnote) => calls.ingestions.start({ url }, []);
    const run = await start('http://127.0.0.1:9/crane?utm_source=x#top');
    expect(run.source).toBe('web');
    expect(await ended(run.id)).toMatchObject({ state: 'done', counts: { failed: 1 } });
    const nowhere = await start('nowhere');
    await ended(nowhere.id);
    const secret = await start('https://user:hunter2@example.org/a');
    await ended(secret.id);
    const told = async ({ id }: { id: string }) => (await footnote.ingestions.files(id, {})).data.map(({ uri }) => uri);
    expect(await told(run)).toEqual(['http://127.0.0.1:9/crane']);
    expect(await told(nowhere)).toEqual(['nowhere']);
    expect(String(await told(secret))).toMatch(/example\.org\/a$/u);
    expect(String(await told(secret))).not.toContain('hunter2');
    const scope = localScope();
    const limited = (source: string) =>
      opened.forScope({ ...scope, principal: { ...scope.principal, sources: [source] } });
    await expect(start('nowhere', limited('uploads'))).rejects.toMatchObject({ code: 'forbidden' });
    expect(await start('nowhere', limited('web'))).toMatchObject({ source: 'web' });
  });

  it('stay out of sources that are not of the key', async () => {
    const scope = localScope();
    const limited = opened.forScope({ ...scope, principal: { ...scope.principal, sources: ['port'] } });
    await expect(limited.ingestions.start({}, [lock])).rejects.toMatchObject({ code: 'forbidden' });
    expect((await footnote.ingestions.list({})).data).toEqual([]);
  });
});
