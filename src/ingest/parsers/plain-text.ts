// Plain text: the canonical text is the decoded file itself, its blocks are the paragraphs between blank lines.
import type { ParseInput, Parser } from '../parse.ts';
import { paragraphBlocks, parsedDocument, requireText } from './canonical-text.ts';
import { decodeText } from './decode.ts';

export const plainText: Parser = {
  name: 'plain-text',
  mimes: ['text/plain'],
  parse: async (input: ParseInput) => {
    const { text, encoding, warnings } = decodeText(input.bytes, input.name);
    requireText(text, input.name);
    return parsedDocument({
      text,
      mime: 'text/plain',
      blocks: paragraphBlocks(text),
      metadata: encoding === 'utf-8' ? {} : { encoding },
      citeByLine: true,
      warnings,
    });
  },
};
