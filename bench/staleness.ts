// How old results are: the commits since a result that changed the code it measures. Kept beside the results when the report is written
// (bench/results is data of the day it was measured; git alone knows what came after), so that the report is a function of files.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { benchOf } from './names.ts';

/** Commits by name of result; null where the commit that was measured is unknown here. */
export type Staleness = Readonly<Record<string, number | null>>;

const root = join(import.meta.dirname, '..');
const path = join(import.meta.dirname, 'staleness.json');

/** Commits after `commit` that touched what the result measures; pure moves count too, since git tells them apart only by guessing. */
function commitsSince(name: string, commit: string): number | null {
  const measured = commit.replace(/\+changes$/, '');
  const paths = benchOf(name)?.measures ?? ['src', 'packages/readers/src'];
  try {
    const count = execFileSync('git', ['rev-list', '--count', `${measured}..HEAD`, '--', ...paths], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(count.trim());
  } catch {
    return null;
  }
}

export async function writeStaleness(
  results: readonly { readonly name: string; readonly commit: string }[],
): Promise<Staleness> {
  const staleness = Object.fromEntries(results.map(({ name, commit }) => [name, commitsSince(name, commit)]));
  await writeFile(path, `${JSON.stringify(staleness, null, 2)}\n`);
  return staleness;
}

export async function readStaleness(): Promise<Staleness> {
  return JSON.parse(await readFile(path, 'utf8')) as Staleness;
}
