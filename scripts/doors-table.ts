// Writes the table "What each shows" of docs/doors.md from what clients really show of an answer of the real server. Those that have a tree of their own
// (test-clients/sdks) are installed here when they are missing.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clients, isInstalled } from '../testkit/clients/clients.ts';
import { openLibrary, rowFor } from '../testkit/clients/library.ts';
import { withRows } from '../testkit/clients/table.ts';

if (!clients.every(isInstalled)) {
  const cwd = join(import.meta.dirname, '../test-clients/sdks');
  const installed = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd, stdio: 'inherit' });
  if (installed.status !== 0) process.exit(1);
}
const page = join(import.meta.dirname, '../docs/doors.md');
const library = await openLibrary();
try {
  const rows: string[] = [];
  for (const client of clients) rows.push(await rowFor(client, library));
  writeFileSync(page, withRows(readFileSync(page, 'utf8'), rows));
} finally {
  await library.close();
}
