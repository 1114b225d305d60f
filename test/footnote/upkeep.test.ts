// Sources that are kept fresh: by a schedule that survives restarts, by whoever declared them, and by a watch over their folder.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { type Clock, systemClock } from '../../src/core/ids.ts';
import { localScope, type Scope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { diskFolder } from '../../testkit/disk-folder.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let docs: string;
let nowMs: number;
let opened: OpenedFootnote;
let footnote: Footnote;
let warnings: string[];
const admin: Scope = { tenant: 'default', principal: { id: 'key:1', role: 'admin', groups: [] } };

async function open(): Promise<void> {
  const clock: Clock = { ...systemClock, now: () => new Date(nowMs).toISOString() };
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), SOURCE_ROOTS: docs };
  opened = await openFootnote(loadConfig({ folder, environment }), {
    clock,
    warn: (message) => warnings.push(message),
  });
  footnote = opened.forScope(localScope());
}
beforeEach(async () => {
  folder = await mkdtemp(join(diskFolder(), 'footnote-upkeep-'));
  docs = join(folder, 'docs');
  await mkdir(docs);
  await writeFile(join(docs, 'pump.md'), '# Pump\n\nThe pump moves 90 litres.\n');
  nowMs = Date.parse('2026-11-23T10:00:00Z');
  warnings = [];
  await open();
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

function later(minutes: number): void {
  nowMs += minutes * 60_000;
}
const documents = async (): Promise<number> => (await footnote.documents.list({ limit: 100 })).data.length;
/** Begins what is due and waits for its end. */
async function look(): Promise<readonly string[]> {
  const before = (await footnote.ingestions.list({ limit: 100 })).data.length;
  const begun = await opened.upkeep.look();
  await vi.waitFor(
    async () => {
      const ended = (await footnote.ingestions.list({ limit: 100 })).data.filter(({ state }) => state !== 'running');
      expect(ended).toHaveLength(before + begun.length);
    },
    { timeout: 60_000, interval: 20 },
  );
  return begun;
}

describe('a schedule', () => {
  const declare = (scope: Footnote, minutes = 30) =>
    scope.sources.put({
      name: 'docs',
      type: 'docs',
      connector: { kind: 'folder', path: docs },
      schedule: { everyMinutes: minutes },
    });

  it('reads a source when it is due, also after a restart', async () => {
    expect(await declare(footnote)).toMatchObject({ schedule: { everyMinutes: 30 }, authority: 2, ttlSeconds: 21_600 });
    expect(await look()).toEqual(['docs']);
    expect(await documents()).toBe(1);
    later(29);
    expect(await look()).toEqual([]);
    await opened.close();
    await open();
    expect(await look()).toEqual([]);
    later(1);
    await writeFile(join(docs, 'valve.md'), '# Valve\n\nThe valve closes at 6 bar.\n');
    expect(await look()).toEqual(['docs']);
    expect(await documents()).toBe(2);
    // Who adds a document or declares its type anew takes nothing of it away; who declares its place anew does.
    await footnote.sources.put({ name: 'docs', type: 'guide' });
    expect(await footnote.sources.get('docs')).toMatchObject({ type: 'guide', schedule: { everyMinutes: 30 } });
    await footnote.sources.put({ name: 'docs', type: 'docs', connector: { kind: 'folder', path: docs } });
    later(60);
    expect(await look()).toEqual([]);
  });

  it('reads as who declared it, and a failure is tried when it is due again', async () => {
    await declare(opened.forScope(admin));
    expect(await look()).toEqual(['docs']);
    expect(await documents()).toBe(1);
    await opened.close();
    await writeFile(join(docs, 'tide.md'), '# Tide\n\nThe tide turns at noon.\n');
    const environment = { FOOTNOTE_DATA: join(folder, 'data'), SOURCE_ROOTS: join(folder, 'elsewhere') };
    const clock: Clock = { ...systemClock, now: () => new Date(nowMs).toISOString() };
    opened = await openFootnote(loadConfig({ folder, environment }), {
      clock,
      warn: (message) => warnings.push(message),
    });
    footnote = opened.forScope(localScope());
    later(60);
    expect(await look()).toEqual([]);
    expect(warnings.join()).toMatch(/may not be read for this key/u);
    expect(await documents()).toBe(1);
    await declare(footnote);
    expect(await look()).toEqual(['docs']);
    expect(await documents()).toBe(2);
  });
});

it('a watched folder is read again when something in it changed, in new folders too', async () => {
  await footnote.sources.put({ name: 'docs', type: 'docs', connector: { kind: 'folder', path: docs }, watch: true });
  await expect(
    footnote.sources.put({
      name: 'x',
      type: 'web',
      connector: { kind: 'url', urls: ['https://a.example/'] },
      watch: true,
    }),
  ).rejects.toMatchObject({ code: 'invalid-request' });
  opened.upkeep.start();
  const until = (count: number) =>
    vi.waitFor(async () => expect(await documents()).toBe(count), { timeout: 60_000, interval: 50 });
  await until(1);
  await mkdir(join(docs, 'new'));
  await writeFile(join(docs, 'new', 'a.md'), '# A\n\nThe ferry leaves at nine.\n');
  await until(2);
  await writeFile(join(docs, 'new', 'b.md'), '# B\n\nThe heron weighs 2 kilograms.\n');
  await until(3);
  await rm(join(docs, 'new'), { recursive: true });
  await until(1);
});
