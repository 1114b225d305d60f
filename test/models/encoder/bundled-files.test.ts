// The encoder that comes with Footnote is the one that its provenance names, bit by bit.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../source-files.ts';

/** As models/encoder/PROVENANCE.md names them. */
const hashes = {
  'onnx/model.onnx': 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  'tokenizer.json': 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
};

const folder = join(root, 'models/encoder');

it.each(Object.entries(hashes))('%s has the hash that is written beside it', (name, hash) => {
  const bytes = readFileSync(join(folder, name));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash);
  expect(readFileSync(join(folder, 'PROVENANCE.md'), 'utf8')).toContain(hash);
});

it('comes with its licence, in the package too', () => {
  expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toContain('Apache License');
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly files: string[] };
  expect(files).toContain('models/encoder');
});
