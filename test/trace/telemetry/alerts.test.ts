// The thresholds of the program and the rules that ship for Prometheus are the same ones; promtool says that each alert fires, and only then.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { judge, thresholds } from '../../../src/trace/telemetry/thresholds.ts';
import type { WindowFigures } from '../../../src/trace/telemetry/window.ts';

const folder = join(import.meta.dirname, '../../../ops/prometheus');

const rules = stringify(
  {
    groups: [
      {
        name: 'footnote',
        rules: thresholds.map(({ name, expression, summary, advice, forMinutes = 5 }) => ({
          alert: name,
          expr: expression,
          for: `${forMinutes}m`,
          labels: { severity: 'warning' },
          annotations: { summary, description: advice },
        })),
      },
    ],
  },
  { lineWidth: 0 },
);

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
  it('stand in ops/prometheus/alerts.yml as the program judges them', async () => {
    const head = '# Made from src/trace/telemetry/thresholds.ts; a test keeps them equal.\n';
    await expect(`${head}${rules}`).toMatchFileSnapshot(join(folder, 'alerts.yml'));
  });

  it.skipIf(!hasPromtool)('are rules that Prometheus takes', () => {
    expect(promtool('check', 'rules', 'alerts.yml')).toContain(`${thresholds.length} rules found`);
  });

  it.skipIf(!hasPromtool)('fire when a threshold is crossed and not before', () => {
    const tests = readFileSync(join(folder, 'alerts.test.yml'), 'utf8');
    for (const { name } of thresholds) expect(tests).toContain(`alertname: ${name}`);
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  });

  it('are judged in the process by the same limits', () => {
    const calm: WindowFigures = {
      searches: 100,
      emptySearches: 10,
      fallbacks: 5,
      searchMs: Array.from({ length: 100 }, (_, at) => at * 5),
      answers: 50,
      coverageSum: 30,
      embeddings: 100,
      embeddingErrors: 1,
      parts: 100,
      failedParts: 5,
      workers: 100,
      workerTimeouts: 2,
      recallMs: Array.from({ length: 100 }, () => 200),
      evals: 100,
      evalErrors: 10,
      legs: [{ leg: 'store.cloud', calls: 100, failed: 5, failedMs: 50, requests: 90, without: 5, code: 'internal' }],
    };
    // Stores are asked by whoever scrapes.
    const judged = (figures: WindowFigures) =>
      judge(figures).flatMap(({ name, state }) => (name === 'FootnoteStoreDown' ? [] : [state]));
    expect(judged(calm)).toEqual(Array(10).fill('ok'));
    const crossed: WindowFigures = {
      searches: 100,
      emptySearches: 11,
      fallbacks: 6,
      searchMs: Array.from({ length: 100 }, (_, at) => at * 5.5),
      answers: 50,
      coverageSum: 29,
      embeddings: 100,
      embeddingErrors: 2,
      parts: 100,
      failedParts: 6,
      workers: 100,
      workerTimeouts: 3,
      recallMs: Array.from({ length: 100 }, (_, at) => at * 2.5),
      evals: 100,
      evalErrors: 11,
      legs: [
        {
          leg: 'store.cloud',
          calls: 100,
          failed: 6,
          failedMs: 60,
          requests: 90,
          without: 4,
          code: 'timeout',
          failingMs: 41_300,
        },
      ],
    };
    expect(judged(crossed)).toEqual(Array(10).fill('firing'));
    expect(judge(crossed).find(({ name }) => name === 'FootnoteLegDegraded')?.detail).toBe(
      'store.cloud (without a success for 41 s): 6 of 100 calls of the last two minutes failed (timeout); 4 of 90 requests went without it and spent 10 ms on each such call',
    );
    // Several at once are all named, the worst first, and none that is below the limit.
    const model = { leg: 'model.answer', calls: 4, failed: 4, failedMs: 40, requests: 4, without: 4, code: 'silent' };
    const both = { ...crossed, legs: [...calm.legs, ...crossed.legs, model] };
    expect(judge(both).find(({ name }) => name === 'FootnoteLegDegraded')?.detail).toMatch(
      /^model\.answer \(it serves again\): 4 of 4 [^;]+; 4 of 4 [^;]+; store\.cloud \(without a success for 41 s\): 6 of 100 [^;]+;[^;]+$/u,
    );
    const quiet = {
      ...calm,
      searches: 5,
      answers: 5,
      embeddings: 5,
      searchMs: [9000],
      recallMs: [900],
      parts: 3,
      workers: 3,
      evals: 5,
      legs: [{ leg: 'store.cloud', calls: 2, failed: 2, failedMs: 60, requests: 2, without: 2, code: 'timeout' }],
    };
    expect(judged(quiet)).toEqual(Array(10).fill('unknown'));
  });
});
