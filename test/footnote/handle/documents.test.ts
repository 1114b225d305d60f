import { expect, it } from 'vitest';
import type { DocumentRecord } from '../../../src/core/document.ts';
import { createDocumentsPart } from '../../../src/footnote/handle/documents.ts';

/** A document that is replaced after each of so many readings of its file. */
function replaced(times: number) {
  let edition = 0;
  const documents = {
    get: async (id: string) =>
      ({
        id,
        uri: 'notes/plan.txt',
        mime: 'text/plain',
        contentHash: `content${edition}`,
        textHash: `text${edition}`,
      }) as DocumentRecord,
    async file() {
      const bytes = new TextEncoder().encode(`edition ${edition}`);
      if (edition < times) edition += 1;
      return bytes;
    },
  };
  const options = { record: { documents } } as unknown as Parameters<typeof createDocumentsPart>[0];
  return createDocumentsPart(options, () => {
    throw new Error('No store is asked.');
  });
}

it('gives a part of a file under the edition that it is of', async () => {
  const given = await replaced(2).file('doc_1', { start: 8 });
  expect(given).toMatchObject({ edition: 'content2.text2', name: 'plan.txt', size: 9 });
  expect(new TextDecoder().decode(given.bytes)).toBe('2');
});

it('counts no opening of a document that is not there for whoever asks', async () => {
  let opened = 0;
  const record = { documents: { get: async () => undefined } };
  const options = { record, countOpen: () => (opened += 1) } as unknown as Parameters<typeof createDocumentsPart>[0];
  const documents = createDocumentsPart(options, () => {
    throw new Error('No store is asked.');
  });
  await expect(documents.file('doc_1')).rejects.toMatchObject({ code: 'not-found' });
  expect(opened).toBe(0);
});

it('says that a document is replaced all the time', async () => {
  await expect(replaced(10).file('doc_1')).rejects.toMatchObject({ code: 'conflict' });
});
