// Runs one measurement by its name, or writes the report.
//
// npm run bench                     names
// npm run bench claims              one measurement; words after the name are passed on
// npm run bench all                 every measurement, one after another (hours)
// npm run bench report              bench/REPORT.md and bench/report/ anew from bench/results
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { benches } from './names.ts';
import { writeReport } from './report.ts';

const [name, ...rest] = process.argv.slice(2);
const start = (file: string, words: readonly string[]): number =>
  spawnSync(process.execPath, [join(import.meta.dirname, file), ...words], { stdio: 'inherit' }).status ?? 1;

if (name === undefined)
  console.log(`npm run bench NAME, where NAME is report, all or one of:\n${Object.keys(benches).join('\n')}`);
else if (name === 'report') await writeReport();
else if (name === 'all') {
  const failed = Object.entries(benches).filter(([one, { file }]) => {
    console.log(`\n== ${one}`);
    return start(file, []) !== 0;
  });
  if (failed.length > 0) {
    console.error(`These measurements failed: ${failed.map(([one]) => one).join(', ')}.`);
    process.exitCode = 1;
  }
} else {
  const bench = benches[name];
  if (bench === undefined) {
    console.error(`There is no measurement named ${name}. Run npm run bench for their names.`);
    process.exitCode = 2;
  } else process.exitCode = start(bench.file, rest);
}
