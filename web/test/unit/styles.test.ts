// Styles of one page stay loaded when another is shown: a class that two sheets style without saying where would look on one page as it should on the other.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../src');

/** Classes with which a rule of a sheet begins. */
function classesOf(file: string): ReadonlySet<string> {
  const css = readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const selectors = [...css.matchAll(/(?<=^|[{};])([^{};]+)\{/g)].flatMap(([, list = '']) =>
    list.split(/,(?![^(]*\))/),
  );
  return new Set(selectors.flatMap((one) => /^\s*\.([\w-]+)/.exec(one)?.[1] ?? []));
}

it('no class begins rules of two sheets', () => {
  const sheets = globSync('**/*.css', { cwd: folder });
  expect(sheets.length).toBeGreaterThan(4);
  const homes = Map.groupBy(
    sheets.flatMap((sheet) => [...classesOf(sheet)].map((name) => ({ name, sheet }))),
    ({ name }) => name,
  );
  const shared = [...homes].filter(([, places]) => places.length > 1);
  expect(shared.map(([name, places]) => `.${name}: ${places.map(({ sheet }) => sheet).join(', ')}`)).toEqual([]);
});
