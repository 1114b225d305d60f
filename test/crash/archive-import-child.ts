// The child of the import test: brings an export into the archive and says how it went, until it is killed.
// Usage: archive-import-child.ts FOLDER EXPORT
import { writeSync } from 'node:fs';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFootnote } from '../../src/footnote/compose.ts';

const [folder = '', path = ''] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);
const opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: folder } }));
say('READY');
const { conversations } = opened.forScope(localScope());
// A look beforehand, so that the index is open and grows with the import.
await conversations.peek({ query: 'anything' });
const { turns } = await conversations.import(
  { content: { path }, details: { name: 'export.jsonl' } },
  { onProgress: (read) => say(`TURNS ${read}`) },
);
say(`DONE ${JSON.stringify(turns)}`);
await opened.close();
