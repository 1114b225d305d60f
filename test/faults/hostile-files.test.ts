// Files made to hurt, given to the real parsers in their real sandbox (G25): each ends in time, in memory and with a typed error or a
// document, and each cause has words of its own. The bench (npm run bench hostile-files) measures the same through the server.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileFiles } from '../../packages/readers/testkit/hostile-files.ts';
import { toFootnoteError } from '../../src/core/errors.ts';
import type { CuttingPool } from '../../src/ingest/read/parse.ts';
import { createParserPool } from '../../src/ingest/read/parser-pool.ts';
import { watchMemory } from '../../testkit/parser-children.ts';
import { sharedData } from '../../testkit/shared-data.ts';

const plan = { chunking: { maxTokens: 1000, overlapTokens: 100, minTokens: 100 }, documentId: 'doc_1' };
const limits = { maxFiles: 10_000, maxFileBytes: 100 * 1024 * 1024, maxTotalBytes: 1024 * 1024 * 1024 };
/** Limits of the promise are 20 s and 512 MiB; a busy machine may take longer to end a process than to decide it. */
const patienceMs = 120_000;

let pool: CuttingPool;
beforeAll(() => {
  pool = createParserPool({ size: 2 });
});
afterAll(() => pool.close());

interface Seen {
  readonly code: string;
  readonly message: string;
}

async function read(name: string, bytes: Uint8Array): Promise<Seen> {
  try {
    const cut = await pool.cut({ name, bytes }, { ...plan, name });
    return { code: 'read', message: `${cut.text.length} characters` };
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (!('archive' in error.details)) return { code: error.code, message: error.message };
  }
  try {
    let files = 0;
    for await (const some of pool.unpack({ name, bytes }, limits)) files += some.length;
    return { code: 'read', message: `${files} files` };
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    return { code: error.code, message: error.message };
  }
}

const typed = new Set(['read', 'invalid-media', 'unsupported-media', 'too-large', 'deadline-exceeded']);

async function readAll(files: readonly { name: string; bytes: () => Uint8Array }[]): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  const untyped: string[] = [];
  const late: string[] = [];
  for (const { name, bytes } of files) {
    const begun = performance.now();
    const outcome = await read(name, bytes());
    if (!typed.has(outcome.code)) untyped.push(`${name}: ${outcome.code} ${outcome.message}`);
    if (performance.now() - begun > patienceMs) late.push(`${name}: ${Math.round(performance.now() - begun)} ms`);
    seen.set(name, outcome);
  }
  expect(untyped).toEqual([]);
  expect(late).toEqual([]);
  return seen;
}

const sharedFiles = (...parts: string[]): readonly { name: string; bytes: () => Uint8Array }[] => {
  const folder = sharedData(...parts);
  if (folder === undefined) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !['LICENSE', 'PROVENANCE'].includes(entry.name))
    .map((entry) => ({ name: entry.name, bytes: () => readFileSync(join(entry.parentPath, entry.name)) }));
};

describe('files made to hurt', () => {
  it('cost only themselves, in time and in memory, each with its own words', { timeout: 600_000 }, async () => {
    const memory = watchMemory(process.pid);
    const seen = await readAll(hostileFiles);
    const { childMiB } = memory.stop();
    if (process.platform === 'linux') expect(childMiB).toBeLessThan(640);
    const refused = (name: string): string => `${seen.get(name)?.code}: ${seen.get(name)?.message}`;
    expect(refused('flat-bomb.zip')).toMatch(/^too-large: .*200 times its size/);
    expect(refused('sharing.zip')).toMatch(/^too-large: .*share the same bytes/);
    expect(refused('crowd.zip')).toMatch(/^too-large: .*more than 10000 files/);
    expect(refused('secret.zip')).toMatch(/^invalid-media: .*password/);
    expect(refused('bomb.txt.gz')).toMatch(/^too-large: .*200 times its size/);
    expect(refused('bomb.tar.gz')).toMatch(/^too-large/);
    expect(refused('bomb.bz2')).toMatch(/^too-large: .*200 times its size/);
    expect(refused('bomb.zst')).toMatch(/^too-large: .*200 times its size/);
    expect(refused('spin.docx')).toMatch(/^too-large: .*rounds of hashing/);
    expect(refused('cut.tar.gz')).toMatch(/^invalid-media: .*ends too early/);
    expect(refused('noise.bin')).toMatch(/^unsupported-media/);
    expect(refused('not.docx')).toBe('read: 10 characters');
    expect(refused('slip.zip')).toBe('read: 4 files');
    // Nothing of the system was read.
    for (const name of ['include.tex', 'include.rst', 'outside.docx']) expect(refused(name)).not.toContain('root:');
    // The pool is whole: the next file is read.
    expect(await read('after.md', new TextEncoder().encode('# After'))).toEqual({
      code: 'read',
      message: '7 characters',
    });
  });

  it('of others cost only themselves too', { timeout: 600_000 }, async () => {
    const files = [
      ...sharedFiles('hostile', 'made'),
      ...sharedFiles('hostile', 'blns'),
      ...sharedFiles('hostile', 'commonmark-spec'),
      ...sharedFiles('documents', 'pdf-broken'),
      ...sharedFiles('documents', 'pdf-encrypted'),
    ];
    const seen = await readAll(files);
    if (files.length > 0) expect(seen.get('bomb-200MB.txt.gz')?.code).toBe('too-large');
  });

  it('are JSON that must be read, and JSON that must not bring anything down', { timeout: 600_000 }, async () => {
    const files = sharedFiles('hostile', 'json-test-suite');
    const seen = await readAll(files);
    for (const [name, { code, message }] of seen)
      if (name.startsWith('y_') && name !== 'y_structure_whitespace_array.json')
        expect(['read', 'invalid-media'], `${name}: ${code} ${message}`).toContain(code);
  });
});
