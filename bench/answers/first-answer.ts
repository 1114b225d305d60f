// How long until a newcomer has a cited answer? A fresh clone in an empty folder, the README's commands only, with the
// system's own Node and npm; then the time of one cold question without a server, and the size of what was installed.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { writeResult } from '../report.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const coldRuns = 7;

/** The environment of a person's shell: nothing of this checkout on the path. */
const environment = {
  ...Object.fromEntries(
    ['HOME', 'npm_config_registry', 'NPM_CONFIG_REGISTRY'].flatMap((name) =>
      process.env[name] ? [[name, process.env[name]]] : [],
    ),
  ),
  PATH: (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((part) => !part.includes('node_modules'))
    .join(delimiter),
  FOOTNOTE_PORT: '0',
};

const folder = await mkdtemp(join(tmpdir(), 'footnote-first-'));
const clone = join(folder, 'footnote');
try {
  const from = performance.now();
  await run('git', ['clone', '--quiet', root, clone]);
  const server = spawn('npm', ['start'], {
    cwd: clone,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const exited = once(server, 'exit');
  const serving = Promise.withResolvers<void>();
  createInterface({ input: server.stdout }).on('line', (line) => {
    if (line.includes('http://127.0.0.1:')) serving.resolve();
  });
  void exited.then(() => serving.reject(new Error('npm start ended before it served')));
  await serving.promise;
  const servingMs = performance.now() - from;
  const ask = ['run', '-s', 'footnote', '--', 'ask', 'What does a citation point to?'];
  const { stdout } = await run('npm', ask, { cwd: clone, env: environment });
  const answerMs = performance.now() - from;
  if (!stdout.includes('[1]')) throw new Error(`no cited answer:\n${stdout}`);
  if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
  await exited;

  const cold: number[] = [];
  const node = join(clone, 'node_modules/.bin/node');
  for (let at = 0; at < coldRuns; at += 1) {
    const started = performance.now();
    await run(node, [join(clone, 'src/cli/main.ts'), 'ask', 'What does a citation point to?'], {
      cwd: clone,
      env: environment,
    });
    cold.push(performance.now() - started);
  }
  cold.sort((a, b) => a - b);
  const medianMs = cold[Math.floor(coldRuns / 2)] ?? 0;
  const { stdout: size } = await run('du', ['-sm', join(clone, 'node_modules')]);
  const installMb = Number.parseInt(size, 10);
  await writeResult('first-answer', {
    title: 'From git clone to a cited answer',
    command: 'npm run bench first-answer',
    metrics: {
      'clone to serving, s': servingMs / 1000,
      'clone to first cited answer, s': answerMs / 1000,
      'cold question without a server, s (median)': medianMs / 1000,
      'production install, MB': installMb,
    },
    goals: [
      {
        what: 'first cited answer after git clone',
        wanted: '<= 180 s',
        got: answerMs / 1000,
        met: answerMs <= 180_000,
      },
      { what: 'cold question once installed', wanted: '<= 2 s', got: medianMs / 1000, met: medianMs <= 2000 },
      { what: 'production install', wanted: '<= 450 MB', got: installMb, met: installMb <= 450 },
    ],
    notes: ['The npm registry was a mirror nearby; a slow line adds the time to download about 90 MB.'],
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
