// Drawings of Visio since 2013 ([MS-VSDX]) to canonical text: pages in their order, the texts of their shapes as a reader goes over them, the text of pictures.
// Cited by page. What a shape takes from its master without saying it itself is read from there.

import { createBlockWriter } from '../canonical/block-writer.ts';
import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { coreFacts, embeddedFiles, relatedPath, relationshipsOf, requirePart } from '../containers/office-package.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  contentOf,
  descendantsOf,
  elementsOf,
  parseXmlTree,
  type XmlElement,
} from '../containers/xml-text.ts';
import { openZip, type ZipFile } from '../containers/zip.ts';
import type { ShapeBox } from '../office/presentation-order.ts';
import { type Slide, type SlideLine, type SlideShape, writeSlides } from '../office/presentation-slide.ts';
import { pictureLines, recogniseEmbedded } from '../pictures/embedded-pictures.ts';
import type { ParseInput, Parser } from '../reader.ts';

const mime = 'application/vnd.visio';
const pagesPart = 'visio/pages/pages.xml';
const mastersPart = 'visio/masters/masters.xml';
const maxParts = 5000;

export const visio: Parser = {
  name: 'visio',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const zip = openZip(input.bytes, input.name);
    const source = { zip, name: input.name, masters: readMasters(zip, input.name) };
    const pages = partsOf(zip, pagesPart, input.name).map(({ entry, path }) => ({
      entry,
      path,
      relationships: relationshipsOf(zip, path, input.name),
    }));
    const related = pages.flatMap(({ relationships }) => relationships);
    const images = new Set(related.filter(({ type }) => type === 'image').map(({ path }) => path));
    const pictures = await recogniseEmbedded(input, zip, images);
    let silent = 0;
    const slides = pages.map(({ entry, path, relationships }): Slide => {
      const shapes = childrenOf(childOf(requirePart(zip, path, input.name), 'Shapes'), 'Shape').map(
        (shape): SlideShape => {
          const lines = linesOf(shape, source);
          for (const rel of descendantsOf(shape, 'Rel')) {
            const shown = relatedPath(rel, relationships);
            if (!images.has(shown ?? '')) continue;
            lines.push(...pictureLines(pictures, shown));
            if (!pictures.hasText(shown)) silent++;
          }
          return { box: boxOf(shape), lines };
        },
      );
      return {
        title: attributeOf(entry, 'Name') ?? '',
        shapes: shapes.filter(({ lines }) => lines.length > 0),
        notes: [],
        comments: [],
        footers: [],
        isHidden: false,
        picturesWithoutText: 0,
      };
    });
    const writer = createBlockWriter();
    const { warnings } = writeSlides(writer, slides, 'page');
    const document = writer.finish();
    requireText(slides.length === 0 ? '' : document.text, input.name);
    const core = coreFacts(zip, 'docProps/core.xml');
    return parsedDocument({
      ...document,
      mime,
      title: core.title,
      language: core.language,
      metadata: { ...core.metadata, ...pictures.metadata() },
      attachments: embeddedFiles(zip, related),
      warnings: [...warnings, ...pictures.warnings(silent)],
    });
  },
};

interface Source {
  readonly zip: ZipFile;
  readonly name: string;
  /** Texts of the shapes of masters, by the id of the master and of the shape in it; of the first shape under ''. */
  readonly masters: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The parts that an index of pages or masters names, with what it says of each. */
function partsOf(zip: ZipFile, index: string, name: string): { readonly entry: XmlElement; readonly path: string }[] {
  const source = zip.text(index);
  if (source === undefined) return [];
  const relationships = relationshipsOf(zip, index, name);
  return elementsOf(parseXmlTree(source, name))
    .slice(0, maxParts)
    .flatMap((entry) => {
      const rel = childOf(entry, 'Rel');
      const path = rel === undefined ? undefined : relatedPath(rel, relationships);
      return path !== undefined && zip.has(path) ? [{ entry, path }] : [];
    });
}

function readMasters(zip: ZipFile, name: string): Map<string, Map<string, string>> {
  const masters = new Map<string, Map<string, string>>();
  for (const { entry, path } of partsOf(zip, mastersPart, name)) {
    const texts = new Map<string, string>();
    for (const shape of descendantsOf(requirePart(zip, path, name), 'Shape')) {
      const text = textOf(shape);
      if (!texts.has('')) texts.set('', text);
      texts.set(attributeOf(shape, 'ID') ?? '?', text);
    }
    masters.set(attributeOf(entry, 'ID') ?? '', texts);
  }
  return masters;
}

/** Without the marks of formats and fields inside it. */
const textOf = (shape: XmlElement): string => contentOf(childOf(shape, 'Text')).trim();

/** The text of a shape, then those of the shapes that it groups. */
function linesOf(outer: XmlElement, { masters }: Source): SlideLine[] {
  const lines: SlideLine[] = [];
  const pending: { readonly shape: XmlElement; readonly master: string | undefined }[] = [
    { shape: outer, master: attributeOf(outer, 'Master') },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { shape, master } = next;
    const taken = masters.get(master ?? '')?.get(attributeOf(shape, 'MasterShape') ?? '') ?? '';
    const text = childOf(shape, 'Text') === undefined ? taken : textOf(shape);
    for (const line of text.split('\n')) if (line.trim() !== '') lines.push({ kind: 'paragraph', text: line.trim() });
    for (const inner of childrenOf(childOf(shape, 'Shapes'), 'Shape').toReversed())
      pending.push({ shape: inner, master: attributeOf(inner, 'Master') ?? master });
  }
  return lines;
}

/** In inches; a page of Visio begins at its lower left corner, and shapes are placed by their middle. */
function boxOf(shape: XmlElement): ShapeBox | undefined {
  const cell = (name: string): number =>
    Number(
      attributeOf(
        childrenOf(shape, 'Cell').find((one) => attributeOf(one, 'N') === name),
        'V',
      ) ?? Number.NaN,
    );
  const [x, y] = [cell('PinX'), cell('PinY')];
  if (!Number.isFinite(x) || !Number.isFinite(y)) return undefined;
  const [width, height] = [cell('Width') || 0, cell('Height') || 0];
  return { x: x - width / 2, y: -y - height / 2, width, height };
}
