// Writes which expressions of the source are linear (known-expressions.txt): `npm run expressions:renew` checks those that are not known
// and leaves out what is gone, `-- --all` checks every one. Exit code 1 and no key for what is slow.
import { writeFileSync } from 'node:fs';
import { callBuilders, notCalled } from './expressions-built.ts';
import { builtExpressions, expressionsOfSource } from './expressions-of-source.ts';
import { keyOf, knownFile, knownKeys } from './known-expressions.ts';
import { slowOnes } from './linear-time.ts';

const { literals, building } = expressionsOfSource();
const { expressions: built } = await builtExpressions(building.keys(), callBuilders);
const all = new Map([...literals, ...built, ...notCalled].map((expression) => [keyOf(expression), expression]));
const known = process.argv.includes('--all') ? new Set<string>() : knownKeys();
const linear = [...all.keys()].filter((key) => known.has(key));
const keep = (): void => writeFileSync(knownFile, `${linear.toSorted().join('\n')}\n`);
/** Written meanwhile, so that a run that is ended goes on where it was. */
const keptTogether = 100;
const slow = await slowOnes(
  [...all].flatMap(([key, expression]) => (known.has(key) ? [] : [expression])),
  (expression) => {
    linear.push(keyOf(expression));
    if (linear.length % keptTogether === 0) keep();
  },
);
keep();
console.log(`${linear.length} of ${all.size} expressions are known to be linear`);
for (const one of slow) console.error(one);
process.exitCode = slow.length > 0 ? 1 : 0;
