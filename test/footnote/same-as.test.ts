// A run over a folder says which of its files say the same as which documents, and a dry run foretells it.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Source } from '../../src/core/document.ts';
import { ingestPreviewSchema } from '../../src/core/documents/preview.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { addedDocumentsSchema, ingestionFileListSchema } from '../../src/operations/contract/contract.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const text = (topic: string, more = ''): string =>
  Array.from(
    { length: 8 },
    (_, index) => `The ${topic} of basin ${topic} ${index} was replaced, ${topic} by ${topic}, in the ${topic} spring.`,
  ).join('\n') + more;

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;
let source: Source;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-same-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  footnote = opened.forScope(localScope());
  const docs = join(folder, 'docs');
  await mkdir(docs);
  source = { name: 'docs', type: 'docs', connector: { kind: 'folder', path: docs } };
  await footnote.documents.add({ text: text('valve'), uri: 'by-hand.txt', source: 'notes' });
  await writeFile(join(docs, 'pump.txt'), text('pump'));
  await writeFile(join(docs, 'pump (1).txt'), text('pump').toUpperCase());
  await writeFile(join(docs, 'plan-v1.txt'), text('gate'));
  await writeFile(
    join(docs, 'plan-v2.txt'),
    text('gate', '\nThe gates of the harbour come last of all, and nobody knows when that is.'),
  );
  await writeFile(join(docs, 'valves.txt'), text('valve'));
  await writeFile(join(docs, 'alone.txt'), text('ferry'));
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

type Files = readonly { readonly uri: string; readonly duplicates?: readonly { uri: string; kind: string }[] }[];
const told = (files: Files) =>
  Object.fromEntries(files.map(({ uri, duplicates }) => [uri, duplicates?.map((one) => `${one.kind} ${one.uri}`)]));

const expected = {
  'pump.txt': ['exact pump (1).txt'],
  'pump (1).txt': ['exact pump.txt'],
  'plan-v1.txt': ['version plan-v2.txt'],
  'plan-v2.txt': ['version plan-v1.txt'],
  'valves.txt': ['exact by-hand.txt'],
  'alone.txt': undefined,
};

describe('files that say the same', () => {
  it('are foretold by a dry run, among themselves and with what is recorded, and told by the run', async () => {
    const preview = await footnote.sources.preview(source);
    expect(told(preview.files)).toEqual(expected);
    expect(ingestPreviewSchema.parse(preview).files).toEqual(preview.files);
    expect((await footnote.documents.list({})).data).toHaveLength(1);

    await footnote.sources.put(source);
    const run = await footnote.sources.sync('docs');
    const page = await footnote.ingestions.files(run.id, {});
    expect(told(page.data)).toEqual(expected);
    expect(ingestionFileListSchema.parse(page).data).toEqual(page.data);

    // Unchanged by now: what is recorded says it.
    expect(told((await footnote.sources.preview(source)).files)).toEqual(expected);
  });

  it('are told of a file that is added by itself', async () => {
    const preview = await footnote.documents.preview({
      text: text('ferry', '\nSo it is.'),
      uri: 'ferry-copy',
      source: 'notes',
    });
    expect(told(preview.files)).toEqual({ 'ferry-copy': ['near alone.txt'] });
    const [one] = await footnote.documents.add({ text: text('ferry'), uri: 'ferry', source: 'notes' });
    expect(one?.duplicates).toMatchObject([{ uri: 'alone.txt', kind: 'exact', similarity: 1 }]);
    expect(addedDocumentsSchema.parse({ documents: [one] }).documents[0]).toEqual(one);
    // A document is no duplicate of what it replaces.
    const again = await footnote.documents.preview({ text: text('ferry', '!'), uri: 'ferry', source: 'notes' });
    expect(told(again.files)).toEqual({ ferry: ['exact alone.txt'] });
  });
});
