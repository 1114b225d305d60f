// Half a character at the end of UTF-16 in a file of others must not damage the memory of a parser.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decodeWholeUtf16 } from '../src/whole-utf16.ts';

const module = join(import.meta.dirname, '../src/whole-utf16.ts');
const script = `
  import { decodeWholeUtf16 } from ${JSON.stringify(module)};
  decodeWholeUtf16();
  const bytes = Buffer.alloc(65_537, 65);
  for (let round = 0; round < 50; round += 1)
    for (let half = 0; half < 2_000; half += 1) bytes.subarray(1, 2 + half * 2).toString('utf16le');
`;

it('keeps Node from writing beyond its memory', () => {
  const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect({ status, signal }).toEqual({ status: 0, signal: null });
});

it('decodes whole characters of UTF-16 only, and all else as before', () => {
  decodeWholeUtf16();
  const [wide, bytes] = [Buffer.from('Türme', 'utf16le'), Buffer.from('Türme')];
  expect(wide.toString('utf16le')).toBe('Türme');
  expect(wide.toString('UCS-2' as BufferEncoding, 2, 7)).toBe('ür');
  expect(wide.toString('utf16le', -3, 99)).toBe('Türme');
  expect(wide.toString('utf16le', 9, 3)).toBe('');
  expect([bytes.toString(), bytes.toString('utf8', 3), bytes.toString('hex', 0, 1)]).toEqual(['Türme', 'rme', '54']);
});
