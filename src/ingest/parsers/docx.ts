// DOCX (ECMA-376 part 1 §17) to canonical text, read as a stream, block by block: a reader of our own, since the way over HTML (mammoth) took
// more than thirty times the memory of the file's XML and left out equations and labels. Footnotes and comments stand at the end.
import type { ParseInput, Parser } from '../parse.ts';
import { createBlockWriter } from './block-writer.ts';
import { parsedDocument, requireText } from './canonical-text.ts';
import type { InlineSink } from './docx-inline.ts';
import { readNumbering } from './docx-numbering.ts';
import { readParagraphStyles } from './docx-styles.ts';
import { createDocxReader, noteText } from './docx-text.ts';
import { recogniseEmbedded } from './embedded-pictures.ts';
import { coreFacts, embeddedFiles, mainPart, relationshipsOf, requirePart } from './office-package.ts';
import { attributeOf, piecesOf, readXmlBranches, type XmlElement } from './xml-text.ts';
import { openZip, type ZipFile } from './zip.ts';

const mime = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

export const docx: Parser = {
  name: 'docx',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const { name } = input;
    const zip = openZip(input.bytes, name);
    const main = mainPart(zip, 'word/document.xml', name);
    if (!zip.has(main)) requirePart(zip, main, name);
    const relationships = relationshipsOf(zip, main, name);
    const partOf = (type: string): string | undefined =>
      relationships.find((relationship) => relationship.type === type && zip.has(relationship.path))?.path;
    const sourceOf = (type: string): string | undefined => {
      const path = partOf(type);
      return path === undefined ? undefined : zip.text(path);
    };
    const images = relationships.filter(({ type }) => type === 'image').map(({ path }) => path);
    const pictures = await recogniseEmbedded(input, zip, images);
    const marks = createMarks();
    const writer = createBlockWriter();
    const reader = createDocxReader(
      {
        zip,
        name,
        relationships,
        styleOf: readParagraphStyles(sourceOf('styles'), name),
        numbering: readNumbering(sourceOf('numbering'), name),
        pictures,
      },
      marks,
      writer,
    );
    readXmlBranches(piecesOf(zip, main), { name, parents: new Set(['body']), take: reader.block });
    const notes = {
      footnote: readNotes(zip, partOf('footnotes'), name),
      endnote: readNotes(zip, partOf('endnotes'), name),
    };
    for (const { kind, id, mark } of marks.notes) {
      const text = notes[kind].get(id)?.text ?? '';
      if (text !== '') writer.put('other', `${mark} ${text}`);
    }
    const comments = readNotes(zip, partOf('comments'), name);
    for (const id of marks.comments) {
      const { text, author } = comments.get(id) ?? { text: '', author: '' };
      if (text !== '') writer.put('other', `Comment${author === '' ? '' : ` by ${author}`}: ${text}`);
    }
    const document = writer.finish();
    requireText(document.text, name);
    const core = coreFacts(zip, 'docProps/core.xml');
    const { picturesWithoutText, embeddedParts: parts } = reader;
    return parsedDocument({
      ...document,
      // Pages are cited only where Word counted as many when it saved the file: other programs leave its marks as they were.
      places: reader.pageBreaks > 0 && pageCount(zip) === reader.pageBreaks + 1 ? document.places : [],
      mime,
      title: core.title ?? document.headings.find((heading) => heading.level === 1)?.title,
      language: core.language,
      metadata: { ...core.metadata, ...pictures.metadata() },
      attachments: embeddedFiles(zip, relationships),
      warnings: [
        ...pictures.warnings(picturesWithoutText),
        ...(parts === 0 ? [] : [`${parts} embedded ${parts === 1 ? 'file is' : 'files are'} not read.`]),
      ],
    });
  },
};

/** The number of pages when the file was saved (ECMA-376 part 1 §22.2.2.19). */
const pageCount = (zip: ZipFile): number =>
  Number(/<(?:\w+:)?Pages>(\d+)</u.exec(zip.text('docProps/app.xml', 1_000_000) ?? '')?.[1] ?? 0);

interface Marks extends InlineSink {
  readonly notes: readonly { readonly kind: 'footnote' | 'endnote'; readonly id: string; readonly mark: string }[];
  /** Ids in the order of the text. */
  readonly comments: ReadonlySet<string>;
}

function createMarks(): Marks {
  const notes: { kind: 'footnote' | 'endnote'; id: string; mark: string }[] = [];
  const comments = new Set<string>();
  return {
    notes,
    comments,
    note(kind, id) {
      const mark = `[${notes.length + 1}]`;
      notes.push({ kind, id, mark });
      return mark;
    },
    comment(id) {
      comments.add(id);
    },
  };
}

/** Notes or comments by their ids. What they refer to in turn is not followed. */
function readNotes(
  zip: ZipFile,
  part: string | undefined,
  name: string,
): Map<string, { text: string; author: string }> {
  const notes = new Map<string, { text: string; author: string }>();
  if (part === undefined) return notes;
  const take = (note: XmlElement): void => {
    const text = noteText(note, { note: () => '', comment: () => {} });
    notes.set(attributeOf(note, 'id') ?? '', { text, author: attributeOf(note, 'author')?.trim() ?? '' });
  };
  readXmlBranches(piecesOf(zip, part), { name, parents: new Set(['footnotes', 'endnotes', 'comments']), take });
  return notes;
}
