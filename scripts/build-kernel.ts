// Assembles the kernel in WebAssembly into TypeScript beside its source. Invariant: the same source gives the same bytes, so that a test can
// hold what is committed against its source (test/engine/vectors/kernel.test.ts).
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import wabt from 'wabt';

const root = join(import.meta.dirname, '..');
/** Sources, as they lie in the repository; `x.wat` is assembled into `x-bytes.ts`. */
const kernels = ['src/engine/vectors/kernel.wat'] as const;
const lineLength = 100;

export const bytesFileOf = (kernel: (typeof kernels)[number]): string =>
  join(root, kernel.replace(/\.wat$/u, '-bytes.ts'));

/** The text of the file beside a kernel, for its source as it stands. */
export async function assembleKernel(kernel: (typeof kernels)[number]): Promise<string> {
  const { parseWat } = await wabt();
  const name = kernel.slice(kernel.lastIndexOf('/') + 1);
  const parsed = parseWat(name, await readFile(join(root, kernel), 'utf8'), { simd: true });
  try {
    parsed.validate();
    const text = Buffer.from(parsed.toBinary({}).buffer).toString('base64');
    const lines = text.match(new RegExp(`.{1,${lineLength}}`, 'g')) ?? [];
    return `// Generated from ${name} by scripts/build-kernel.ts: not to be edited.

export const kernelBytes: string = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('');
`;
  } finally {
    parsed.destroy();
  }
}

if (import.meta.main)
  await Promise.all(kernels.map(async (kernel) => writeFile(bytesFileOf(kernel), await assembleKernel(kernel))));
