// ODP (ODF 1.3 part 3 §10) to canonical text, as PPTX is: slides in order, shapes in reading order, speaker notes labelled. Cited by
// slide. ODG, drawings, are the same with pages.

import { createBlockWriter } from '../canonical/block-writer.ts';
import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  descendantsOf,
  elementsOf,
  type XmlElement,
} from '../containers/xml-text.ts';
import type { ZipFile } from '../containers/zip.ts';
import type { ShapeBox } from '../office/presentation-order.ts';
import { type Slide, type SlideLine, type SlideShape, writeSlides } from '../office/presentation-slide.ts';
import { type EmbeddedPictures, pictureLines, recogniseEmbedded } from '../pictures/embedded-pictures.ts';
import type { ParseInput, Parser } from '../reader.ts';
import {
  isOldOpenOffice,
  objectText,
  openDocumentFacts,
  openOpenDocument,
  picturesOf,
  treeOf,
} from './opendocument-package.ts';
import { type OpenDocumentStyles, stylesOf } from './opendocument-styles.ts';
import { alternativeText, writeOpenDocument } from './opendocument-text.ts';

const slidesMime = 'application/vnd.oasis.opendocument.presentation';
const drawingMime = 'application/vnd.oasis.opendocument.graphics';

export const opendocumentSlides: Parser = {
  name: 'opendocument-slides',
  mimes: [slidesMime, drawingMime],
  parse: async (input: ParseInput) => {
    const zip = openOpenDocument(input);
    const content = treeOf(zip, 'content.xml', input.name);
    const styles = stylesOf(content, treeOf(zip, 'styles.xml', input.name));
    const hidden = hiddenStyles(content);
    const pictures = await recogniseEmbedded(input, zip, picturesOf(zip));
    const drawing = childOf(content, 'body', 'drawing');
    const body =
      childOf(content, 'body', 'presentation') ?? (isOldOpenOffice(content) ? childOf(content, 'body') : drawing);
    const slides = childrenOf(body, 'page').map((page) =>
      readPage(page, {
        zip,
        name: input.name,
        styles,
        pictures,
        isHidden: hidden.has(attributeOf(page, 'style-name') ?? ''),
      }),
    );
    const writer = createBlockWriter();
    const { runningHeads, warnings, picturesWithoutText } = writeSlides(
      writer,
      slides,
      drawing === undefined ? 'slide' : 'page',
    );
    const document = writer.finish();
    requireText(slides.length === 0 ? '' : document.text, input.name);
    const facts = openDocumentFacts(zip);
    return parsedDocument({
      ...document,
      mime: drawing === undefined ? slidesMime : drawingMime,
      title: facts.title ?? (drawing === undefined ? document.headings[0]?.title : undefined),
      language: facts.language,
      metadata: { ...facts.metadata, ...pictures.metadata(), ...(drawing === undefined && { slides: slides.length }) },
      runningHeads,
      warnings: [...warnings, ...pictures.warnings(picturesWithoutText)],
    });
  },
};

interface PageSource {
  readonly zip: ZipFile;
  readonly name: string;
  readonly styles: OpenDocumentStyles;
  readonly pictures: EmbeddedPictures;
  readonly isHidden: boolean;
}

function hiddenStyles(content: XmlElement | undefined): Set<string> {
  const names = new Set<string>();
  for (const style of content === undefined ? [] : descendantsOf(content, 'style'))
    if (attributeOf(childOf(style, 'drawing-page-properties'), 'visibility') === 'hidden')
      names.add(attributeOf(style, 'name') ?? '');
  return names;
}

function readPage(page: XmlElement, source: PageSource): Slide {
  const titles: string[] = [];
  const footers: string[] = [];
  const comments: string[] = [];
  const shapes: SlideShape[] = [];
  let picturesWithoutText = 0;
  const linesOf = (element: XmlElement): SlideLine[] => {
    const lines: SlideLine[] = [];
    writeOpenDocument({ name: 'shapes', attributes: {}, children: [element] }, source.styles, {
      put: (kind, text) =>
        lines.push({
          kind: kind === 'list-item' || kind === 'table-row' || kind === 'other' ? kind : 'paragraph',
          text,
        }),
      note(_, text) {
        if (text !== '') comments.push(text);
        return '';
      },
      picture(part, isDescribed) {
        lines.push(...pictureLines(source.pictures, part));
        if (!isDescribed && !source.pictures.hasText(part)) picturesWithoutText++;
      },
      object: (path) => objectText(source.zip, path, source.name),
    });
    return lines;
  };
  const textOf = (element: XmlElement): string =>
    linesOf(element)
      .map(({ text }) => text.replace(/^- /u, ''))
      .join(' ');
  const pending = [...elementsOf(page)].reverse();
  for (let shape = pending.pop(); shape !== undefined; shape = pending.pop()) {
    const role = attributeOf(shape, 'class');
    if (shape.name === 'notes') continue;
    if (shape.name === 'g') pending.push(...elementsOf(shape).reverse());
    else if (shape.name === 'annotation') linesOf(shape);
    else if (role === 'title') titles.push(textOf(shape));
    else if (role === 'footer' || role === 'date-time' || role === 'header') footers.push(textOf(shape));
    else if (role !== 'page-number') {
      const lines = linesOf(shape);
      const described = shape.name === 'frame' ? '' : alternativeText(shape);
      if (described !== '') lines.push({ kind: 'other', text: `Image: ${described}` });
      if (lines.length > 0) shapes.push({ box: boxOf(shape), lines });
    }
  }
  const notes = elementsOf(childOf(page, 'notes') ?? page)
    .filter((frame) => attributeOf(frame, 'class') === 'notes')
    .map(textOf);
  return {
    title: titles.join(' '),
    shapes,
    notes: notes.filter((note) => note.trim() !== ''),
    comments,
    footers: footers.filter((footer) => footer.trim() !== ''),
    isHidden: source.isHidden,
    picturesWithoutText,
  };
}

const unitsInMillimetres: Readonly<Record<string, number>> = {
  mm: 1,
  cm: 10,
  in: 25.4,
  pt: 25.4 / 72,
  pc: 25.4 / 6,
  px: 25.4 / 96,
};

function boxOf(shape: XmlElement): ShapeBox | undefined {
  const read = (name: string): number | undefined => {
    const match = /^(-?[\d.]+)\s*([a-z]{2})$/iu.exec(attributeOf(shape, name)?.trim() ?? '');
    const unit = unitsInMillimetres[match?.[2]?.toLowerCase() ?? ''];
    return unit === undefined ? undefined : Number(match?.[1]) * unit;
  };
  const [x, y] = [read('x'), read('y')];
  if (x === undefined || y === undefined) return undefined;
  return { x, y, width: read('width') ?? 0, height: read('height') ?? 0 };
}
