// Many at once through each door, by a real client of it: all get the whole answer with its mark, link and quote. 200 in the long run, some in every one.
import { afterEach, expect, it } from 'vitest';
import { clients, isInstalled } from '../../testkit/clients/clients.ts';
import { type Library, openLibrary } from '../../testkit/clients/library.ts';
import { shownIn } from '../../testkit/clients/shown.ts';

const count = process.env['FOOTNOTE_TEST_LONG'] === undefined ? 40 : 200;
/** One for each door. */
const asking: ReadonlySet<string> = new Set([
  '`openai`, completions',
  '`openai`, responses',
  '`useChat` of the AI SDK',
  '`@anthropic-ai/sdk`',
  '`@modelcontextprotocol/client`, 2026-07-28',
]);
const ofDoors = clients
  .filter(({ name }) => asking.has(name))
  .map((client) => ({
    client,
    title: isInstalled(client) ? client.name : `${client.name} (not installed in test-clients/sdks)`,
  }));

// One server for each, so that no client meets a connection that another left and the server has closed since.
let library: Library | undefined;
afterEach(async () => {
  await library?.close();
  library = undefined;
});

it('is asked of every door', () => {
  expect(ofDoors).toHaveLength(asking.size);
});

for (const { client, title } of ofDoors)
  it.skipIf(!isInstalled(client))(`${title}: ${count} at once get what one gets`, async () => {
    library = await openLibrary();
    const { ask, sought } = library;
    const way = client.stream ? 'stream' : 'ask';
    const one = shownIn(await ask(client, way), sought);
    const many = await Promise.all(Array.from({ length: count }, () => ask(client, way)));
    expect(one.marks[0]).toBe('text');
    expect(many.map((given) => shownIn(given, sought))).toEqual(many.map(() => one));
  });
