// Catalogues of translations (gettext, .po and .pot): the canonical text is the file itself, cited by line; each entry, with its notes, is a record.

import { paragraphBlocks, parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { languageCode } from '../canonical/language-code.ts';
import type { Metadata } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';

const mime = 'text/x-gettext-translation';

export const translations: Parser = {
  name: 'translations',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const head = new TextDecoder('latin1').decode(input.bytes.subarray(0, 4096));
    const declared = /charset=([\w.:-]{1,40})/iu.exec(head)?.[1];
    const { text, warnings } = decodeText(input.bytes, input.name, declared);
    requireText(text, input.name);
    const blocks = paragraphBlocks(text, 'record');
    const header = text.slice(0, 8192);
    const fact = (name: string): string =>
      new RegExp(`^"${name}:([^"\\n]{0,200}?)\\\\n"$`, 'imu').exec(header)?.[1]?.trim() ?? '';
    const language = languageCode(fact('Language'));
    const metadata: Metadata = {};
    for (const [name, key] of [
      ['Project-Id-Version', 'project'],
      ['Last-Translator', 'author'],
      ['PO-Revision-Date', 'modified'],
    ] as const) {
      const value = fact(name);
      if (value !== '') metadata[key] = value;
    }
    return parsedDocument({
      text,
      mime,
      language,
      blocks,
      metadata,
      citeByLine: true,
      warnings,
    });
  },
};
