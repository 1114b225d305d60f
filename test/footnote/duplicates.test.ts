// Copies and frames through the facade: what is shown of a document, what a search finds, what it folds.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { documentDetailSchema } from '../../src/operations/contract/contract.ts';
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

  describe('files of programs', () => {
    const owner = ['Copyright 2019 The Harbour Authors, all rights reserved by them and by those who follow.'];
    const licence = [
      ...owner,
      'You may obtain a copy of the terms at the address of the authors and of those to whom they gave them,',
      'and unless it was agreed to in writing nobody warrants anything at all of what this file does or fails to do,',
      'whether it is used as it stands, or changed, or made a part of something larger that is handed on to others.',
    ];
    const block = (lines: readonly string[]): string => `/*\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
    const lined = (sign: string) => (lines: readonly string[]) => lines.map((line) => `${sign} ${line}\n`).join('');
    /** Long enough to be compared. */
    const long = (kind: string): string =>
      Array.from({ length: 12 }, (_, n) => `${kind}_tide_${n} { keel: ${kind}${n}px; mast: ${kind}${n * 7}px }`).join(
        '\n',
      );
    const kinds = [
      ['ts', block, ['export const first = 1;', 'export function openDoor(name: string): string {\n  return name;\n}']],
      ['py', lined('#'), ['import os\n\nprint(os.getcwd())', 'def add(a, b):\n    return a + b']],
      ['sql', lined('--'), ['SELECT name FROM birds;', 'CREATE TABLE boats (id INTEGER, name TEXT);']],
      ['css', block, ['.door { color: red }', 'body { margin: 0; padding: 4px }']],
    ] as const;

    it.each(kinds)(
      'with one licence at their head (%s) are not nearly the same; the same program under another is',
      async (kind, head, programs) => {
        const add = async (name: string, text: string) =>
          (await footnote.documents.add({ text, uri: `${name}.${kind}` }))[0];
        await add(`${kind}-one`, `${head(licence)}\n${programs[0]}\n`);
        const second = await add(`${kind}-two`, `${head(licence)}\n${programs[1]}\n${long(kind)}\n`);
        expect(second?.duplicates ?? []).toEqual([]);
        const copy = await add(`${kind}-copy`, `${head(owner)}\n${programs[1]}\n${long(kind)}\n`);
        expect(copy?.duplicates?.map(({ uri }) => uri)).toEqual([`${kind}-two.${kind}`]);
      },
    );
  });
});
