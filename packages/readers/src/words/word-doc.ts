// DOC (Word 97–2003, [MS-DOC]) to canonical text: headings by style, lists, rows of tables, then text boxes, footnotes, endnotes and comments,
// the text of pictures behind the paragraph that shows them. Headers, footers, deleted and hidden text and field codes are left out.

import { type BlockWriter, createBlockWriter } from '../canonical/block-writer.ts';
import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { createEndMatter } from '../canonical/end-matter.ts';
import { type CellEdges, createTableRows } from '../canonical/table-spans.ts';
import { openCompound } from '../containers/compound-file.ts';
import { summaryFacts } from '../office/office-summary.ts';
import {
  drawingsNotRead,
  type EmbeddedPictures,
  pictureLines,
  recognisePictures,
} from '../pictures/embedded-pictures.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { docPictures, pictureKey } from './word-doc-pictures.ts';
import { type DocFile, type DocParagraph, readDocFile } from './word-doc-stream.ts';

const mime = 'application/msword';

export const wordDoc: Parser = {
  name: 'word-doc',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const { stream: streams } = openCompound(input.bytes, input.name);
    const main = streams('WordDocument');
    if (main === undefined)
      throw new ReadError('invalid-media', `${input.name} is damaged: it holds no Word document. Save it again.`);
    const file = readDocFile(main, { table: (which) => streams(`${which}Table`), data: streams('Data') }, input.name);
    const marks = [...file.body, ...file.textBoxes].flatMap((paragraph) => paragraph.pictures);
    const { held, drawings } = docPictures(marks, { data: streams('Data'), art: file.art, main });
    const pictures = await recognisePictures(input, held);
    const writer = createBlockWriter();
    const standing = writeBody(writer, file, pictures);
    const endMatter = createEndMatter(writer);
    for (const [mark, paragraphs] of [
      ['', file.footnotes],
      ['e', file.endnotes],
    ] as const)
      for (const [index, text] of notesOf(paragraphs).entries())
        endMatter.put(`[${mark}${index + 1}] ${text}`, standing.notes.get(`${mark}${index + 1}`));
    for (const [index, text] of commentsOf(file).entries()) endMatter.put(text, standing.comments[index]);
    const document = writer.finish();
    requireText(document.text, input.name);
    const { title: said, ...metadata } = summaryFacts(streams('\u0005SummaryInformation'));
    const title = typeof said === 'string' ? said : document.headings.find(({ level }) => level === 1)?.title;
    return parsedDocument({
      ...document,
      places: endMatter.places(document.headings, title),
      mime,
      title,
      metadata: { ...metadata, ...pictures.metadata() },
      warnings: [
        ...pictures.warnings(held.filter(({ key }) => !pictures.hasText(key)).length),
        ...drawingsNotRead(drawings),
      ],
    });
  },
};

/** Under which headings the marks of notes and comments stand. */
interface Standing {
  readonly notes: ReadonlyMap<string, string | undefined>;
  /** In order. */
  readonly comments: readonly (string | undefined)[];
}

function writeBody(writer: BlockWriter, file: DocFile, pictures: EmbeddedPictures): Standing {
  const notes = new Map<string, string | undefined>();
  const comments: (string | undefined)[] = [];
  const countOfFootnotes = countNotes(file.footnotes);
  let footnotes = 0;
  /** Keys of pictures of the paragraph, or of the row of a table. */
  let shown: string[] = [];
  const showPictures = (keys: readonly string[]): void => {
    for (const key of keys) for (const { kind, text } of pictureLines(pictures, key)) writer.put(kind, text);
  };
  let row: string[] = [];
  let cell: string[] = [];
  const table = createTableRows((line, keys) => {
    writer.put('table-row', line);
    showPictures(keys);
  });
  const endRow = (known?: CellEdges): void => {
    table.add({ texts: row, known }, shown);
    row = [];
    shown = [];
  };
  const endTable = (): void => {
    // What no mark of a cell ends belongs to the table all the same.
    const left = cell.filter((text) => text.trim() !== '');
    cell = [];
    if (row.length > 0 && left.length > 0) row.push(left.splice(0).join(' ').replace(/\s+/gu, ' ').trim());
    endRow();
    table.end();
    for (const text of left) writer.put('paragraph', text);
  };
  /** The label before a paragraph; undefined for what is in no list. */
  const labelOf = ({ list, styleIndex }: DocParagraph): string | undefined => {
    const style = file.listOfStyle(styleIndex);
    const id = list.id ?? style.id ?? 0;
    if (id <= 0 || id >= 0x7fff) return undefined;
    const level = Math.min(list.level ?? style.level ?? 0, 8);
    return file.numbering({ id: `${id}`, level }) ?? '-';
  };
  for (const paragraph of [...file.body, ...file.textBoxes]) {
    const isInRow = paragraph.isRowEnd || paragraph.end === '\u0007' || paragraph.isInTable;
    if (!isInRow) endTable();
    shown.push(...paragraph.pictures.map(pictureKey));
    const text = readable(paragraph.text, () => {
      footnotes++;
      const mark = footnotes <= countOfFootnotes ? `${footnotes}` : `e${footnotes - countOfFootnotes}`;
      notes.set(mark, writer.heading);
      return `[${mark}]`;
    });
    for (const _ of paragraph.text.matchAll(/\u0005/gu)) comments.push(writer.heading);
    const label = text.trim() === '' || paragraph.isRowEnd ? undefined : labelOf(paragraph);
    const labelled = label === undefined ? text : `${label} ${text}`;
    if (paragraph.isRowEnd) endRow(paragraph.row);
    else if (paragraph.end === '\u0007') {
      row.push([...cell, labelled].join(' ').replace(/\s+/gu, ' ').trim());
      cell = [];
    } else if (paragraph.isInTable) cell.push(labelled);
    else {
      const depth = Math.min(paragraph.list.level ?? file.listOfStyle(paragraph.styleIndex).level ?? 0, 8);
      const level = paragraph.outlineLevel ?? file.levelOfStyle(paragraph.styleIndex);
      put(writer, text, { label, depth, level });
      showPictures(shown);
      shown = [];
    }
  }
  endTable();
  return { notes, comments };
}

