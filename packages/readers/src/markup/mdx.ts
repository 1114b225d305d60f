// MDX 3: Markdown with JSX, imports and expressions. The canonical text is the file itself, cited by line; imports and expressions are code, the text
// inside elements is prose. Nothing is evaluated. A file that is no valid MDX is read as Markdown, and says so.
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { mdxjs } from 'micromark-extension-mdxjs';
import { requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { readPictures } from '../pictures/markdown-pictures.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { type MarkdownReading, markdownByLine, markdownDocument, readMarkdown } from './markdown.ts';

/** Elements in one another: more than people write, and the syntax takes time for each at each line. */
const maxOpenTags = 2000;

export const mdx: Parser = {
  name: 'mdx',
  mimes: ['text/mdx'],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name);
    requireText(source, input.name);
    const { text, pictures } = await readPictures(source, input);
    const { reading, notes } = readMdx(text);
    return markdownDocument(text, reading, { mime: 'text/mdx', warnings: [...warnings, ...notes], pictures });
  },
};

/** For files that a full reading would not get through in time. */
export const mdxByLine: Parser = {
  ...mdx,
  name: 'mdx-by-line',
  parse: async (input: ParseInput) => ({ ...(await markdownByLine.parse(input)), mime: 'text/mdx' }),
};

function readMdx(text: string): { reading: MarkdownReading; notes: string[] } {
  const openTags = text.match(/<[A-Za-z>]/gu)?.length ?? 0;
  let why = 'it has too many elements';
  if (openTags <= maxOpenTags) {
    try {
      return { reading: readMarkdown(text, { syntax: mdxjs(), tree: mdxFromMarkdown() }), notes: [] };
    } catch (error) {
      why = error instanceof Error ? error.message.slice(0, 160) : 'its syntax is wrong';
    }
  }
  return { reading: readMarkdown(text), notes: [`Read as Markdown, as it is no valid MDX: ${why}`] };
}
