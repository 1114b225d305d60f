// Runs the conformance suite of MCP in both revisions against a server over a folder of its own. The suite has a tree and a lock of its own
// (test-clients/mcp), installed here when it is missing, so that the product installs none of its 122 packages. Invariant: what fails and is not in
// expected-failures.yaml fails the run, and so does what is in it and passes.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServerProcess } from '../testkit/server-process.ts';

const folder = join(import.meta.dirname, '../test-clients/mcp');
const program = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

if (!existsSync(program)) {
  const installed = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (installed.status !== 0) process.exit(1);
}

const data = await mkdtemp(join(tmpdir(), 'footnote-mcp-conformance-'));
const server = await startServerProcess(join(data, 'data'));
let failed = 0;
try {
  for (const revision of ['2026-07-28', '2025-11-25']) {
    const words = ['server', '--url', `${server.url}/mcp`, '--requirements', revision];
    const expected = ['--expected-failures', join(folder, 'expected-failures.yaml')];
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words, ...expected], {
      cwd: data,
      encoding: 'utf8',
    });
    console.log(`${revision}\n${stdout.slice(Math.max(0, stdout.indexOf('=== SUMMARY ===')))}${stderr}`);
    if (status !== 0) failed += 1;
  }
} finally {
  await server.stop();
  await rm(data, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
