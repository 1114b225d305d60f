// footnote stores: in the folder itself and through the server that owns it, with the same words.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await writeFile(join(place.folder, 'owl.txt'), 'The barn owl hunts at night.\n');
  await place.run(['ingest', 'owl.txt', '--wait']);
}, 60_000);
afterAll(() => place.remove());

async function outcomes() {
  const status = await place.run(['stores']);
  const json = (await place.run(['stores', 'status', '--json'])).json();
  const synced = await place.run(['stores', 'sync', 'embedded', '--json']);
  const compared = await place.run(['stores', 'reconcile', '--dry-run', '--json']);
  const refused = await place.run(['stores', 'pause', 'embedded', '--json']);
  const unknown = await place.run(['stores', 'resume', 'azure', '--json']);
  return {
    status: status.out,
    names: json.data.map(({ name }: { name: string }) => name),
    synced: [synced.code, synced.json()],
    compared: [compared.code, compared.json()],
    refused: [refused.code, JSON.parse(refused.err).error.code],
    unknown: [unknown.code, JSON.parse(unknown.err).error.code],
  };
}

it('tells, brings and refuses the same by itself and through a server', async () => {
  const alone = await outcomes();
  expect(alone.status).toMatch(/^embedded +ok +1 document, 1 chunk +100\.0 % of the corpus/);
  expect(alone).toMatchObject({
    names: ['embedded'],
    synced: [0, { store: 'embedded', delivered: 0, failed: 0 }],
    compared: [0, { data: [] }],
    refused: [6, 'unsupported'],
    unknown: [6, 'unsupported'],
  });
  await place.serve();
  expect(await outcomes()).toEqual(alone);
}, 120_000);
