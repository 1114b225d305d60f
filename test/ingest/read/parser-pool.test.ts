import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { documentIdOf } from '../../../src/core/ids.ts';
import { createParserPool } from '../../../src/ingest/read/parser-pool.ts';
import { parserChildren } from '../../../testkit/parser-children.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Brackets that keep the Markdown parser busy for minutes, over lines that each look harmless. */
const slow = { name: 'slow.md', bytes: bytes(`# Slow\n\n${`${'[a]('.repeat(1000)}\n`.repeat(60)}`) };
const quick = { name: 'quick.md', bytes: bytes('# Title\n\nText.') };

const pools: ReturnType<typeof createParserPool>[] = [];
function pool(options: Parameters<typeof createParserPool>[0]): ReturnType<typeof createParserPool> {
  const created = createParserPool(options);
  pools.push(created);
  return created;
}
afterEach(async () => {
  await Promise.all(pools.splice(0).map((each) => each.close()));
});

describe('createParserPool', () => {
  it('parses in a child, more files than children', async () => {
    const parsers = pool({ size: 1 });
    const documents = await Promise.all([quick, quick, quick].map((input) => parsers.parse(input)));
    expect(documents.map((document) => document.title)).toEqual(['Title', 'Title', 'Title']);
  });

  it('passes on typed errors with their message', async () => {
    const parsers = pool({ size: 1 });
    await expect(parsers.parse({ name: 'a.md', bytes: bytes('') })).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('a.md is empty'),
    });
    expect((await parsers.parse(quick)).title).toBe('Title');
  });

  it('kills a child at the deadline, names the file, and goes on with the next', async () => {
    const parsers = pool({ size: 1 });
    // No child starts within a millisecond.
    const hung = parsers.parse({ name: 'slow.txt', bytes: bytes('text') }, { timeoutMs: 1 });
    const next = parsers.parse(quick);
    await expect(hung).rejects.toMatchObject({
      code: 'deadline-exceeded',
      message: expect.stringContaining('slow.txt'),
    });
    expect((await next).title).toBe('Title');
  });

  it('reads Markdown line by line after a missed deadline, and says so', { timeout: 60_000 }, async () => {
    const document = await pool({ size: 1 }).parse(slow, { timeoutMs: 16_000 });
    expect(document.title).toBe('Slow');
    expect(document.warnings).toEqual([expect.stringContaining('line by line')]);
    expect(document.blocks.map(({ kind }) => kind)).toEqual(['heading', 'paragraph']);
  });

  it('turns the death of a child into an error of the file', async () => {
    const parsers = pool({ size: 1, heapMiB: 48 });
    const arrays = `[${'[],'.repeat(3_000_000)}0]`;
    await expect(parsers.parse({ name: 'big.json', bytes: bytes(arrays) })).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('big.json made its parser run out of memory'),
    });
  });

  it.runIf(process.platform === 'linux')('holds little itself, so that the files have the memory', async () => {
    const parsers = pool({ size: 1 });
    // Other files of tests that ran in this process share parsers, which are at rest.
    const others = new Set(parserChildren(process.pid).map(({ pid }) => pid));
    // What each loads: tokens and fingerprints, the parsers of Markdown and web pages, n-grams of languages.
    const unclear = 'Kvar dag var ho ute ved elva; nokon sa at oteren kom att kvar vår. '.repeat(4);
    const chunking = { maxTokens: 1000, overlapTokens: 100, minTokens: 100 };
    for (const name of ['a.md', 'b.html', 'c.csv', 'd.txt'])
      await parsers.cut({ name, bytes: bytes(unclear) }, { chunking, documentId: 'doc_1', name });
    const [child] = parserChildren(process.pid).filter(({ pid }) => !others.has(pid));
    // 125 MiB; 330 with the tables of tokens and n-grams as their packages load them.
    expect(child?.peakMiB).toBeLessThan(220);
  });

  it('blames no file for what the ones before it left behind', async () => {
    const parsers = pool({ size: 1, memoryMiB: 64 });
    // A process that has read the first one holds more than it may: the second is given to a new one, where it fits as little.
    // It is long, so that the watch looks while it is read, however busy the machine is.
    const long = bytes('const a = 1;\n'.repeat(50_000));
    await expect(parsers.parse({ name: 'first.ts', bytes: long })).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('64 MiB'),
    });
    expect((await pool({ size: 1, memoryMiB: 400 }).parse(quick)).title).toBe('Title');
  });

  it('reads a file again in a new process that dies in one that had worked, and once only', async () => {
    const entry = fileURLToPath(new URL('../sandbox-probe-child.ts', import.meta.url));
    const parsers = pool({ size: 1, entry });
    const ask = async (name: string, job: string): Promise<string> =>
      (await parsers.parse({ name, bytes: bytes(job) })).text;
    expect(await ask('first.txt', 'jobs')).toBe('job 1');
    expect(await ask('second.txt', 'jobs')).toBe('job 2');
    // It would be the third job of this process, which dies of it; a new one reads it.
    expect(await ask('third.txt', 'first-job')).toBe('first');
    expect(await ask('fourth.txt', 'jobs')).toBe('job 2');
    // A file of which every process dies costs this one and a new one, and is to blame.
    await expect(ask('deadly.txt', 'die')).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('deadly.txt made its parser stop (exit code 7)'),
    });
    expect(await ask('next.txt', 'jobs')).toBe('job 1');
  });

  it('cancels what waits and what runs', async () => {
    const parsers = pool({ size: 1 });
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = parsers.parse(slow, { signal: running.signal });
    const second = parsers.parse(quick, { signal: waiting.signal });
    waiting.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    running.abort();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    await expect(parsers.parse(quick, { signal: running.signal })).rejects.toMatchObject({ code: 'cancelled' });
    expect((await parsers.parse(quick)).title).toBe('Title');
  });

  it('finds the line on which a child dies, and reads the others', { timeout: 90_000 }, async () => {
    const parsers = pool({ size: 1, heapMiB: 48 });
    const line = (id: string, more = ''): string => `{"id":"${id}","text":"Text of ${id}."${more}}`;
    const deadly = line('a', `,"x":[${'[],'.repeat(3_000_000)}0]`);
    const lines = bytes([deadly, line('b'), 'no json'].join('\n'));
    const job = { bytes: lines, firstLine: 11, lineCount: 3, source: 's', fileUri: 'x.jsonl' };
    expect(await parsers.readLines(job)).toMatchObject([
      {
        lineNumber: 11,
        code: 'too-large',
        fault: expect.stringContaining('Line 11 made its parser run out of memory'),
      },
      { lineNumber: 12, id: 'b', hasText: true },
      { lineNumber: 13, fault: expect.stringContaining('Line 13: not a JSON object') },
    ]);
    expect(await parsers.readLines({ ...job, only: [12] })).toMatchObject([{ lineNumber: 12, id: 'b' }]);
  });

  it('cuts the lines of a run, each under the id that it will most likely get', async () => {
    const lines = bytes('{"id":"a","text":" Text of a. "}\n{"text":"","title":"Only a title"}\n{"id":"c","text":" "}');
    const reply = await pool({ size: 1 }).readLines({
      bytes: lines,
      firstLine: 1,
      lineCount: 3,
      source: 's',
      fileUri: 'x.jsonl',
      chunking: { maxTokens: 1000, overlapTokens: 100, minTokens: 100 },
    });
    expect(reply).toMatchObject([
      { id: 'a', cut: { documentId: 'a', text: ' Text of a. ', chunks: [{ start: 1, end: 11, ordinal: 0 }] } },
      { cut: { documentId: documentIdOf('s', 'x.jsonl#line-2'), text: 'Only a title', title: 'Only a title' } },
      { id: 'c', hasText: false },
    ]);
    expect(reply[2]).not.toHaveProperty('cut');
  });

  it('cuts a file where it was parsed', { timeout: 60_000 }, async () => {
    const parsers = pool({ size: 1 });
    const chunking = { maxTokens: 8, overlapTokens: 0, minTokens: 1 };
    const cut = await parsers.cut(quick, { chunking, documentId: 'doc_1', name: quick.name });
    expect(cut).toMatchObject({ text: '# Title\n\nText.', title: 'Title', documentId: 'doc_1', isOriginal: true });
    expect(cut.chunks.map(({ start, end }) => cut.text.slice(start, end)).join(' ')).toContain('Text.');
  });

  it('refuses files over the limit without starting a child, and everything once closed', async () => {
    const parsers = pool({ maxBytes: 10 });
    await expect(parsers.parse(quick)).rejects.toMatchObject({ code: 'too-large' });
    await parsers.close();
    await expect(parsers.parse(quick)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
