// PPTX (ECMA-376 part 1 §19) to canonical text: slides in the order of the presentation, shapes in reading order, tables and charts as
// rows, speaker notes and comments labelled. Cited by slide.

import { createBlockWriter } from '../canonical/block-writer.ts';
import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import {
  coreFacts,
  embeddedFiles,
  mainPart,
  type Relationship,
  relatedPath,
  relationshipsOf,
  requirePart,
} from '../containers/office-package.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  descendantsOf,
  parseXmlTree,
  type XmlElement,
} from '../containers/xml-text.ts';
import { openZip, type ZipFile } from '../containers/zip.ts';
import { drawnParagraphs, readShapes } from '../office/presentation-shapes.ts';
import { type Slide, writeSlides } from '../office/presentation-slide.ts';
import { type EmbeddedPictures, recogniseEmbedded } from '../pictures/embedded-pictures.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';

const mime = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const maxSlides = 5000;

export const presentation: Parser = {
  name: 'presentation',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const zip = openZip(input.bytes, input.name);
    const parts = slideParts(zip, input.name).map((path) => ({
      path,
      relationships: relationshipsOf(zip, path, input.name),
    }));
    const related = parts.flatMap(({ relationships }) => relationships);
    // Pictures of layouts are the same on every slide: they are not read.
    const images = related.filter(({ type }) => type === 'image');
    const pictures = await recogniseEmbedded(
      input,
      zip,
      images.map(({ path }) => path),
    );
    const layouts = new Map<string, XmlElement | undefined>();
    const slides = parts.map((part) => readSlide(zip, part, { name: input.name, pictures, layouts }));
    const writer = createBlockWriter();
    const { runningHeads, warnings, picturesWithoutText } = writeSlides(writer, slides);
    const document = writer.finish();
    requireText(slides.length === 0 ? '' : document.text, input.name);
    const core = coreFacts(zip, 'docProps/core.xml');
    return parsedDocument({
      ...document,
      mime,
      // PowerPoint writes this where nobody gave a title.
      title:
        core.title === 'PowerPoint Presentation'
          ? document.headings[0]?.title
          : (core.title ?? document.headings[0]?.title),
      language: core.language,
      metadata: { ...core.metadata, ...pictures.metadata(), slides: slides.length },
      runningHeads,
      attachments: embeddedFiles(zip, related),
      warnings: [...warnings, ...pictures.warnings(picturesWithoutText)],
    });
  },
};

/** The parts of the slides in the order in which they are shown. */
function slideParts(zip: ZipFile, name: string): string[] {
  const main = mainPart(zip, 'ppt/presentation.xml', name);
  const relationships = relationshipsOf(zip, main, name);
  const list = childrenOf(childOf(requirePart(zip, main, name), 'sldIdLst'), 'sldId');
  if (list.length > maxSlides)
    throw new ReadError('too-large', `${name} has ${list.length} slides; at most ${maxSlides} are read. Split it.`);
  return list.flatMap((entry) => {
    const path = relatedPath(entry, relationships);
    return path !== undefined && zip.has(path) ? [path] : [];
  });
}

function readSlide(
  zip: ZipFile,
  { path, relationships }: { readonly path: string; readonly relationships: readonly Relationship[] },
  {
    name,
    pictures,
    layouts,
  }: {
    readonly name: string;
    readonly pictures: EmbeddedPictures;
    /** By their paths, those that were read for slides before. */
    readonly layouts: Map<string, XmlElement | undefined>;
  },
): Slide {
  const root = requirePart(zip, path, name);
  const layoutPath = pathOfType(relationships, 'slideLayout') ?? '';
  if (!layouts.has(layoutPath)) layouts.set(layoutPath, partAt(zip, layoutPath, name));
  const layout = layouts.get(layoutPath);
  const background = childOf(root, 'cSld', 'bg', 'bgPr');
  const shapes = readShapes({
    zip,
    name,
    relationships,
    tree: childOf(root, 'cSld', 'spTree'),
    layout,
    background,
    pictures,
  });
  return {
    ...shapes,
    notes: readNotes(partAt(zip, pathOfType(relationships, 'notesSlide'), name)),
    comments: relationships
      .filter(({ type, path }) => type === 'comments' && zip.has(path))
      .flatMap(({ path }) => readComments(parseXmlTree(zip.text(path) ?? '', name))),
    isHidden: attributeOf(root, 'show') === '0',
  };
}

const pathOfType = (relationships: readonly Relationship[], type: string): string | undefined =>
  relationships.find((relationship) => relationship.type === type)?.path;

function partAt(zip: ZipFile, path: string | undefined, name: string): XmlElement | undefined {
  const source = path === undefined ? undefined : zip.text(path);
  return source === undefined ? undefined : parseXmlTree(source, name);
}

/** What the speaker wrote: the body of the notes page, not its picture of the slide, number or date. */
function readNotes(root: XmlElement | undefined): string[] {
  if (root === undefined) return [];
  return [...descendantsOf(root, 'sp')]
    .filter((shape) => attributeOf(childOf(shape, 'nvSpPr', 'nvPr', 'ph'), 'type') === 'body')
    .flatMap((shape) => drawnParagraphs(childOf(shape, 'txBody')).map(({ text }) => text.trim()))
    .filter((text) => text !== '');
}

/** Comments of both kinds: `p:cm` with its `p:text`, and those of newer files, which hold drawn text and replies. */
function readComments(root: XmlElement): string[] {
  return [...descendantsOf(root, 'cm')].flatMap((comment) => {
    const plain = childOf(comment, 'text');
    const texts = plain === undefined ? [] : [plain.children.filter((child) => typeof child === 'string').join('')];
    for (const body of descendantsOf(comment, 'txBody'))
      texts.push(
        drawnParagraphs(body)
          .map(({ text }) => text)
          .join(' '),
      );
    return texts.filter((text) => text.trim() !== '').map((text) => `Comment: ${text.trim()}`);
  });
}
