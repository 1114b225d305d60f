// DOCX by way of HTML (mammoth): headings by style, lists, tables, footnotes; then the same rendering as for HTML.
// The archive is measured before it is unpacked.
import mammoth from 'mammoth';
import type { Metadata } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { ParseInput, Parser } from '../parse.ts';
import { canonicalText, parsedDocument, publishedDate, requireText } from './canonical-text.ts';
import { htmlDocument } from './html.ts';
import { readZipDirectory, readZipText } from './zip.ts';

const mime = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

export const docx: Parser = {
  name: 'docx',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const entries = readZipDirectory(input.bytes, input.name);
    const body = await toHtml(input);
    const document = htmlDocument(body, mime);
    requireText(document.text, input.name);
    const core = coreFacts(readZipText(input.bytes, entries, 'docProps/core.xml') ?? '');
    return parsedDocument({
      ...document,
      title: core.title ?? document.title,
      language: core.language,
      metadata: core.metadata,
    });
  },
};

async function toHtml({ bytes, name }: ParseInput): Promise<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const result = await mammoth.convertToHtml(
      { buffer },
      // Images are not text; their alternative text stays.
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
    );
    return result.value;
  } catch (error) {
    throw new FootnoteError(
      'invalid-media',
      `${name} is damaged: it cannot be read as a DOCX document. Save it again.`,
      {
        cause: error,
      },
    );
  }
}

interface CoreFacts {
  readonly title?: string;
  readonly language?: string;
  readonly metadata: Metadata;
}

/** Dublin Core fields of docProps/core.xml; flat by specification (ECMA-376 part 2), so a pattern suffices. */
function coreFacts(xml: string): CoreFacts {
  const field = (tag: string): string | undefined => {
    const value = new RegExp(`<${tag}(?:\\s[^>]*)?>([^<]*)</${tag}>`).exec(xml)?.[1]?.trim();
    return value === undefined || value === '' ? undefined : canonicalText(unescapeXml(value));
  };
  const title = field('dc:title');
  const language = field('dc:language')?.split('-')[0]?.toLowerCase();
  const facts: Record<string, string | undefined> = {
    author: field('dc:creator'),
    subject: field('dc:subject'),
    keywords: field('cp:keywords'),
    created: publishedDate(field('dcterms:created')),
    modified: publishedDate(field('dcterms:modified')),
  };
  const metadata: Metadata = {};
  for (const [key, value] of Object.entries(facts)) if (value !== undefined) metadata[key] = value;
  return { metadata, ...(title === undefined ? {} : { title }), ...(language === undefined ? {} : { language }) };
}

function unescapeXml(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return named[name] ?? whole;
    const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
