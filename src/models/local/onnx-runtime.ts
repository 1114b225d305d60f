// The packages that run local models, optional dependencies of this program: whether they are installed, and can run on this machine. Nothing
// is loaded here, since a damaged library ends the process that loads it.
import { createRequire } from 'node:module';
import { localFault } from './files.ts';

const runtimeName = 'onnxruntime-node';
/** As package.json pins them. */
const packages = [`${runtimeName}@1.30.0`, '@huggingface/tokenizers@0.2.0'];
/** Systems that onnxruntime-node brings a library for. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

/** Another level may round otherwise: one level is one space of vectors. */
export const optimizationLevel = 'all';

export interface OnnxRuntime {
  readonly version: string;
}

/** The variable keeps onnxruntime-node from looking for GPU files on the network. */
export const installCommand = (): string => `ONNXRUNTIME_NODE_INSTALL=skip npm install --no-save ${packages.join(' ')}`;

/** Throws `config-invalid`: `no-runtime` with the command that installs it, or `runtime-platform` where none is made for this machine. */
export function findOnnxRuntime(program: string = import.meta.url): OnnxRuntime {
  const platform = `${process.platform}-${process.arch}`;
  const isMusl = process.platform === 'linux' && !glibcVersion();
  if (!platforms.includes(platform) || isMusl)
    throw localFault(
      'runtime-platform',
      `Local models cannot run on this machine: ${runtimeName} is made for ${platforms.join(', ')} with glibc, and this is ${platform}${isMusl ? ' without glibc' : ''}. Use a model of a provider, or none.`,
    );
  const { resolve } = createRequire(program);
  try {
    const { version } = createRequire(program)(`${runtimeName}/package.json`) as { readonly version: string };
    resolve('@huggingface/tokenizers');
    return { version };
  } catch (cause) {
    throw localFault(
      'no-runtime',
      `Local models need packages that are not installed. Run this where Footnote is installed: ${installCommand()}`,
      cause,
    );
  }
}

function glibcVersion(): string | undefined {
  const { header } = process.report.getReport() as { readonly header?: { readonly glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime;
}
