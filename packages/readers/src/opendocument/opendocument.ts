// ODT (ODF 1.3 part 3) to canonical text: headings, paragraphs, lists, tables, text boxes in the order of the file, then footnotes and comments.
// Headers, footers and deleted text are left out.

import { createBlockWriter } from '../canonical/block-writer.ts';
import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { createEndMatter } from '../canonical/end-matter.ts';
import { childOf } from '../containers/xml-text.ts';
import type { ZipFile } from '../containers/zip.ts';
import { pictureLines, recogniseEmbedded } from '../pictures/embedded-pictures.ts';
import type { ParseInput, Parser } from '../reader.ts';
import {
  isOldOpenOffice,
  objectText,
  openDocumentFacts,
  openOpenDocument,
  picturesOf,
  treeOf,
} from './opendocument-package.ts';
import { stylesOf } from './opendocument-styles.ts';
import { withoutDeleted, writeOpenDocument } from './opendocument-text.ts';

const mime = 'application/vnd.oasis.opendocument.text';

export const opendocument: Parser = {
  name: 'opendocument',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const zip = openOpenDocument(input);
    const content = treeOf(zip, 'content.xml', input.name);
    // In OpenOffice.org 1 what the body holds is told by an attribute, and stands in it without a part around it.
    const outer = childOf(content, 'body');
    const body = childOf(outer, 'text') ?? (isOldOpenOffice(content) ? outer : undefined);
    const writer = createBlockWriter();
    const notesAtEnd: { text: string; page: number; heading: string | undefined }[] = [];
    let notes = 0;
    const pictures = await recogniseEmbedded(input, zip, picturesOf(zip));
    let picturesWithoutText = 0;
    let pages = 1;
    writer.at('page 1');
    if (body !== undefined)
      writeOpenDocument(withoutDeleted(body), stylesOf(content, treeOf(zip, 'styles.xml', input.name)), {
        put: writer.put,
        note(kind, text) {
          if (text === '') return '';
          if (kind === 'comment') {
            notesAtEnd.push({ text, page: pages, heading: writer.heading });
            return '';
          }
          notes++;
          notesAtEnd.push({ text: `[${notes}] ${text}`, page: pages, heading: writer.heading });
          return `[${notes}]`;
        },
        pageBreak() {
          pages++;
          writer.at(`page ${pages}`);
        },
        picture(part, isDescribed) {
          for (const { kind, text } of pictureLines(pictures, part)) writer.put(kind, text);
          if (!isDescribed && !pictures.hasText(part)) picturesWithoutText++;
        },
        object: (path) => objectText(zip, path, input.name),
      });
    // Each is cited by the page or heading that it stands on or under.
    const endMatter = createEndMatter(writer);
    for (const { text, page, heading } of notesAtEnd) {
      writer.at(`page ${page}`);
      endMatter.put(text, heading);
    }
    const document = writer.finish();
    requireText(document.text, input.name);
    const facts = openDocumentFacts(zip);
    const title = facts.title ?? document.headings.find(({ level }) => level === 1)?.title;
    // Pages are cited only where as many were counted when the file was saved: breaks that authors set leave no mark.
    const hasPages = pages > 1 && pageCount(zip) === pages;
    return parsedDocument({
      ...document,
      places: hasPages ? document.places : endMatter.places(document.headings, title),
      mime,
      title,
      language: facts.language,
      metadata: { ...facts.metadata, ...pictures.metadata() },
      warnings: pictures.warnings(picturesWithoutText),
    });
  },
};

const pageCount = (zip: ZipFile): number =>
  Number(/\bmeta:page-count="(\d+)"/u.exec(zip.text('meta.xml', 1_000_000) ?? '')?.[1] ?? 0);
