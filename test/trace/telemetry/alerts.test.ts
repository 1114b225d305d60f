// The rules that ship for Prometheus: their limits, and (by promtool) that each alert fires, and only then.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '../../../ops/prometheus');

interface Rule {
  readonly alert: string;
  readonly expr: string;
}
const { groups } = parse(readFileSync(join(folder, 'alerts.yml'), 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

function promtool(...args: string[]): string | undefined {
  try {
    return execFileSync('promtool', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  } catch (thrown) {
    if ((thrown as { code?: string }).code === 'ENOENT') return undefined;
    throw thrown;
  }
}
const hasPromtool = promtool('--version') !== undefined;

describe('alerts', () => {
  it('are raised by the limits that operators were promised', () => {
    expect(Object.fromEntries(rules.map(({ alert, expr }) => [alert, / (?:[<>]) ([\d.]+)$/u.exec(expr)?.[0]]))).toEqual(
      {
        FootnoteLegDegraded: ' > 0.05',
        FootnoteStoreDown: ' < 1',
        FootnoteSearchSlow: ' > 0.5',
        FootnoteSearchEmpty: ' > 0.1',
        FootnoteRelevanceLow: ' < 0.6',
        FootnoteFallback: ' > 0.05',
        FootnoteEmbeddingErrors: ' > 0.01',
        FootnoteMemorySlow: ' > 0.2',
        FootnoteDecompositionFailures: ' > 0.05',
        FootnoteWorkerTimeouts: ' > 0.02',
        FootnoteEvalErrors: ' > 0.1',
      },
    );
  });

  it.skipIf(!hasPromtool)('are rules that Prometheus takes', () => {
    expect(promtool('check', 'rules', 'alerts.yml')).toContain(`${rules.length} rules found`);
  });

  it.skipIf(!hasPromtool)('fire when a threshold is crossed and not before', () => {
    const tests = readFileSync(join(folder, 'alerts.test.yml'), 'utf8');
    for (const { alert } of rules) expect(tests).toContain(`alertname: ${alert}`);
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  });
});
