// Runs the checks, as many at a time as there are processors where they may run beside each other, prints what each prints, and ends with one line
// `N passed, N failed` over all of them. Invariant: a step that fails without saying how many tests failed counts as one failed, so the sum is never 0
// when anything went wrong; the exit code is 0 only if nothing failed.
//
// node scripts/run-checks.mjs check   format, lint, types, unused code, documents with the import fence, tests of readers, unit tests
// node scripts/run-checks.mjs test    check, costs, and conformance, contract, scenario, replay, faults, security and crash suites (sampled), the pages in Chromium and MCP's suite
// node scripts/run-checks.mjs long    unit, conformance, contract, faults, security, crash and replay suites in full
// node scripts/run-checks.mjs steps '[{"name":"one","command":"true"}]'   any steps
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const suite = (name) => ({ name, command: `vitest run --project ${name}`, timeoutMinutes: 60 });

/** A step that neighbours of its kind run beside: what it prints comes at its end. */
const beside = (name, command) => ({ name, command, beside: true });

const statics = [
  beside('lint with types', 'oxlint --type-aware --deny-warnings --report-unused-disable-directives'),
  beside('nothing unused', 'knip --no-progress'),
  beside('format, lint and order of imports', 'biome check . --error-on-warnings'),
  beside('types', 'tsc -p . && tsc -p web'),
  { ...suite('docs'), beside: true },
];
const pages = { name: 'pages', command: 'vitest run --config web/vitest.config.ts', timeoutMinutes: 60 };
/** Each waits for a third of its time, for disks, for what it killed, for a browser: beside another one, neither is slower by much. The longest begin. */
const suites = [
  ...['unit', 'crash'].map(suite),
  pages,
  ...['scenario', 'contract', 'security', 'readers', 'replay', 'conformance'].map(suite),
].map((step) => ({ ...step, beside: true }));
/** The suite of MCP is asked where it is installed (CI does it), which takes half a minute. */
const conformance = existsSync(join(root, 'test-clients/mcp/node_modules'))
  ? [beside('conformance of MCP', 'node scripts/mcp-conformance.ts')]
  : [];
const plans = {
  check: [...statics, suite('readers'), suite('unit')],
  // Costs are measured, and faults has a test of moments, which a machine that is busy with others misses.
  test: [...statics, suite('costs'), suite('faults'), ...suites, ...conformance],
  long: ['unit', 'conformance', 'contract', 'faults', 'security', 'crash', 'replay'].map((name) => ({
    ...suite(name),
    timeoutMinutes: 120,
    long: true,
  })),
};

const [planName = 'check', own] = process.argv.slice(2);
const steps = planName === 'steps' && own ? JSON.parse(own) : plans[planName];
if (!steps) {
  console.error(`run-checks: unknown plan ${planName}; choose one of ${Object.keys(plans).join(', ')}`);
  process.exit(2);
}

if (planName === 'test' && conformance.length === 0)
  console.log('The suite of MCP is not installed in test-clients/mcp: npm run conformance:mcp installs and runs it.');

const total = { passed: 0, failed: 0, skipped: 0 };
const summary = [];
const failures = [];
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of running) stop(child);
    process.exit(signal === 'SIGINT' ? 130 : 143);
  });
}

const startedAt = Date.now();
const waiting = [...steps];
while (waiting.length > 0) {
  const alone = waiting.findIndex((step) => !step.beside);
  const together = waiting.splice(0, Math.max(1, alone < 0 ? waiting.length : alone));
  await Promise.all(Array.from({ length: Math.min(together.length, availableParallelism()) }, () => drain(together)));
}

/** Takes one step after another from those that may run together. */
async function drain(together) {
  for (let step = together.shift(); step !== undefined; step = together.shift()) {
    const head = `\n== ${step.name}: ${step.command}`;
    console.log(step.beside ? `.. ${step.name} begins` : head);
    const stepStartedAt = Date.now();
    const { ok, output, errors } = await run(step);
    if (!ok) failures.push(`-- what failed in ${step.name}\n${excerpt(output, errors)}`);
    if (step.beside) {
      console.log(`${head}\n${output}`);
      process.stderr.write(errors);
    }
    const counts = count(output, ok);
    for (const key of Object.keys(total)) total[key] += counts[key];
    const seconds = ((Date.now() - stepStartedAt) / 1000).toFixed(1);
    summary.push(`${counts.failed === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s): ${describe(counts)}`);
  }
}

// What failed is told once more at the end: a log of some thousand lines is often kept by its end alone.
if (failures.length > 0) console.log(`\n${failures.join('\n\n')}`);
console.log(`\n${summary.join('\n')}\ntook ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
console.log(describe(total));
process.exitCode = total.failed === 0 ? 0 : 1;

/** Runs one command in a process group of its own; a step over its time is stopped and counts as failed. */
function run(step) {
  return new Promise((resolve) => {
    const child = spawn(step.command, {
      cwd: root,
      shell: true,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
        ...(step.long ? { FOOTNOTE_TEST_LONG: '1' } : {}),
        ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
      },
    });
    running.add(child);
    let output = '';
    let errors = '';
    child.stdout.on('data', (data) => {
      output += data;
      if (!step.beside) process.stdout.write(data);
    });
    child.stderr.on('data', (data) => {
      errors += data;
      if (!step.beside) process.stderr.write(data);
    });
    // Other programs on the machine take what they take: this only ends what hangs.
    const minutes = step.timeoutMinutes ?? 20;
    const timer = setTimeout(() => {
      console.error(`run-checks: ${step.name} took longer than ${minutes} minutes and was stopped`);
      stop(child);
    }, minutes * 60_000);
    child.on('error', (error) => {
      console.error(`run-checks: ${step.name} could not start: ${error.message}`);
      finish(false);
    });
    child.on('close', (code) => finish(code === 0));
    function finish(ok) {
      clearTimeout(timer);
      running.delete(child);
      resolve({ ok, output, errors });
    }
  });
}

function stop(child) {
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** The last summary line of a suite; a step without one is a single check. */
function count(output, ok) {
  const pattern = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/gm;
  const last = [...output.matchAll(pattern)].at(-1);
  if (!last) return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  const [passed, failed, skipped] = last.slice(1).map((digits) => Number(digits ?? 0));
  return { passed, failed: ok ? failed : Math.max(failed, 1), skipped };
}

/** What a failed step said of its failures, at most 60 lines: from where a suite begins to list them, else the end of what was printed. */
function excerpt(output, errors) {
  const lines = `${output}\n${errors}`.trimEnd().split('\n');
  const first = lines.findIndex((line) => /Failed (?:Tests|Suites)|Unhandled (?:Errors|Rejection)/.test(line));
  return (first < 0 ? lines.slice(-60) : lines.slice(first, first + 60)).join('\n');
}

function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
