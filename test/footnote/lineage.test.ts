// A document says which answers rest on it, also after it was changed or deleted, and only to those whose answers they are.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-lineage-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

it('names the answers that cite a document, and that it was changed under them', async () => {
  const footnote = opened.forScope(localScope());
  const write = (text: string) => footnote.documents.add({ text, mime: 'text/plain', uri: 'tower.txt' });
  const [document] = await write('The lighthouse of Westport is 41 metres tall.');
  const documentId = document?.id ?? '';
  const answer = await footnote.ask({ question: 'How tall is the lighthouse of Westport?' });
  const chunkId = answer.citations[0]?.chunkId ?? '';
  const before = await footnote.answers.using({ documentId }, {});
  expect(before.data).toMatchObject([{ answerId: answer.id, chunks: [{ chunkId, cited: true, isCurrent: true }] }]);
  await write('The lighthouse of Westport is 44 metres tall since it was rebuilt.');
  const after = await footnote.answers.using({ documentId, chunkId }, {});
  expect(after.data).toMatchObject([{ answerId: answer.id, chunks: [{ isCurrent: false }] }]);
  expect((await footnote.answers.using({ documentId: 'doc_other' }, {})).data).toEqual([]);
  const stranger = opened.forScope({ tenant: localScope().tenant, principal: { id: 's', role: 'reader', groups: [] } });
  expect((await stranger.answers.using({ documentId }, {})).data).toEqual([]);
});
