// Runs the import fence of .dependency-cruiser.cjs. Invariant: a run that saw next to no module is an error, never a pass
// (dependency-cruiser beside TypeScript 7 without the swc parser reads nothing and reports no violation).
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';

export const repositoryRoot = join(import.meta.dirname, '..');

/** A repository of this shape has at least so many source modules; fewer means that the tool went blind. */
export const leastModules = 150;

export interface FenceResult {
  /** Modules of src/ and packages/ that were read. */
  readonly modules: number;
  /** One line each: rule, from, to, why. */
  readonly violations: readonly string[];
}

/** One row of the import table: a folder (or file) under src, or the package of readers, and what it may import. */
export interface FenceRow {
  readonly from: string;
  readonly allowed: readonly string[];
}

interface FenceRule {
  readonly name: string;
  readonly comment?: string;
}
interface FenceConfig {
  readonly forbidden: readonly FenceRule[];
  readonly options: ICruiseOptions;
}

const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as FenceConfig;

/** Reads the sources, tests and benches below `root` (a repository of this shape) and checks every rule. */
export async function runFence(root: string = repositoryRoot): Promise<FenceResult> {
  const folders = ['src', 'packages', 'test', 'testkit', 'bench', 'web/src'].filter((folder) =>
    existsSync(join(root, folder)),
  );
  const { output } = await cruise(folders, {
    ...config.options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: config.forbidden } as NonNullable<ICruiseOptions['ruleSet']>,
  });
  const { modules, summary } = output as ICruiseResult;
  const why = new Map(config.forbidden.map((rule) => [rule.name, rule.comment]));
  return {
    modules: modules.filter(({ source }) => /^(src|packages\/[^/]+\/src)\//.test(source)).length,
    violations: summary.violations.map(({ rule, from, to, cycle }) => {
      const target = cycle ? cycle.map((step) => step.name).join(' -> ') : to;
      const reason = why.get(rule.name);
      return `${rule.name}: ${from}${target === from ? '' : ` -> ${target}`}${reason ? ` (${reason})` : ''}`;
    }),
  };
}

/** The rows that the fence keeps, in the order of the configuration. */
export function fenceRows(): FenceRow[] {
  return config.forbidden.flatMap((rule) => {
    const match = /^(\S+) may import only: (.*)$/.exec(rule.comment ?? '');
    if (!match?.[1] || match[2] === undefined) return [];
    return [{ from: match[1], allowed: match[2].startsWith('nothing') ? [] : match[2].split(', ') }];
  });
}

/** The rooms of the readers, from the lowest to the highest, with those that each may import from. */
export function readerRooms(): FenceRow[] {
  return config.forbidden.flatMap((rule) => {
    const match = /^packages\/readers\/src\/(\S+) may import of the readers: (.*)$/.exec(rule.comment ?? '');
    if (!match?.[1] || match[2] === undefined) return [];
    return [{ from: match[1], allowed: match[2] === 'nothing' ? [] : match[2].split(', ') }];
  });
}

/** The rows as the Markdown table that ARCHITECTURE.md shows. */
export function fenceTable(): string {
  const lines = fenceRows().map(({ from, allowed }) => `| ${from} | ${allowed.join(', ') || 'nothing'} |`);
  return ['| in src/ | may import |', '| --- | --- |', ...lines].join('\n');
}

if (import.meta.main) {
  if (process.argv.includes('--table')) {
    console.log(fenceTable());
  } else {
    const { modules, violations } = await runFence();
    for (const violation of violations) console.error(violation);
    console.log(`import fence: ${modules} modules, ${violations.length} violations`);
    if (modules < leastModules) console.error(`only ${modules} modules seen: the parser has gone blind`);
    if (violations.length > 0 || modules < leastModules) process.exitCode = 1;
  }
}
