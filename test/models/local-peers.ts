// Finds the optional package that runs local models: FOOTNOTE_TEST_PEERS names a folder with it in node_modules. Tests that need
// it skip, with a clear line, where it is absent.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { peerName } from '../../src/models/local/peer.ts';

/** A file that the package is resolved from, or undefined where the variable is not set. A wrong value is an error. */
export function testPeers(): string | undefined {
  const folder = process.env['FOOTNOTE_TEST_PEERS'];
  if (folder === undefined || folder === '') {
    console.log(`skipped: ${peerName} is not installed for tests (FOOTNOTE_TEST_PEERS)`);
    return undefined;
  }
  if (!existsSync(join(folder, 'node_modules', peerName)))
    throw new Error(`FOOTNOTE_TEST_PEERS is ${folder}, which has no node_modules/${peerName}`);
  return join(folder, 'package.json');
}
