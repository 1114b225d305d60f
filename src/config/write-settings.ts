// Settings into the file that says them: the line of one that is there is replaced, one that is not is put at the end, and every other line stays as it
// is. Invariant: whoever reads the file sees it before or after.
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { FootnoteError } from '../core/errors.ts';
import { readIfPresent } from './layers.ts';
import { toFileKey } from './settings.ts';

export interface WritingOptions {
  /** That the program works in. */
  readonly folder: string;
  /** The YAML file, where one is named. */
  readonly file: string | undefined;
}

export interface Written {
  readonly path: string;
  /** Puts back what stood there. */
  undo(): void;
}

/** Throws `config-invalid` for a file that cannot be read or written. */
export function writeSettings(values: Readonly<Record<string, string>>, { folder, file }: WritingOptions): Written {
  const dotEnv = resolve(folder, '.env');
  const ofDotEnv = readIfPresent(dotEnv, false);
  const inDotEnv = parseEnv(ofDotEnv ?? '');
  const yaml = resolve(folder, file ?? inDotEnv['FOOTNOTE_CONFIG'] ?? 'footnote.yaml');
  const ofYaml = readIfPresent(yaml, false);
  // What .env says wins over the YAML file.
  const isDotEnv =
    Object.keys(values).some((name) => inDotEnv[name]) || (ofYaml === undefined && ofDotEnv !== undefined);
  const [path, before] = isDotEnv ? [dotEnv, ofDotEnv] : [yaml, ofYaml];
  let after = before ?? '';
  for (const [name, written] of Object.entries(values)) {
    const value = /^[\w./:@+-]+$/u.test(written) ? written : JSON.stringify(written);
    after = isDotEnv
      ? withLine(after, `${name}=${value}`, (line) => /^\s*(?:export\s+)?(\w+)\s*=/u.exec(line)?.[1] === name)
      : withLine(after, `${toFileKey(name)}: ${value}`, (line) => /^(\w+)\s*:/u.exec(line)?.[1] === toFileKey(name));
  }
  replaceFile(path, after);
  return { path, undo: () => (before === undefined ? rmSync(path) : replaceFile(path, before)) };
}

/** Of several such lines the last one counts in .env, and YAML takes no second. */
function withLine(text: string, line: string, isIts: (line: string) => boolean): string {
  const lines = text.split('\n');
  const at = lines.findLastIndex(isIts);
  if (at >= 0) return lines.with(at, `${line}${lines[at]?.endsWith('\r') ? '\r' : ''}`).join('\n');
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
}

/** Whoever reads meanwhile sees the file of before or of after; a new one is for its owner alone. Throws `config-invalid`. */
export function replaceFile(path: string, text: string): void {
  const known = statSync(path, { throwIfNoEntry: false });
  const target = known ? realpathSync(path) : path;
  const next = `${target}.${process.pid}`;
  try {
    writeFileSync(next, text, { mode: known ? known.mode & 0o777 : 0o600 });
    renameSync(next, target);
  } catch (cause) {
    rmSync(next, { force: true });
    throw new FootnoteError(
      'config-invalid',
      `${target} cannot be written. Check the disk and the mode of its folder.`,
      {
        cause,
      },
    );
  }
}
