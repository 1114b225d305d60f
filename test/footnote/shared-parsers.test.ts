// Parsers that several Footnotes share: none starts a process where another has left one, and closing one ends what is under way for it alone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { CuttingPool, LinkReader } from '../../src/ingest/read/parse.ts';
import { leaseOf, openFootnote } from '../../testkit/open-footnote.ts';
import { parserChildren } from '../../testkit/parser-children.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-shared-parsers-'));
  folders.push(folder);
  return openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
}

const children = (): number[] => parserChildren(process.pid).map(({ pid }) => pid);

it.skipIf(process.platform !== 'linux')('are there when the next Footnote is opened', async () => {
  const seen: number[][] = [];
  for (const name of ['heron', 'crane', 'egret']) {
    const opened = await open();
    const { documents } = opened.forScope(localScope());
    await documents.add({
      text: `# The ${name}\n\nThe ${name} waits.\n`,
      uri: `${name}.md`,
    });
    seen.push(children());
    await opened.close();
  }
  expect(seen[0]?.length).toBeGreaterThan(0);
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
});

it('end what is under way for the one that is closed, and go on for the others', async () => {
  /** Parses until it is told to stop. */
  const endless = (_: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise<never>((_resolve, reject) => {
      if (signal?.aborted) reject(signal.reason as Error);
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const pool = { parse: endless } as unknown as CuttingPool & LinkReader;
  const [one, other] = [leaseOf(pool), leaseOf(pool)];
  const file = { name: 'a.md', bytes: new Uint8Array() };
  const under = one.parse(file);
  let isOver = false;
  const beside = other.parse(file).finally(() => {
    isOver = true;
  });
  await Promise.all([expect(under).rejects.toMatchObject({ code: 'cancelled' }), one.close()]);
  expect(isOver).toBe(false);
  await expect(one.parse(file)).rejects.toMatchObject({ code: 'cancelled' });
  await Promise.all([expect(beside).rejects.toMatchObject({ code: 'cancelled' }), other.close()]);
});
