// Which parser reads a file: the type is sniffed from the bytes, and the parser of that type is loaded when first needed.
import { FootnoteError } from '../../core/errors.ts';
import type { ParseInput, Parser } from '../parse.ts';
import { sniffMedia } from '../sniff.ts';
import { readableFormats } from './decode.ts';

type Load = () => Promise<Parser>;

const loadPlainText: Load = async () => (await import('./plain-text.ts')).plainText;
const loadMarkdown: Load = async () => (await import('./markdown.ts')).markdown;
const loadHtml: Load = async () => (await import('./html.ts')).html;
const loadPdf: Load = async () => (await import('./pdf.ts')).pdf;

const loaders: Readonly<Record<string, Load>> = {
  'text/plain': loadPlainText,
  'text/markdown': loadMarkdown,
  'text/html': loadHtml,
  'application/pdf': loadPdf,
};

/** Media types that can be read. */
export const readableMimes: readonly string[] = Object.keys(loaders);

export interface ParserChoice {
  readonly parser: Parser;
  /** The input with the media type that was found. */
  readonly input: ParseInput;
}

/** The parser for a file. Throws `unsupported-media` naming what is readable, or `invalid-media` for an empty file. */
export async function parserFor(input: ParseInput): Promise<ParserChoice> {
  const mime = await sniffMedia(input);
  const load = loaders[mime];
  if (load === undefined) throw new FootnoteError('unsupported-media', `${input.name} is ${mime}. ${readableFormats}`);
  return { parser: await load(), input: { ...input, mime } };
}
