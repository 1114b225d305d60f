// A store dies under a running server: within a minute the metrics (of which the alerts are made) and the health of stores say which part of
// search it is, and what that costs the requests.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { localScope } from '../../src/core/scope.ts';
import { createMemoryStores } from '../../testkit/memory-store.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
let isDown = false;
const memory = createMemoryStores({ name: 'cloud', ownPieces: true });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-leg-down-'));
  const environment = { FOOTNOTE_DATA: join(folder, 'data') };
  opened = await openFootnote(loadConfig({ folder, environment }), {
    withTelemetry: true,
    stores: [
      {
        name: 'cloud',
        open(scope) {
          const store = memory.store(scope);
          const guarded =
            <Call extends unknown[], Result>(call: (...given: Call) => Promise<Result>) =>
            async (...given: Call): Promise<Result> => {
              if (isDown) throw new FootnoteError('upstream-unavailable', 'The cloud is down.');
              return call(...given);
            };
          return { ...store, search: guarded(store.search), health: guarded(store.health) };
        },
        asked: { kind: 'vector', modes: ['vector', 'hybrid'] },
      },
    ],
  });
  await opened
    .forScope(localScope())
    .documents.add({ uri: 'heron.md', text: 'The heron of the river waits for fish.' });
  await opened.settle('default');
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

async function searches(count: number) {
  const footnote = opened.forScope(localScope());
  const found = [];
  for (let n = 0; n < count; n += 1) found.push(await footnote.search({ query: 'heron river', mode: 'hybrid' }));
  return found;
}

it('is told by metrics and the state of stores, with the leg and its cost, and by nothing before', async () => {
  await searches(4);
  const before = (await opened.telemetry?.text()) ?? '';
  expect(before).toContain('footnote_store_up{store="cloud"} 1');
  expect(before).toMatch(/footnote_leg_duration_count\{leg="store\.cloud"\} 4/u);
  expect(before).not.toContain('error_type="upstream-unavailable"');

  isDown = true;
  const diedAt = performance.now();
  const found = await searches(6);
  // The others serve, and each says that this one did not.
  for (const { results, degraded } of found) {
    expect(results.length).toBeGreaterThan(0);
    expect(degraded.map(({ component }) => component)).toContain('cloud');
  }
  let text = '';
  for (;;) {
    text = (await opened.telemetry?.text()) ?? '';
    if (text.includes('footnote_store_up{store="cloud"} 0') || performance.now() - diedAt > 60_000) break;
    await wait(250);
  }
  expect(text).toContain('footnote_store_up{store="cloud"} 0');
  expect(text).toContain('footnote_store_up{store="embedded"} 1');
  expect(text).toMatch(/footnote_leg_duration_count\{leg="store\.cloud",error_type="[\w-]+"\} \d/u);
  expect(text).toMatch(/footnote_degraded_total\{component="cloud",code="[\w-]+"\} 6/u);
  const store = (await opened.forScope(localScope()).stores.list()).find(({ name }) => name === 'cloud');
  expect(store).toMatchObject({ status: 'down', detail: 'The cloud is down.' });
});
