// DOCX (ECMA-376 part 1 §17) to canonical text, read as a stream, block by block: a reader of our own, since the way over HTML (mammoth) took
// more than thirty times the memory of the file's XML and left out equations and labels. Footnotes and comments stand at the end.

import { type BlockWriter, createBlockWriter } from '../canonical/block-writer.ts';
import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { createEndMatter } from '../canonical/end-matter.ts';
import { coreFacts, embeddedFiles, mainPart, relationshipsOf, requirePart } from '../containers/office-package.ts';
import { attributeOf, piecesOf, readXmlBranches, type XmlElement } from '../containers/xml-text.ts';
import { openZip, type ZipFile } from '../containers/zip.ts';
import { recogniseEmbedded } from '../pictures/embedded-pictures.ts';
import type { ParseInput, Parser } from '../reader.ts';
import type { InlineSink } from './docx-inline.ts';
import { readNumbering } from './docx-numbering.ts';
import { readParagraphStyles } from './docx-styles.ts';
import { createDocxReader, noteText } from './docx-text.ts';

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
    const styleOf = readParagraphStyles(sourceOf('styles'), name);
    const marks = createMarks((id) => styleOf(id).isStruck);
    const writer = createBlockWriter();
    let page: string | undefined;
    const shown = followPages(writer, (label) => {
      page = label;
    });
    const reader = createDocxReader(
      {
        zip,
        name,
        relationships,
        styleOf,
        numbering: readNumbering(sourceOf('numbering'), name),
        pictures,
      },
      marks,
      shown,
    );
    const take = (element: XmlElement): void => {
      reader.block(element);
      marks.stand({ page, heading: writer.heading });
    };
    readXmlBranches(piecesOf(zip, main), { name, parents: new Set(['body']), take });
    reader.end();
    const notes = {
      footnote: readNotes(zip, partOf('footnotes'), name),
      endnote: readNotes(zip, partOf('endnotes'), name),
    };
    const endMatter = createEndMatter(writer);
    const put = (key: string, text: string): void => {
      const stand = marks.standOf.get(key);
      writer.at(stand?.page);
      endMatter.put(text, stand?.heading);
    };
    for (const { kind, id, mark } of marks.notes) {
      const text = notes[kind].get(id)?.text ?? '';
      if (text !== '') put(mark, `${mark} ${text}`);
    }
    const comments = readNotes(zip, partOf('comments'), name);
    for (const id of marks.comments) {
      const { text, author } = comments.get(id) ?? { text: '', author: '' };
      if (text !== '') put(id, `Comment${author === '' ? '' : ` by ${author}`}: ${text}`);
    }
    const document = writer.finish();
    requireText(document.text, name);
    const core = coreFacts(zip, 'docProps/core.xml');
    const { picturesWithoutText, embeddedParts: parts } = reader;
    const title = core.title ?? document.headings.find((heading) => heading.level === 1)?.title;
    // Pages are cited only where Word counted as many when it saved the file: other programs leave its marks as they were.
    const hasPages = reader.pageBreaks > 0 && pageCount(zip) === reader.pageBreaks + 1;
    return parsedDocument({
      ...document,
      places: hasPages ? document.places : endMatter.places(document.headings, title),
      mime,
      title,
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

interface Stand {
  readonly page: string | undefined;
  readonly heading: string | undefined;
}

interface Marks extends InlineSink {
  readonly notes: readonly { readonly kind: 'footnote' | 'endnote'; readonly id: string; readonly mark: string }[];
  /** Ids in the order of the text. */
  readonly comments: ReadonlySet<string>;
  /** Where the mark of a note or the comment with an id stands. */
  readonly standOf: ReadonlyMap<string, Stand>;
  /** What was read since the last call stands here. */
  stand(stand: Stand): void;
}

/** Tells on which page each block is written: a paragraph counts where it begins. */
function followPages(
  { put, at }: BlockWriter,
  tell: (page: string | undefined) => void,
): Pick<BlockWriter, 'put' | 'at'> {
  let label: string | undefined;
  return {
    put(...block) {
      tell(label);
      put(...block);
    },
    at(next) {
      label = next;
      at(next);
    },
  };
}

function createMarks(isStruckStyle: NonNullable<InlineSink['isStruckStyle']>): Marks {
  const standOf = new Map<string, Stand>();
  let read: string[] = [];
  const notes: { kind: 'footnote' | 'endnote'; id: string; mark: string }[] = [];
  const comments = new Set<string>();
  return {
    isStruckStyle,
    notes,
    comments,
    standOf,
    stand(stand) {
      for (const mark of read) standOf.set(mark, stand);
      read = [];
    },
    note(kind, id) {
      const mark = `[${notes.length + 1}]`;
      notes.push({ kind, id, mark });
      read.push(mark);
      return mark;
    },
    comment(id) {
      comments.add(id);
      read.push(id);
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
