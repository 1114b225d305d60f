// What the embedded store tells of a collection's words: exact counts, and nothing of documents that the scope may not read.
import { expect, it } from 'vitest';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { recordForEachTest, scopeOf } from '../../testkit/record-fixture.ts';
import { putText } from './put-text.ts';

const admin = scopeOf();
const place = recordForEachTest();

const put = (id: string, text: string, access?: readonly string[]): Promise<void> =>
  putText(place.record, { id, text, ...(access && { access }) });

it('counts the chunks that hold each word of a question', async () => {
  await put('a', 'The otter dives.');
  await put('b', 'Otters and herons.');
  await put('c', 'A heron waits.');
  expect(
    await createEmbeddedStore({ database: place.record, scope: admin }).statistics?.('Do otters eat zebras?'),
  ).toEqual({
    chunks: 3,
    frequencies: { otter: 2, eat: 0, zebra: 0 },
    languages: [{ language: 'en', chunks: 3 }],
  });
});

it('knows nothing of an empty collection', async () => {
  expect(await createEmbeddedStore({ database: place.record, scope: admin }).statistics?.('otters')).toEqual({
    chunks: 0,
    frequencies: {},
    languages: [],
  });
});

it('does not count what the scope may not read', async () => {
  await put('open', 'The otter dives.');
  await put('hidden', 'The otter and the heron.', ['owners']);
  const reader = createEmbeddedStore({ database: place.record, scope: scopeOf('default', 'ada', 'reader') });
  expect(await reader.statistics?.('otter heron')).toEqual({
    chunks: 1,
    frequencies: { otter: 1, heron: 0 },
    languages: [],
  });
  const stranger = createEmbeddedStore({ database: place.record, scope: scopeOf('other', 'bob') });
  expect((await stranger.statistics?.('otter'))?.frequencies['otter'] ?? 0).toBe(0);
});
