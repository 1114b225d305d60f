// A question that shares no word with the document that answers it, over the product with the encoder that comes with it: found in hybrid search, and
// without the encoder as before.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { hasLocalRuntime } from '../models/local-runtime.ts';

const rooms = ['sauna', 'gym', 'kitchen', 'library', 'garden', 'garage', 'cellar', 'office', 'terrace', 'workshop'];
const jobs = ['cleaned', 'painted', 'locked', 'inspected'];
const texts = rooms.flatMap((room) =>
  jobs.map((job) => `The ${room} is ${job} by the caretaker on the first Monday of a month.`),
);
const answer = 'Swimmers enjoy water of twenty-nine degrees Celsius.';
const query = 'pool temp';

describe.skipIf(!hasLocalRuntime())('a question that shares no word with its answer', () => {
  let folder = '';
  let opened: OpenedFootnote;
  let footnote: Footnote;

  async function open(environment: Record<string, string>): Promise<void> {
    const config = loadConfig({ folder, environment: { ENCODER_TIMEOUT_MS: '60000', ...environment } });
    opened = await openFootnote(config, { withEncoder: true });
    footnote = opened.forScope(localScope());
  }
  const find = async () => {
    const { results, degraded } = await footnote.search({ query, mode: 'hybrid', topK: 3 });
    return { texts: results.map(({ text }) => text), codes: degraded.map(({ code }) => code) };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-meaning-'));
    await open({});
    for (const [at, text] of [...texts, answer].entries())
      await footnote.documents.add({ source: 'house', uri: `${at}.md`, title: `Note ${at}`, text });
    await opened.settle(localScope().tenant, { exact: true });
  });
  afterAll(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });

  it('finds it by the encoder, and by words and what is learned alone it does not', async () => {
    const { texts: found, codes } = await find();
    expect(found[0]).toContain(answer);
    expect(codes).toEqual([]);
    expect((await footnote.search({ query: 'quantum chromodynamics lattice', mode: 'hybrid' })).results).toEqual([]);
    const [store] = await footnote.stores.list();
    expect(store?.vectors).toMatchObject({ state: 'ready', encoder: { state: 'ready' } });
    expect((await footnote.search({ query, mode: 'embedded' })).results).toEqual([]);
    await opened.close();
    await open({ ENCODER: 'off' });
    await opened.settle(localScope().tenant, { exact: true });
    expect((await find()).texts).toEqual([]);
    expect((await footnote.stores.list())[0]?.vectors?.encoder).toBeUndefined();
  });
});
