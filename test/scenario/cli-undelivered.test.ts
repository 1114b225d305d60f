// What a hosted store did not take is told at the end of reading, in the words of a search that it takes part in; with --wait it is an outcome of its own, in
// the folder itself and through the server that owns it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type OpenaiSimulator, openOpenaiSimulator, simulatorKey } from '../../testkit/openai/openai-simulator.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function open(): Promise<{ place: Workplace; simulator: OpenaiSimulator; env: Record<string, string> }> {
  const simulator = await openOpenaiSimulator();
  closing.push(simulator.close);
  const place = await openWorkplace();
  closing.push(place.remove);
  await mkdir(join(place.folder, 'notes'));
  await writeFile(join(place.folder, 'notes', 'owl.md'), 'The barn owl hunts at night.\n');
  await writeFile(join(place.folder, 'notes', 'heron.md'), 'The heron waits at the pond.\n');
  const env = {
    VECTOR_STORE: 'openai',
    OPENAI_API_KEY: simulatorKey,
    OPENAI_BASE_URL: simulator.address,
    MODEL_ANSWER: 'none',
  };
  return { place, simulator, env };
}
const refuseUploads = ({ name }: { readonly name: string }) => (name === 'files.create' ? 401 : undefined);
const told = { component: 'openai', code: 'not-delivered' };

it('says which store lacks documents and why, and with --wait ends as what does not hold', async () => {
  const { place, simulator, env } = await open();
  simulator.setFault(refuseUploads);
  const waited = await place.run(['ingest', 'notes', '--wait'], { env });
  expect([waited.code, waited.out]).toEqual([1, expect.stringContaining('2 files read')]);
  expect(waited.err).toMatch(
    /note \(openai\): It lacks 2 documents: .*OPENAI_API_KEY.*Then "footnote stores sync openai" brings them at once\./u,
  );
  const json = await place.run(['ingest', 'notes', '--wait', '--json'], { env });
  expect([json.code, json.json().degraded]).toEqual([1, [expect.objectContaining(told)]]);
  const unasked = await place.run(['sync', '--json'], { env });
  expect([unasked.code, unasked.json().degraded]).toEqual([0, [expect.objectContaining(told)]]);
  simulator.setFault(undefined);
  expect((await place.run(['stores', 'sync', 'openai'], { env })).code).toBe(0);
  const sound = await place.run(['ingest', 'notes', '--wait', '--json'], { env });
  expect([sound.code, sound.json().degraded, sound.err]).toEqual([0, [], '']);
}, 120_000);

it('waits for the store, and tells the same, where a server owns the folder', async () => {
  const { place, simulator, env } = await open();
  await place.serve([], env);
  simulator.setFault(refuseUploads);
  const waited = await place.run(['ingest', 'notes', '--wait'], { env });
  expect([waited.code, waited.err]).toEqual([1, expect.stringMatching(/note \(openai\): It lacks 2 documents/u)]);
  simulator.setFault(undefined);
  const sound = await place.run(['ingest', 'notes', '--wait', '--json'], { env });
  expect([sound.code, sound.json().degraded]).toEqual([0, []]);
  expect(simulator.state.files.size).toBe(2);
}, 120_000);
