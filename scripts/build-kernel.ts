// Assembles src/engine/vectors/kernel.wat into kernel-bytes.ts beside it. Invariant: the same source gives the same bytes,
// so that a test can hold what is committed against its source (test/engine/vectors/kernel.test.ts).
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import wabt from 'wabt';

const folder = join(import.meta.dirname, '..', 'src', 'engine', 'vectors');
const bytesFile = join(folder, 'kernel-bytes.ts');
const lineLength = 100;

/** The text of kernel-bytes.ts for the kernel's source as it stands. */
export async function assembleKernel(): Promise<string> {
  const { parseWat } = await wabt();
  const parsed = parseWat('kernel.wat', await readFile(join(folder, 'kernel.wat'), 'utf8'), { simd: true });
  try {
    parsed.validate();
    const text = Buffer.from(parsed.toBinary({}).buffer).toString('base64');
    const lines = text.match(new RegExp(`.{1,${lineLength}}`, 'g')) ?? [];
    return `// Generated from kernel.wat by scripts/build-kernel.ts: not to be edited.

export const kernelBytes: string = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('');
`;
  } finally {
    parsed.destroy();
  }
}

if (import.meta.main) await writeFile(bytesFile, await assembleKernel());
