// ODT (ODF 1.3 part 3) to canonical text: headings, paragraphs, lists, tables, text boxes in the order of the file, then footnotes and comments.
// Headers, footers and deleted text are left out.
import type { ParseInput, Parser } from '../parse.ts';
import { createBlockWriter } from './block-writer.ts';
import { parsedDocument, requireText } from './canonical-text.ts';
import { pictureLines, recogniseEmbedded } from './embedded-pictures.ts';
import { objectText, openDocumentFacts, openOpenDocument, picturesOf, treeOf } from './opendocument-package.ts';
import { stylesOf, writeOpenDocument } from './opendocument-text.ts';
import { childOf } from './xml-text.ts';
import type { ZipFile } from './zip.ts';

const mime = 'application/vnd.oasis.opendocument.text';

export const opendocument: Parser = {
  name: 'opendocument',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const zip = openOpenDocument(input);
    const content = treeOf(zip, 'content.xml', input.name);
    const body = childOf(content, 'body', 'text');
    const writer = createBlockWriter();
    const endMatter: string[] = [];
    let notes = 0;
    const pictures = await recogniseEmbedded(input, zip, picturesOf(zip));
    let picturesWithoutText = 0;
    let pages = 1;
    writer.at('page 1');
    if (body !== undefined)
      writeOpenDocument(body, stylesOf(content, treeOf(zip, 'styles.xml', input.name)), {
        put: writer.put,
        note(kind, text) {
          if (text === '') return '';
          if (kind === 'comment') {
            endMatter.push(text);
            return '';
          }
          notes++;
          endMatter.push(`[${notes}] ${text}`);
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
    writer.at(undefined);
    for (const text of endMatter) writer.put('other', text);
    const document = writer.finish();
    requireText(document.text, input.name);
    const facts = openDocumentFacts(zip);
    return parsedDocument({
      ...document,
      // Pages are cited only where as many were counted when the file was saved: breaks that authors set leave no mark.
      places: pages > 1 && pageCount(zip) === pages ? document.places : [],
      mime,
      title: facts.title ?? document.headings.find(({ level }) => level === 1)?.title,
      language: facts.language,
      metadata: { ...facts.metadata, ...pictures.metadata() },
      warnings: pictures.warnings(picturesWithoutText),
    });
  },
};

const pageCount = (zip: ZipFile): number =>
  Number(/\bmeta:page-count="(\d+)"/u.exec(zip.text('meta.xml', 1_000_000) ?? '')?.[1] ?? 0);
