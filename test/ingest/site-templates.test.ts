// What most pages of a folder begin and end with is kept out of the chunks of all but one of them, whatever the order in which they came;
// nothing that could be found before is lost.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentRecord } from '../../src/core/document.ts';
import { createPreviews } from '../../src/ingest/preview.ts';
import { type FolderRun, openFolderRun } from '../../testkit/folder-run.ts';

const topics = ['heron', 'owl', 'stork', 'kite', 'crane', 'wren', 'ibis', 'swan'];
const notice = 'All rights in these pages are held by the Aviary Trust of Lindau; reprints need written leave.';
const page = (topic: string, end = notice): string =>
  [
    'Aviary Trust handbook\nSearch these pages\nNesting and feeding news every month',
    `# The ${topic}`,
    `The ${topic} feeds at dawn and nests in reeds. A ${topic} lays ${topic.length} eggs.`,
    `Nesting of the ${topic} begins in spring.`,
    `Subscribe to our letter about nesting\n\n${end}`,
  ].join('\n\n');

let place: FolderRun;
beforeEach(async () => {
  place = await openFolderRun();
});
afterEach(() => place.close());

async function documents(): Promise<ReadonlyMap<string, DocumentRecord>> {
  const { data } = await place.record.documents.list({ limit: 1000 });
  return new Map(data.map((one) => [one.uri, one]));
}
/** Uris of documents that a search finds. */
async function found(text: string): Promise<readonly string[]> {
  const uris = new Map([...(await documents()).values()].map(({ id, uri }) => [id, uri]));
  const { hits } = await place.store.search({ text, mode: 'lexical', limit: 20 });
  return [...new Set(hits.map(({ documentId }) => uris.get(documentId) ?? ''))].sort();
}
/** Uris of documents whose own part is marked. */
const marked = async (): Promise<readonly string[]> =>
  [...(await documents()).values()]
    .filter(({ metadata }) => metadata['siteContent'] !== undefined)
    .map(({ uri }) => uri)
    .sort();
const metadataByUri = async (): Promise<ReadonlyMap<string, unknown>> =>
  new Map([...(await documents()).values()].map(({ uri, metadata }) => [uri, metadata]));
/** Every line that is in a chunk of some document. */
async function findable(): Promise<ReadonlySet<string>> {
  const lines = new Set<string>();
  for (const { id } of (await documents()).values())
    for (const { text } of await place.record.documents.chunks(id))
      for (const line of text.split('\n')) if (line.trim() !== '') lines.add(line.trim());
  return lines;
}
const writeAll = async (names = topics): Promise<void> => {
  for (const name of names) await place.write(`birds/${name}.md`, page(name));
};

