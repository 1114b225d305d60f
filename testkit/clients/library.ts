// The server that clients ask for the table of what each shows: real documents, one of them with brackets of its own, and keys.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFootnote } from '../open-footnote.ts';
import { serveOpened } from '../serve-opened.ts';
import type { RealClient } from './clients.ts';
import { type Given, rowOf, type Sought, shownIn } from './shown.ts';

const question = 'How tall is the lighthouse of Cabo Frio?';
/** Nothing of the documents is about it. */
const unanswerable = 'What is the tax rate for beekeepers in Bolivia?';

export interface Library {
  readonly url: string;
  readonly key: string;
  readonly sought: Sought;
  /** Asks as the table does, unless told otherwise. */
  ask(
    client: RealClient,
    way: 'ask' | 'stream',
    more?: Readonly<Partial<Parameters<NonNullable<RealClient['ask']>>[0]>>,
  ): Promise<Given>;
  close(): Promise<void>;
}
export { question, unanswerable };

export async function openLibrary(): Promise<Library> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-clients-'));
  const opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  const footnote = opened.forScope(localScope());
  const texts = {
    'tower.md': 'The lighthouse of Cabo Frio is 43 metres tall [2].',
    'bakery.md': 'Bread is baked in Lisbon from six in the morning on.',
  };
  for (const [uri, text] of Object.entries(texts))
    await footnote.documents.add({ text, uri, title: uri, mime: 'text/markdown', source: 'handbook' });
  const { secret: key } = await opened.keys.create({ name: 'clients', role: 'reader', groups: [] });
  // A machine that has others to serve may keep hundreds waiting for long.
  const server = await serveOpened(opened, { admission: { patienceMs: 600_000 } });
  opened.setAddress(server.url);
  const { citations, answer } = await footnote.ask({ question });
  const [cited, ...others] = citations;
  if (!cited || others.length > 0) throw new Error(`The answer has not one citation: ${answer}`);
  return {
    url: server.url,
    key,
    sought: { url: cited.url, quote: cited.quote, mark: '[1]' },
    async ask(client, way, more = {}) {
      const { signal } = new AbortController();
      const given = await client[way]?.({ url: server.url, key, model: 'footnote', question, signal, ...more });
      if (!given) throw new Error(`${client.name} has no way to ${way}.`);
      return given;
    },
    async close() {
      await server.close({ deadlineMs: 1000 });
      await opened.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** What a client really showed, as a row of the table. */
export async function rowFor(client: RealClient, { ask, sought }: Library): Promise<string> {
  const ways = (['ask', 'stream'] as const).filter((way) => client[way]);
  const shown = await Promise.all(ways.map(async (way) => shownIn(await ask(client, way), sought)));
  const linked = client.isWithoutModel
    ? []
    : await Promise.all(ways.map(async (way) => (await ask(client, way, { model: 'footnote:links' })).text));
  const [first, last = first] = shown;
  if (!first || !last) throw new Error(`${client.name} asks in no way.`);
  return rowOf(client.name, {
    plain: first,
    streamed: last,
    linked: linked.length > 0 && linked.every((text) => text.includes(`(${sought.url} `)),
  });
}
