// Copies and frames through the facade: what is shown of a document, what a search finds, what it folds.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { documentDetailSchema } from '../../src/http/contract/contract.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const sentences = Array.from(
  { length: 6 },
  (_, index) =>
    `<p>The pump of the northern basin, number ${index}, was replaced in spring, and the smaller ones that took its place share the load.</p>`,
).join('');
const page = (frame: string, end: string): string =>
  `<!doctype html><html lang="en"><title>Pumps</title><body><nav><a href="/">${frame}</a></nav><main><h1>Pumps</h1>${sentences}</main><footer>${end}</footer>`;

describe('duplicates through the facade', () => {
  let folder: string;
  let opened: OpenedFootnote;
  let footnote: Footnote;
  const ids: string[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-duplicates-'));
    opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
    footnote = opened.forScope(localScope());
    const texts = [page('Quokka', 'Imprint'), page('Zygote', 'Contact'), '<p>Nothing but a ferry.</p>'];
    for (const [index, text] of texts.entries()) {
      const [added] = await footnote.documents.add({ text, mime: 'text/html', uri: `${index}.html`, source: 'site' });
      ids.push(added?.id ?? '');
    }
  });
  afterAll(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });

  it('shows what a document is a copy of, as the contract says', async () => {
    const [first = '', second = '', other = ''] = ids;
    const document = await footnote.documents.get(first);
    expect(document.duplicates).toMatchObject([{ documentId: second, uri: '1.html', kind: 'near', similarity: 1 }]);
    expect(documentDetailSchema.parse({ ...document, chunks: 1 }).duplicates).toEqual(document.duplicates);
    expect((await footnote.documents.get(other)).duplicates).toEqual([]);
  });

  it('finds the content once and the frame not at all, which stays in the text', async () => {
    const found = await footnote.search({ query: 'which pump was replaced in spring', mode: 'embedded' });
    expect(found.results.map(({ documentId, alsoIn }) => [documentId, alsoIn.map((one) => one.documentId)])).toEqual([
      [expect.stringMatching(new RegExp(ids.slice(0, 2).join('|'))), [expect.any(String)]],
    ]);
    expect((await footnote.search({ query: 'Quokka', mode: 'embedded' })).results).toEqual([]);
    expect((await footnote.documents.text(ids[0] ?? '')).text).toContain('Quokka');
  });
});
