// The sum of all checks must be red whenever any step was, whatever that step managed to print.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../source-files.ts';

interface Step {
  readonly command: string;
  readonly timeoutMinutes?: number;
  readonly beside?: boolean;
}

function runSteps(...steps: Step[]): { lastLine: string; status: number | null; output: string } {
  const named = steps.map((step, index) => ({ name: `step ${index + 1}`, ...step }));
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(root, 'scripts/run-checks.mjs'), 'steps', JSON.stringify(named)],
    { encoding: 'utf8' },
  );
  return { lastLine: stdout.trimEnd().split('\n').at(-1) ?? '', status, output: `${stdout}${stderr}` };
}

describe('run-checks', () => {
  it('adds up what suites print and counts a plain step as one', () => {
    const { lastLine, status } = runSteps(
      { command: 'echo "Tests 9"; echo "7 passed, 0 failed, 2 skipped"' },
      { command: 'true' },
      { command: 'echo "5 passed, 0 failed"' },
    );
    expect(lastLine).toBe('13 passed, 0 failed, 2 skipped');
    expect(status).toBe(0);
  });

  it('counts a failed step as failed, goes on, and ends with code 1', () => {
    const { lastLine, status } = runSteps({ command: 'false' }, { command: 'echo "3 passed, 0 failed"' });
    expect(lastLine).toBe('3 passed, 1 failed');
    expect(status).toBe(1);
  });

  it('does not believe a suite that prints no failure but ends with an error', () => {
    expect(runSteps({ command: 'echo "3 passed, 0 failed"; exit 3' })).toMatchObject({
      lastLine: '3 passed, 1 failed',
      status: 1,
    });
    expect(runSteps({ command: 'echo "3 passed, 2 failed"; exit 1' }).lastLine).toBe('3 passed, 2 failed');
  });

  it('tells once more at the end what failed, from where a suite begins to list it', () => {
    const { output } = runSteps(
      { command: 'echo early; echo "== Failed Tests 1 =="; echo "FAIL a.test.ts"; echo "3 passed, 1 failed"; exit 1' },
      { command: 'echo "5 passed, 0 failed"' },
    );
    const told = output.slice(output.indexOf('-- what failed in step 1'));
    expect(told).toContain('FAIL a.test.ts');
    expect(told).not.toContain('early');
    expect(told).not.toContain('what failed in step 2');
  });

  it('counts a command that does not exist, and one that takes too long', () => {
    const { lastLine, output } = runSteps(
      { command: 'no-such-command-here' },
      { command: 'sleep 20', timeoutMinutes: 0.002 },
    );
    expect(lastLine).toBe('0 passed, 2 failed');
    expect(output).toContain('took longer than 0.002 minutes and was stopped');
  });

  it.runIf(availableParallelism() > 1)(
    'runs neighbours that may run beside each other at the same time, and adds them up',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'footnote-checks-'));
      const [one, two] = [join(folder, 'one'), join(folder, 'two')];
      // Each waits for the other, so one after another they would never end.
      const meet = (own: string, other: string, said: string): Step => ({
        command: `touch ${own}; until [ -e ${other} ]; do :; done; echo "${said}"`,
        timeoutMinutes: 1,
        beside: true,
      });
      const { lastLine, output } = runSteps(
        meet(one, two, '2 passed, 0 failed'),
        meet(two, one, '3 passed, 0 failed'),
        { command: 'echo "4 passed, 1 failed"; exit 1' },
      );
      rmSync(folder, { recursive: true });
      expect(lastLine).toBe('9 passed, 1 failed');
      expect(output.match(/== step/g)).toHaveLength(3);
    },
  );

  it('refuses an unknown plan', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/run-checks.mjs'), 'everything'], {
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toContain('choose one of check, test, long');
  });
});
