// Notes what the readers of now make of the samples (test/ingest/read/reading-editions.json), so that the next change of one is seen. Refuses a
// kind of which something else comes out while its edition is the same; `--same-edition` notes it all the same: for readers that changed
// more than once before a release, and for samples that changed themselves.
import { readFile, writeFile } from 'node:fs/promises';
import { digestsNow, type ReadingDigests } from '../test/ingest/reading-digests.ts';

const place = new URL('../test/ingest/read/reading-editions.json', import.meta.url);
const noted = JSON.parse(await readFile(place, 'utf8').catch(() => '{}')) as ReadingDigests;
const now = await digestsNow();
const changed = Object.keys(now).filter((kind) => noted[kind] && now[kind]?.digest !== noted[kind].digest);
const same = changed.filter((kind) => now[kind]?.edition === noted[kind]?.edition);

if (same.length > 0 && !process.argv.includes('--same-edition')) {
  console.error(
    `Something else comes out of ${same.join(', ')}: raise their editions in src/ingest/read/reading-editions.ts first.`,
  );
  process.exitCode = 1;
} else {
  await writeFile(place, `${JSON.stringify(now, null, 2)}\n`);
  console.log(
    `${Object.keys(now).length} kinds, ${changed.length} of them changed${changed.length > 0 ? `: ${changed.join(', ')}` : ''}.`,
  );
}