describe('the template of a site', () => {
  it('is found in one of its pages, stays in the text of all, and crowds out nothing', async () => {
    await writeAll();
    await place.sync();
    // The notice is the answer: it is still there to be found, once.
    expect(await found('who holds the rights in these pages')).toEqual(['birds/crane.md']);
    expect(await marked()).toEqual(topics.map((name) => `birds/${name}.md`).sort());
    const owl = (await documents()).get('birds/owl.md');
    const text = (await place.record.documents.text(owl?.id ?? '')) ?? '';
    expect(text).toBe(page('owl'));
    const [start, end] = (owl?.metadata['siteContent'] ?? []) as [number, number];
    expect(text.slice(start, end).trim()).toMatch(/^# The owl[\s\S]*begins in spring\.$/);
    const chunks = await place.record.documents.chunks(owl?.id ?? '');
    expect(chunks.map((chunk) => chunk.text).join('\n')).not.toMatch(/Subscribe|Search these pages|rights/);
    for (const chunk of chunks) expect(chunk.text).toBe(text.slice(chunk.start, chunk.end));
    const { hits } = await place.store.search({ text: 'owl nesting', mode: 'lexical', limit: 20 });
    expect(hits[0]?.documentId).toBe(owl?.id);
  });

  it('is found in web pages that do not mark it as navigation, for a folder and the folders in it', async () => {
    const html = (topic: string): string => {
      const lines = (text: readonly string[]): string => text.map((line) => `<div>${line}</div>`).join('');
      const head = ['Aviary Trust', 'Visit us on every day but Monday', 'Tickets are sold at the gate'];
      return `<!doctype html><title>${topic}</title><body><div>${lines(head)}</div><div><h1>The ${topic}</h1><p>The ${topic} feeds at dawn and nests in reeds, and a ${topic} lays ${topic.length} eggs a year.</p></div><div>${lines(['Subscribe to our letter about nesting', notice])}</div>`;
    };
    for (const [at, name] of topics.entries()) await place.write(`site/part${at % 2}/${name}.html`, html(name));
    await place.sync();
    expect(await found('who holds the rights in these pages')).toHaveLength(1);
    expect(await found('days but Monday')).toHaveLength(1);
    expect(await marked()).toHaveLength(7);
    expect(await findable()).toContain(notice);
  });

  it('loses no line that could be found and says something; what only leads somewhere is navigation', async () => {
    const lines = new Set(topics.flatMap((name) => page(name).split('\n')).filter((line) => line.trim() !== ''));
    await writeAll();
    await place.sync();
    expect(lines.difference(await findable())).toEqual(new Set(['Aviary Trust handbook', 'Search these pages']));
    expect((await findable()).difference(lines)).toEqual(new Set());
    // A telephone number and an address are few words, and what somebody looks for.
    const told = [
      'Texts and pictures of these pages may be copied for',
      'teaching only',
      'Call 0800 123 456',
      'birds@aviary.example',
      'ご来館の際は係員にお声をかけてください',
    ];
    const links = '[Home](/start) | [About the trust](/about) | [Visit us on any day](/visit) | [Tickets](/tickets)';
    for (const name of topics) await place.write(`more/${name}.md`, page(name, [...told, links].join('\n')));
    await place.sync();
    const found = await findable();
    for (const line of told) expect(found).toContain(line);
    expect(found).not.toContain(links);
  });

  it('does not answer for the pages: words of its labels bring no page before the one that is asked about', async () => {
    const page = (topic: string): string =>
      `Home\nReport a problem\nEdit this page\n\n# The ${topic}\n\nThe ${topic} feeds at dawn and nests in reeds.\n\nPrivacy\n${notice}\n`;
    for (const topic of topics) await place.write(`birds/${topic}.md`, page(topic));
    await place.sync();
    expect(await marked()).toHaveLength(topics.length);
    const uris = new Map([...(await documents()).values()].map(({ id, uri }) => [id, uri]));
    for (const topic of topics) {
      const { hits } = await place.store.search({
        text: `report a problem with the ${topic}`,
        mode: 'lexical',
        limit: 5,
      });
      expect(uris.get(hits[0]?.documentId ?? '')).toBe(`birds/${topic}.md`);
    }
    expect(await found('report a problem')).toEqual([]);
    // The keeper says which line of the template it keeps, apart from its own.
    const keeper = (await documents()).get('birds/crane.md');
    const [start, end] = (keeper?.metadata['siteKept'] as [number, number][] | undefined)?.[0] ?? [0, 0];
    expect((await place.record.documents.text(keeper?.id ?? ''))?.slice(start, end)).toBe(notice);
    expect(await found('who holds the rights')).toEqual(['birds/crane.md']);
  });

  it('stays out of the chunks of a page that is written anew from its kept file, unless a newer one came', async () => {
    await writeAll();
    await place.sync();
    const owl = (await documents()).get('birds/owl.md') as DocumentRecord;
    const chunksOf = async (): Promise<readonly string[]> =>
      (await place.record.documents.chunks(owl.id)).map(({ text }) => text);
    const before = await chunksOf();
    const { id, uri, contentHash, mime } = owl;
    const source = { name: 'docs', type: 'docs' } as const;
    const kept = { id, source, uri, contentHash, mime, bytes: Buffer.from(page('owl')), entry: owl };
    await place.pipeline.rewrite(kept);
    expect(await chunksOf()).toEqual(before);
    expect((await documents()).get(uri)?.revision).toBe(owl.revision + 1);
    // Its entry is older than what is recorded now.
    await place.pipeline.rewrite({ ...kept, bytes: Buffer.from('# Old') });
    expect(await chunksOf()).toEqual(before);
  });

  it('is the same whatever the order in which the pages came', async () => {
    await writeAll(['wren', 'ibis', 'swan']);
    await place.sync();
    expect(await marked()).toEqual([]);
    await writeAll(['owl', 'stork', 'kite']);
    await place.sync();
    expect(await marked()).toHaveLength(6);
    await writeAll(['heron', 'crane']);
    await place.sync();
    const later = await metadataByUri();
    const chunks = await findable();
    await place.close();
    place = await openFolderRun();
    await writeAll();
    await place.sync();
    const atOnce = await metadataByUri();
    expect(atOnce).toEqual(later);
    expect(await findable()).toEqual(chunks);
  });

  it('costs nothing when nothing changed, and little when one page did', async () => {
    await writeAll();
    await place.sync();
    const before = await documents();
    expect((await place.sync()).run.counts).toMatchObject({ done: 0, unchanged: 8 });
    expect(await documents()).toEqual(before);
    await place.write('birds/owl.md', `${page('owl').replace('dawn', 'dusk')}`);
    await place.sync();
    const after = await documents();
    const written = [...after].filter(([uri, { revision }]) => revision !== before.get(uri)?.revision);
    expect(written.map(([uri]) => uri)).toEqual(['birds/owl.md']);
    expect(after.get('birds/owl.md')?.metadata).toHaveProperty('siteContent');
  });

  it('reads each page once for each folder that it lies in', async () => {
    const names = [...topics, 'rook', 'gull', 'coot', 'dove'];
    for (const [at, name] of names.entries()) await place.write(`site/part${at % 2}/${name}.md`, page(name));
    const { documents: port } = place.record;
    const read = new Map<string, number>();
    const chunks = port.chunks.bind(port);
    Object.assign(port, {
      chunks: (id: string) => {
        read.set(id, (read.get(id) ?? 0) + 1);
        return chunks(id);
      },
    });
    await place.sync();
    read.clear();
    await place.write('site/part1/owl.md', page('owl').replace('dawn', 'dusk'));
    await place.sync();
    expect(read.size).toBe(names.length);
    // Of the source, of `site` and of its part.
    expect([...new Set(read.values())]).toEqual([3]);
  });

  it('moves to another page when the one that keeps it goes, and is content again where too few pages have it', async () => {
    await writeAll();
    await place.sync();
    await place.remove('birds/crane.md');
    await place.sync();
    expect(await found('who holds the rights')).toEqual(['birds/heron.md']);
    for (const name of ['heron', 'ibis', 'kite', 'owl']) await place.remove(`birds/${name}.md`);
    await place.sync({ confirm: true });
    expect(await marked()).toEqual([]);
    expect(await found('who holds the rights')).toHaveLength(3);
  });

  it('leaves copies, versions, lines of their own and what few pages share alone', async () => {
    for (let copy = 1; copy <= 6; copy += 1) await place.write(`copies/plan-v${copy}.md`, page('plan'));
    for (const [at, name] of topics.entries())
      await place.write(`ends/${name}.md`, `# The ${name}\n\nIt sings at ${at}.\n\nUpdated on day ${at}\n`);
    await place.write('few/a.md', page('finch'));
    for (const name of topics) await place.write(`few/${name}.txt`, page(name));
    await place.sync();
    expect(await marked()).toEqual([]);
  });

  it('no longer makes different pages look alike, and leaves each to be found', async () => {
    const parts = ['pump', 'valve', 'basin', 'filter', 'gasket', 'engine', 'brake'];
    const menu = Array.from({ length: 14 }, (_, at) => `Entry ${at} of the menu, with a pump and a valve`);
    const pages = Array.from({ length: 42 }, (_, at) => {
      const [a, b] = [parts[at % 7] ?? '', parts[(at * 3 + 1) % 7] ?? ''];
      return {
        uri: `site/s${at % 6}/p${at}.md`,
        a,
        b,
        number: at,
        own: `Unit ${at} takes a ${a} and a new ${b} in week ${at}.`,
      };
    });
    for (const { uri, own, number } of pages)
      await place.write(uri, [...menu, '', `# Unit ${number}`, '', own, '', ...menu.toReversed()].join('\n'));
    await place.sync();
    let [links, tokens] = [0, 0];
    for (const { id } of (await documents()).values()) {
      links += (await place.record.documents.duplicates(id)).length;
      for (const chunk of await place.record.documents.chunks(id)) tokens += chunk.tokens;
    }
    // With the menus in them, each page has about 400 tokens, and nearly all pages are near copies of one another.
    expect(links).toBe(0);
    expect(tokens).toBeLessThan(42 * 40 + 800);
    const uris = new Map([...(await documents()).values()].map(({ id, uri }) => [id, uri]));
    for (const { uri, a, b, number } of pages) {
      const { hits } = await place.store.search({ text: `unit ${number} ${a} ${b}`, mode: 'lexical', limit: 5 });
      expect(hits.map(({ documentId }) => uris.get(documentId))).toContain(uri);
    }
  });

  it('is no matter of a dry run', async () => {
    await writeAll();
    await place.sync();
    await place.write('birds/zebra-finch.md', page('zebra finch'));
    const previews = createPreviews({ ...place.ports, openEmbedPlan: async () => undefined });
    const connector = { kind: 'folder' as const, path: place.docs };
    const { counts } = await previews.folder({ name: 'docs', type: 'docs', connector });
    expect(counts).toMatchObject({ done: 1, unchanged: 8, chunks: 1 });
  });
});
