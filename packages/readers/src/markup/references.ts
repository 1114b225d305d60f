// References (BibTeX and BibLaTeX, RIS) to canonical text: a record for each entry, its fields by their names, cited by its key. Accents written as
// commands become letters; strings that the file defines are put in where they are used, once.

import { createBlockWriter } from '../canonical/block-writer.ts';
import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { bibEntries } from './references-bibtex.ts';
import { risEntries } from './references-ris.ts';

const bibMime = 'application/x-bibtex';
const risMime = 'application/x-research-info-systems';

export const references: Parser = {
  name: 'references',
  mimes: [bibMime, risMime],
  parse: async (input: ParseInput) => {
    const { text, warnings } = decodeText(input.bytes, input.name);
    requireText(text, input.name);
    const mime = input.mime === risMime ? risMime : bibMime;
    const entries = mime === risMime ? risEntries(text) : bibEntries(text, input.name);
    const writer = createBlockWriter();
    let count = 0;
    for (const { key, kind, fields } of entries) {
      count++;
      const value = (name: string): string => fields.find(([field]) => field === name)?.[1] ?? '';
      const label = key === '' ? `entry ${count}` : key;
      writer.at(label);
      writer.put('heading', value('title') || value('booktitle') || label, 1);
      const lines = [
        `${label} (${kind})`,
        ...fields
          .filter(([name, content]) => content !== '' && name !== 'title')
          .map(([name, content]) => `${name}: ${content}`),
      ];
      writer.put('record', lines.join('\n'));
    }
    const document = writer.finish();
    // A file without an entry is text all the same.
    if (count === 0) {
      const { plainText } = await import('./plain-text.ts');
      return { ...(await plainText.parse(input)), mime };
    }
    return parsedDocument({ ...document, mime, metadata: { references: count }, warnings });
  },
};
