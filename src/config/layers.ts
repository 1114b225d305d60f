// Where settings come from: footnote.yaml, .env and the environment, each as a layer that names the place of every value.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseEnv } from 'node:util';
import { FootnoteError } from '../core/errors.ts';
import { settings, toFileKey } from './settings.ts';

export interface Given {
  readonly value: unknown;
  readonly place: string;
}

const require = createRequire(import.meta.url);

export type Layer = ReadonlyMap<string, Given>;

const byFileKey = new Map(settings.map((setting) => [toFileKey(setting.name), setting]));

export function readIfPresent(path: string, mustExist: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' && !mustExist) return undefined;
    const why =
      code === 'ENOENT' ? 'there is no such file' : code === 'EACCES' ? 'no permission to read it' : String(code);
    throw new FootnoteError('config-invalid', `${path}: ${why}. Check the path and the mode of the file.`, { cause });
  }
}

export function readFile(shown: string, source: string, mistakes: string[]): Layer {
  const layer = new Map<string, Given>();
  // Loaded where there is a file: it is a fifth of what a command loads to start.
  const { isMap, isScalar, LineCounter, parseDocument } = require('yaml') as typeof import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  for (const error of document.errors)
    mistakes.push(`${shown}:${lines.linePos(error.pos[0]).line}: ${error.message}. Check the YAML.`);
  if (document.errors.length > 0 || document.contents === null) return layer;
  if (!isMap(document.contents)) {
    mistakes.push(`${shown}:1: the file must be a list of "name: value" lines.`);
    return layer;
  }
  for (const pair of document.contents.items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
    const place = `${shown}:${lines.linePos((isScalar(pair.key) ? pair.key.range?.[0] : 0) ?? 0).line}`;
    const setting = byFileKey.get(key);
    if (setting === undefined) {
      const meant = nearestName(key, byFileKey.keys());
      mistakes.push(`${place}: there is no setting "${key}".${meant ? ` Did you mean "${meant}"?` : ''}`);
    } else if (setting.secret)
      mistakes.push(`${place}: "${key}" is a secret. Put ${setting.name} into the environment or into .env, not here.`);
    else if (isScalar(pair.value)) layer.set(setting.name, { value: pair.value.value, place });
    else mistakes.push(`${place}: "${key}" must be one value.`);
  }
  return layer;
}

export function readDotEnv(path: string, shown: string): Layer {
  const source = readIfPresent(path, false);
  const layer = new Map<string, Given>();
  if (source === undefined) return layer;
  const lines = source.split(/\r?\n/);
  for (const [name, value] of Object.entries(parseEnv(source))) {
    if (value === undefined || value === '') continue;
    const line = lines.findLastIndex((text) => text.replace(/^\s*(export\s+)?/, '').startsWith(name)) + 1;
    layer.set(name, { value, place: `${shown}:${line}` });
  }
  return layer;
}

export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Layer {
  const layer = new Map<string, Given>();
  for (const { name } of settings) {
    const value = environment[name];
    if (value !== undefined && value !== '') layer.set(name, { value, place: 'environment' });
  }
  return layer;
}

/** The known name that was most likely meant, within two changes. */
function nearestName(name: string, names: Iterable<string>): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= Math.max(2, Math.floor(name.length / 4)) && (!best || distance < best.distance))
      best = { name: candidate, distance };
  }
  return best?.name;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