interface Put {
  readonly label: string | undefined;
  /** Of the item of a list, from 0. */
  readonly depth: number;
  /** Of the heading. */
  readonly level: number | undefined;
}

function put(writer: BlockWriter, text: string, { label, depth, level }: Put): void {
  const content = text.trim();
  if (content === '') return;
  if (level !== undefined)
    writer.put('heading', label === undefined || label === '-' ? content : `${label} ${content}`, level);
  else if (label === undefined || label === '') writer.put('paragraph', text);
  else writer.put('list-item', `${'  '.repeat(depth)}${label} ${content}`);
}

/** Each note begins with its mark: a footnote's or a comment's. */
function notesOf(paragraphs: readonly DocParagraph[]): string[] {
  const notes: string[] = [];
  for (const { text } of paragraphs) {
    const content = readable(text, () => '')
      .replace(/\s+/gu, ' ')
      .trim();
    if (/[\u0002\u0005]/u.test(text)) notes.push(content);
    else if (content !== '' && notes.length > 0) notes.push(`${notes.pop()} ${content}`.trim());
  }
  return notes;
}

/** By where the file says that they begin; else each begins with its mark, which only Word writes. */
function commentsOf({ comments, commentStarts }: DocFile): string[] {
  if (commentStarts.length === 0) return notesOf(comments).map((text) => `Comment: ${text}`);
  const parts: string[][] = commentStarts.map(() => []);
  let comment = 0;
  for (const { text, position } of comments) {
    while (position >= (commentStarts[comment + 1]?.start ?? Number.POSITIVE_INFINITY)) comment++;
    parts[comment]?.push(readable(text, () => ''));
  }
  return parts.map((lines, index) => {
    const author = commentStarts[index]?.author ?? '';
    const said = lines.join(' ').replace(/\s+/gu, ' ').trim();
    return said === '' ? '' : `Comment${author === '' ? '' : ` by ${author}`}: ${said}`;
  });
}

const countNotes = (paragraphs: readonly DocParagraph[]): number =>
  paragraphs.reduce((sum, { text }) => sum + (text.includes('\u0002') ? 1 : 0), 0);

/** Text without field codes, with the characters that Word uses for its own put as people see them. */
function readable(raw: string, noteMark: () => string): string {
  const parts: string[] = [];
  // In a field, its code comes before \u0014 and its result after it; fields nest.
  const inCode: boolean[] = [];
  let codes = 0;
  const leave = (): void => {
    if (inCode.pop()) codes--;
  };
  for (const piece of raw.split(/([\u0001-\u0008\u000b\u000c\u000e-\u001f])/u)) {
    if (piece === '\u0013') {
      inCode.push(true);
      codes++;
    } else if (piece === '\u0014') {
      leave();
      inCode.push(false);
    } else if (piece === '\u0015') leave();
    else if (codes > 0) continue;
    else if (piece === '\u0002') parts.push(noteMark());
    else if (piece === '\u000b') parts.push('\n');
    else if (piece === '\u001e') parts.push('\u2011');
    else if (!/^[\u0001-\u001f]$/u.test(piece) || piece === '\t') parts.push(piece);
  }
  return parts.join('');
}
