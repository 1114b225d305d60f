// Which expressions were found to be linear before, so that each run checks those that are new and a sample of the others. Invariants: a key is made of
// all that the verdict depends on (the expression, the longest text it is held to, the limit, recheck, Node), so that whatever changes
// is checked again; only a check that passed writes a key (renew-expressions.ts); what is sampled is drawn anew in every run, so that no key can be wrong for long.
import { readFileSync } from 'node:fs';
import { sha256 } from '../../src/core/ids.ts';
import { root } from '../source-files.ts';
import type { Expression } from './expressions-of-source.ts';
import { allowedMs, lengthFor, searchMs } from './linear-time.ts';

export const knownFile = `${root}/test/security/known-expressions.txt`;

/** Of those that are known, as many are checked anew in each run. */
const sampledShare = 1 / 20;

const recheckVersion = JSON.parse(readFileSync(`${root}/node_modules/recheck/package.json`, 'utf8')).version as string;

export function keyOf(expression: Expression): string {
  const { pattern, flags } = expression;
  return sha256(
    JSON.stringify([pattern, flags, lengthFor(expression), allowedMs, searchMs, recheckVersion, process.version]),
  ).slice(0, 20);
}

export function knownKeys(): ReadonlySet<string> {
  return new Set(readFileSync(knownFile, 'utf8').split('\n').filter(Boolean));
}

/** Those that are to be checked: all that are not known, and of the others those that are drawn (`draw`: 0..1). */
export function toCheck(
  expressions: readonly Expression[],
  known: ReadonlySet<string>,
  draw: () => number = Math.random,
): readonly Expression[] {
  return expressions.filter((expression) => !known.has(keyOf(expression)) || draw() < sampledShare);
}
