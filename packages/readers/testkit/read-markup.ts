// What tests ask of a parsed file: the whole of it, checked, its blocks and its headings as lines.
import type { ParsedDocument } from '../src/document.ts';
import { parseFile } from '../src/registry/registry.ts';
import { expectWellFormed } from './well-formed.ts';

export async function readMarkup(name: string, lines: readonly string[] | string): Promise<ParsedDocument> {
  const document = await parseFile({ name, bytes: Buffer.from(typeof lines === 'string' ? lines : lines.join('\n')) });
  expectWellFormed(document);
  return document;
}

export const kindsOf = ({ text, blocks }: ParsedDocument): string[] =>
  blocks.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`);

export const headingsOf = ({ headings }: ParsedDocument): string[] =>
  headings.map(({ level, title }) => `${level} ${title}`);
