// Markdown (CommonMark 0.31 with GFM and front matter): the canonical text is the source itself but for the digits of pictures in it, so every
// offset that the parser reports is an offset into the text; structure comes from the syntax tree, or line by line where there is none.
import type { Nodes, Root } from 'mdast';
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString as plainTextOf } from 'mdast-util-to-string';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { parse as parseYaml } from 'yaml';
import {
  canonicalText,
  governHeadings,
  type HeadingMark,
  parsedDocument,
  publishedDate,
  requireText,
} from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import type { TextPiece } from '../canonical/joined-text.ts';
import type { Block, BlockKind, Metadata, MetadataValue, ParsedDocument } from '../document.ts';
import type { EmbeddedPictures } from '../pictures/embedded-pictures.ts';
import { foldPictures, readPictures } from '../pictures/markdown-pictures.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { isNestedTooDeeply, readByLine, readLines } from './markdown-lines.ts';
import { hideLongTables, withTableRows } from './markdown-tables.ts';

const frontMatterKinds: ('yaml' | 'toml')[] = ['yaml', 'toml'];

export const markdown: Parser = {
  name: 'markdown',
  mimes: ['text/markdown'],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name);
    requireText(source, input.name);
    const { text, pictures } = await readPictures(source, input);
    return markdownDocument(text, readMarkdown(text), { mime: 'text/markdown', warnings, pictures });
  },
};

/** A document of Markdown, or of a format that extends it, that has been read. */
export function markdownDocument(
  text: string,
  { marks, blocks, front }: MarkdownReading,
  {
    mime,
    warnings,
    pictures,
  }: { readonly mime: string; readonly warnings: readonly string[]; readonly pictures: EmbeddedPictures },
): ParsedDocument {
  const [first] = marks;
  // Some trees start every file at the second level.
  const opening = first !== undefined && marks.every((mark) => mark.level >= first.level) ? first.title : undefined;
  const firstTitle = marks.find((mark) => mark.level === 1)?.title ?? opening;
  return parsedDocument({
    text,
    mime,
    title: textField(front.fields, 'title') ?? firstTitle,
    language: textField(front.fields, 'language') ?? textField(front.fields, 'lang'),
    publishedAt: publishedDate(front.fields['date'] ?? front.fields['published'] ?? front.fields['publishedAt']),
    headings: governHeadings(marks, text.length),
    blocks,
    metadata: { ...front.fields, ...pictures.metadata() },
    citeByLine: true,
    warnings: [...warnings, ...front.warnings, ...pictures.warnings(0)],
  });
}

/** What Markdown says without a full reading: for files that a full one would not get through in time. */
export const markdownByLine: Parser = {
  ...markdown,
  name: 'markdown-by-line',
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name);
    requireText(source, input.name);
    const { text } = foldPictures(source);
    const { marks, blocks } = readLines(text);
    const title = marks.find((mark) => mark.level === 1)?.title;
    const headings = governHeadings(marks, text.length);
    return parsedDocument({
      text,
      mime: 'text/markdown',
      title,
      headings,
      blocks,
      citeByLine: true,
      warnings: [...warnings, readByLine],
    });
  },
};

/** Markdown inside another format. */
export function markdownPiece(source: string): TextPiece {
  const text = canonicalText(source).trimEnd();
  const { marks, blocks } = readMarkdown(text);
  return { text, headings: marks, blocks };
}

export interface MarkdownReading {
  readonly marks: HeadingMark[];
  readonly blocks: Block[];
  readonly front: { readonly fields: Metadata; readonly warnings: string[] };
}

/** Extensions of the syntax and of the tree; a syntax that is stricter than Markdown throws. */
export interface MarkdownExtensions {
  readonly syntax: NonNullable<Options['extensions']>[number];
  readonly tree: NonNullable<Options['mdastExtensions']>;
}

export function readMarkdown(text: string, more?: MarkdownExtensions): MarkdownReading {
  const { text: rest, rows } = hideLongTables(text);
  if (!isNestedTooDeeply(rest)) {
    try {
      const tree = fromMarkdown(rest, {
        extensions: [gfm(), frontmatter(frontMatterKinds), ...(more === undefined ? [] : [more.syntax])],
        mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(frontMatterKinds), ...(more?.tree ?? [])],
      });
      const { marks, blocks } = structureOf(tree);
      return { marks, blocks: withTableRows(blocks, rows), front: frontMatterOf(tree) };
    } catch (error) {
      // The parser recurses: it ran out of stack.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return { ...readLines(text), front: { fields: {}, warnings: [readByLine] } };
}

function structureOf(tree: Root): { marks: HeadingMark[]; blocks: Block[] } {
  const marks: HeadingMark[] = [];
  const blocks: Block[] = [];
  const add = (kind: BlockKind, start: number, end: number, isHeader = false): void => {
    if (end > start) blocks.push({ kind, start, end, ...(isHeader && { isHeader }) });
  };
  // A work list instead of recursion: lists nest as deep as the file likes.
  const pending: Nodes[] = [...tree.children].reverse();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const [start, end] = rangeOf(node);
    switch (node.type) {
      case 'heading': {
        const standing = node.children.filter(({ type }) => type !== 'delete');
        const title = plainTextOf(standing.length === 0 ? node : standing, { includeHtml: false })
          .replace(/\s+/g, ' ')
          .trim();
        if (title !== '') marks.push({ start, level: node.depth, title });
        add('heading', start, end);
        break;
      }
      case 'list':
        pending.push(...[...node.children].reverse());
        break;
      case 'listItem': {
        const nested = node.children.filter((child) => child.type === 'list');
        add('list-item', start, nested[0] === undefined ? end : rangeOf(nested[0])[0]);
        pending.push(...nested.reverse());
        break;
      }
      case 'table':
        for (const [index, row] of node.children.entries()) add('table-row', ...rangeOf(row), index === 0);
        break;
      case 'paragraph':
        add('paragraph', start, end);
        break;
      case 'code':
        add('code', start, end);
        break;
      // Of MDX: what stands in an element is prose, or the element is all there is.
      case 'mdxJsxFlowElement':
        if (node.children.length > 0) pending.push(...[...node.children].reverse());
        else add('other', start, end);
        break;
      case 'mdxjsEsm':
      case 'mdxFlowExpression':
        add('code', start, end);
        break;
      case 'blockquote':
        add('quote', start, end);
        break;
      default:
        add('other', start, end);
    }
  }
  return { marks, blocks };
}

function rangeOf(node: Nodes): [start: number, end: number] {
  return [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
}

function frontMatterOf(tree: Root): { fields: Metadata; warnings: string[] } {
  const first = tree.children[0];
  if (first?.type !== 'yaml') return { fields: {}, warnings: [] };
  try {
    const value: unknown = parseYaml(first.value, { maxAliasCount: 50, logLevel: 'silent' });
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fields: {}, warnings: [] };
    const fields: Metadata = {};
    for (const [key, field] of Object.entries(value)) {
      if (key !== '__proto__' && isShallow(field)) fields[key] = field;
    }
    return { fields, warnings: [] };
  } catch {
    return { fields: {}, warnings: ['The front matter is not valid YAML; it is kept as text.'] };
  }
}

/** Scalars and lists of scalars: what metadata can be filtered on. */
function isShallow(value: unknown): value is MetadataValue {
  return isScalar(value) || (Array.isArray(value) && value.length <= 1000 && value.every(isScalar));
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}

function textField(fields: Metadata, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
