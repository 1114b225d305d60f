// Half a character at the end of UTF-16 in a file of others must not damage the memory of a parser.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const module = join(import.meta.dirname, '../../src/ingest/whole-utf16.ts');
const script = `
  import { decodeWholeUtf16 } from ${JSON.stringify(module)};
  decodeWholeUtf16();
  const bytes = Buffer.alloc(65_537, 65);
  for (let round = 0; round < 50; round += 1)
    for (let half = 0; half < 2_000; half += 1) bytes.subarray(1, 2 + half * 2).toString('utf16le');
  const text = Buffer.from('Türme', 'utf16le');
  console.log(JSON.stringify([
    text.toString('utf16le'), text.toString('UCS-2', 2, 7), text.toString('utf16le', -3, 99), text.toString('utf16le', 9, 3),
    Buffer.from('Türme').toString(), Buffer.from('Türme').toString('utf8', 3), Buffer.from('ab').toString('hex'),
  ]));
`;

it('decodes whole characters of UTF-16 only, and all else as before', () => {
  const { status, signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  expect({ status, signal }).toEqual({ status: 0, signal: null });
  expect(JSON.parse(stdout)).toEqual(['Türme', 'ür', 'Türme', '', 'Türme', 'rme', '6162']);
});
