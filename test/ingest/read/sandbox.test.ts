import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../../src/core/document.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { type ParserProcess, startParserProcess } from '../../../src/ingest/read/parser-process.ts';
import { usageOf, waitedOf } from '../../../src/ingest/read/process-usage.ts';
import { sandboxed } from '../../../src/ingest/read/sandbox.ts';

const entry = fileURLToPath(new URL('../sandbox-probe-child.ts', import.meta.url));
const stopped = new FootnoteError('cancelled', 'The test is over.');
let folder = '';
const running: ParserProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-sandbox-'));
  await writeFile(join(folder, 'secret.txt'), 'secret');
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.end(stopped)));
});

const restricted = /^refused: .*Access to this API has been restricted/;

function probe(hardMemoryMiB = 256): ParserProcess {
  const started = startParserProcess({
    entry,
    memoryMiB: 256,
    hardMemoryMiB,
    heapMiB: 128,
    readable: [`${fileURLToPath(new URL('.', import.meta.url))}`],
    onEnd: () => undefined,
  });
  running.push(started);
  return started;
}

async function outcomeOf(
  what: string,
  value: string | number = '',
  { on = probe(), timeoutMs = 120_000 }: { readonly on?: ParserProcess; readonly timeoutMs?: number } = {},
): Promise<string> {
  const input = { name: what, bytes: new TextEncoder().encode(`${what}\n${value}`) };
  const outcome = await on.ask(
    { kind: 'parse', input, quick: false },
    { name: what, timeoutMs, maxTimeoutMs: 4 * timeoutMs },
  );
  if (outcome instanceof FootnoteError) return `${outcome.code}: ${outcome.message}`;
  return (outcome.value as ParsedDocument).text;
}

const { execPath, execArgv } = sandboxed({ memoryMiB: 256, heapMiB: 128 });
const command = [execPath, ...execArgv].join(' ');

describe('the sandbox of parsers', () => {
  it('gives no files but the program, no writing, no programs, no environment', async () => {
    const on = probe();
    expect(await outcomeOf('read', join(folder, 'secret.txt'), { on })).toMatch(restricted);
    expect(await outcomeOf('read', '/etc/passwd', { on })).toMatch(restricted);
    expect(await outcomeOf('read', entry, { on })).toMatch(/^read \d+ bytes$/);
    expect(await outcomeOf('write', join(folder, 'new.txt'), { on })).toMatch(restricted);
    expect(existsSync(join(folder, 'new.txt'))).toBe(false);
    expect(await outcomeOf('spawn', '', { on })).toMatch(restricted);
    expect(JSON.parse(await outcomeOf('environment', '', { on }))).not.toContain('PATH');
  });

  it('gives no network: refused in the process, and by the system where that has namespaces', async () => {
    const server = createServer((_, response) => response.end('ok'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      // The door is open from here.
      const open = await new Promise((resolve) => connect(port, '127.0.0.1', () => resolve('connected')));
      expect(open).toBe('connected');
      const on = probe();
      if (command.includes('--net')) {
        expect(await outcomeOf('connect', port, { on })).toMatch(/refused: .*(ENETUNREACH|ECONNREFUSED)/);
        expect(await outcomeOf('fetch', `http://127.0.0.1:${port}/`, { on })).toMatch(/^refused/);
      }
      expect(await outcomeOf('connect-locked', port, { on })).toContain('Parsers have no network');
      expect(await outcomeOf('fetch', `http://127.0.0.1:${port}/`, { on })).toContain('Parsers have no network');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('comes after whoever is served meanwhile', async () => {
    expect(await outcomeOf('priority')).toBe(`niceness ${getPriority() + 5}`);
  });

  it.runIf(process.platform === 'linux')('kills who takes too much memory, in buffers too, and says so', async () => {
    expect(await outcomeOf('buffers', 64, { on: probe(2048) })).toMatch(/^too-large: .*256 MiB of memory/);
  });

  it.runIf(command.includes('--data='))('lets nobody take it faster than the watch looks', async () => {
    const on = probe();
    const outcome = await outcomeOf('buffers-at-once', 32, { on });
    expect(outcome).toMatch(/^(refused: RangeError|too-large|invalid-media)/);
  });

  it.runIf(process.platform === 'linux')('kills who computes too long before the wall clock is up', async () => {
    const on = probe();
    await outcomeOf('wait', 1, { on });
    expect(await outcomeOf('spin', 20_000, { on, timeoutMs: 2000 })).toMatch(/^deadline-exceeded: spin was given up/);
  });

  it('kills who does nothing at the deadline, and gives more time to who reports progress, up to a cap', async () => {
    const [idle, busy, endless] = [probe(), probe(), probe()];
    await Promise.all([idle, busy, endless].map((on) => outcomeOf('wait', 1, { on })));
    expect(await outcomeOf('wait', 60_000, { on: idle, timeoutMs: 500 })).toMatch(/^deadline-exceeded/);
    expect(idle.isAlive()).toBe(false);
    expect(await outcomeOf('progress', 40, { on: busy, timeoutMs: 3000 })).toBe('progressed');
    expect(await outcomeOf('progress', 600, { on: endless, timeoutMs: 700 })).toMatch(/given up after (?:[2-9]|\d{2})/);
  });

  it('tells the death of a process from everything else', async () => {
    const on = probe();
    expect(await outcomeOf('exit', '', { on })).toMatch(/^invalid-media: .*exit code 7/);
    expect(on.isAlive()).toBe(false);
  });
});

describe('usageOf', () => {
  it.runIf(process.platform === 'linux')('tells memory and processor time of a process, and nothing of none', () => {
    const usage = usageOf(process.pid);
    expect(usage?.residentMiB).toBeGreaterThan(20);
    expect(usage?.cpuMs).toBeGreaterThan(0);
    expect(waitedOf(process.pid)).toBeGreaterThanOrEqual(0);
    expect(waitedOf(undefined)).toBe(0);
    expect(usageOf(undefined)).toBeUndefined();
  });
});
