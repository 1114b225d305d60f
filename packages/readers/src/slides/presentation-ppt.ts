// PPT (PowerPoint 97–2003, [MS-PPT]) to canonical text, as PPTX is: slides in the order of the presentation, shapes in reading order, tables as rows, speaker
// notes and comments labelled. Cited by slide.

import { createBlockWriter } from '../canonical/block-writer.ts';
import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { utf16Text } from '../canonical/utf16-text.ts';
import { openCompound } from '../containers/compound-file.ts';
import { pictureShapes, type StoredPicture, storedPictures } from '../office/office-art.ts';
import { summaryFacts } from '../office/office-summary.ts';
import { type Slide, writeSlides } from '../office/presentation-slide.ts';
import {
  drawingsNotRead,
  type EmbeddedPictures,
  pictureLines,
  recognisePictures,
} from '../pictures/embedded-pictures.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { firstRecord, type PptFile, type PptRecord, pptRecords, readPptFile } from './presentation-ppt-file.ts';
import { pptObjects } from './presentation-ppt-objects.ts';
import { readPptDrawing } from './presentation-ppt-shapes.ts';
import { type PptText, pptFonts, pptTexts } from './presentation-ppt-text.ts';

const mime = 'application/vnd.ms-powerpoint';
const maxSlides = 5000;

export const presentationPpt: Parser = {
  name: 'presentation-ppt',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const { stream } = openCompound(input.bytes, input.name);
    const main = stream('PowerPoint Document');
    if (main === undefined && stream('PP40') !== undefined)
      throw new ReadError(
        'unsupported-media',
        `${input.name} is a PowerPoint file of version 95. Save it as PPTX or PDF.`,
      );
    if (main === undefined)
      throw new ReadError('invalid-media', `${input.name} is damaged: it holds no presentation. Save it as PPTX.`);
    const file = readPptFile(main, stream('Current User'), input.name);
    const parts = slideParts(file, input.name);
    const stored = storedPictures(
      firstRecord(file.document, drawingGroup)?.body ?? Buffer.alloc(0),
      stream('Pictures'),
    );
    const shown = parts.flatMap(({ slide }) => pictureShapes(drawingOf(slide)).map(({ picture }) => picture));
    const pictures = await recognisePictures(input, heldPictures(new Set(shown), stored));
    const notes = notesPages(file);
    const source = {
      file,
      fonts: pptFonts(file.document),
      pictures,
      stored,
      notes,
      footers: firstRecord(file.document, ofSlide, ofDocument),
      drawings: new Map<number, string>(),
    };
    const slides = parts.map((part) => readSlide(part, source));
    const writer = createBlockWriter();
    const { runningHeads, warnings, picturesWithoutText } = writeSlides(writer, slides);
    const document = writer.finish();
    requireText(slides.length === 0 ? '' : document.text, input.name);
    const { title: said, ...metadata } = summaryFacts(stream('\u0005SummaryInformation'));
    return parsedDocument({
      ...document,
      mime,
      // PowerPoint writes these where nobody gave a title.
      title:
        typeof said === 'string' && !/^(?:PowerPoint Presentation|Slide 1|No Slide Title)$/u.test(said)
          ? said
          : document.headings[0]?.title,
      metadata: { ...metadata, ...pictures.metadata(), slides: slides.length },
      runningHeads,
      attachments: pptObjects(file),
      warnings: [
        ...warnings,
        ...pictures.warnings(picturesWithoutText),
        ...drawingsNotRead([...source.drawings.values()]),
      ],
    });
  },
};

const [slideContainer, notesContainer] = [0x03ee, 0x03f0];
const [slideList, slidePersist, slideAtom, slideShow] = [0x0ff0, 0x03f3, 0x03ef, 0x03f9];
const [drawingContainer, drawingGroup] = [0x040c, 0x040b];
const hiddenFlag = 0x0004;

interface Part {
  readonly persistId: number;
  /** By which slides name their notes. */
  readonly slideId: number;
  /** Its texts that stand in the list: titles and bodies. */
  readonly outline: readonly PptText[];
}

/** The slides (0), masters (1) or pages of notes (2) that the document lists (§2.4.14.3), in their order. */
function partsOfList(file: PptFile, kind: 0 | 1 | 2): Part[] {
  const fonts = pptFonts(file.document);
  const list = firstRecord(file.document, slideList, kind)?.body ?? Buffer.alloc(0);
  const parts: { persistId: number; slideId: number; from: number; to: number }[] = [];
  let at = 0;
  for (const { type, body } of pptRecords(list)) {
    const last = parts.at(-1);
    at += 8 + body.length;
    if (type === slidePersist && body.length >= 16)
      parts.push({ persistId: body.readUInt32LE(0), slideId: body.readUInt32LE(12), from: at, to: at });
    else if (last !== undefined) last.to = at;
  }
  return parts.map(({ persistId, slideId, from, to }) => ({
    persistId,
    slideId,
    outline: pptTexts(list.subarray(from, to), fonts),
  }));
}

interface SlidePart extends Part {
  readonly slide: PptRecord;
}

function slideParts(file: PptFile, name: string): SlidePart[] {
  const listed = partsOfList(file, 0);
  if (listed.length > maxSlides)
    throw new ReadError('too-large', `${name} has ${listed.length} slides; at most ${maxSlides} are read. Split it.`);
  // Slides that stand at one place in the file would be read again and again.
  const seen = new Set<number | undefined>();
  return listed.flatMap((part) => {
    const slide = file.part(part.persistId);
    const place = file.placeOf(part.persistId);
    if (slide?.type !== slideContainer || seen.has(place)) return [];
    seen.add(place);
    return [{ ...part, slide }];
  });
}

const drawingOf = (part: PptRecord | undefined): Buffer =>
  firstRecord(part?.body, drawingContainer)?.body ?? Buffer.alloc(0);

const pictureKey = (picture: number): string => `picture ${picture}`;

function* heldPictures(
  shown: ReadonlySet<number>,
  stored: readonly (StoredPicture | undefined)[],
): Generator<{ readonly key: string; bytes(): Uint8Array }> {
  for (const picture of shown) {
    const found = stored[picture - 1];
    if (found !== undefined && 'bytes' in found) yield { key: pictureKey(picture), bytes: () => found.bytes };
  }
}

interface SlideSource {
  readonly file: PptFile;
  readonly fonts: readonly string[];
  readonly pictures: EmbeddedPictures;
  readonly stored: readonly (StoredPicture | undefined)[];
  /** By their id; each is said once. */
  readonly notes: Map<number, Part>;
  /** What is said of the footers of all slides. */
  readonly footers: PptRecord | undefined;
  /** Kinds of pictures that cannot be read, by their number. */
  readonly drawings: Map<number, string>;
}

function readSlide(
  { slide, outline }: SlidePart,
  { file, fonts, pictures, stored, notes, footers, drawings }: SlideSource,
): Slide {
  let picturesWithoutText = 0;
  const drawing = readPptDrawing(drawingOf(slide), {
    fonts,
    outline,
    pictureLines(picture, isDescribed) {
      const found = stored[picture - 1];
      if (found !== undefined && 'drawing' in found) drawings.set(picture, found.drawing);
      else if (!isDescribed && !pictures.hasText(pictureKey(picture))) picturesWithoutText++;
      return pictureLines(pictures, pictureKey(picture));
    },
  });
  const atom = firstRecord(slide.body, slideAtom)?.body;
  const notesId = atom !== undefined && atom.length >= 20 ? atom.readUInt32LE(16) : 0;
  const page = notes.get(notesId);
  notes.delete(notesId);
  const show = firstRecord(slide.body, slideShow)?.body;
  return {
    title: drawing.titles.join(' '),
    shapes: drawing.shapes,
    notes: page === undefined ? [] : notesOf(file, page),
    comments: commentsOf(slide.body),
    footers: drawing.footers.length > 0 ? drawing.footers : footersOf(slide.body, footers),
    isHidden: show !== undefined && show.length >= 12 && (show.readUInt16LE(10) & hiddenFlag) !== 0,
    picturesWithoutText,
  };
}

/** The pages of notes, each place in the file once. */
function notesPages(file: PptFile): Map<number, Part> {
  const seen = new Set<number | undefined>();
  const pages = new Map<number, Part>();
  for (const part of partsOfList(file, 2)) {
    const place = file.placeOf(part.persistId);
    if (part.slideId === 0 || pages.has(part.slideId) || seen.has(place)) continue;
    seen.add(place);
    pages.set(part.slideId, part);
  }
  return pages;
}

function notesOf(file: PptFile, part: Part): readonly string[] {
  const page = file.part(part.persistId);
  if (page?.type !== notesContainer) return [];
  return readPptDrawing(drawingOf(page), { fonts: [], outline: part.outline, pictureLines: () => [] }).notes;
}

const stringIn = (record: PptRecord | undefined): string =>
  record === undefined ? '' : utf16Text(record.body).replaceAll('\0', '').trim();

const [ofDocument, ofSlide, footersAtom, plainString] = [3, 0x0fd9, 0x0fda, 0x0fba];
const hasFooter = 0x20;

/** The footer that the slide, or all slides, are said to show (§2.4.15). */
function footersOf(slide: Buffer, ofAll: PptRecord | undefined): string[] {
  const own = firstRecord(slide, ofSlide) ?? ofAll;
  const flags = firstRecord(own?.body, footersAtom)?.body;
  if (flags === undefined || flags.length < 4 || (flags.readUInt16LE(2) & hasFooter) === 0) return [];
  const footer = stringIn(firstRecord(own?.body, plainString, 2));
  return footer === '' ? [] : [footer];
}

const [programTags, programTag, tagData, comment] = [0x1388, 0x138a, 0x138b, 0x2ee0];

/** Comments stand among the data of PowerPoint 2002 (§2.5.27). */
function commentsOf(slide: Buffer): string[] {
  const comments: string[] = [];
  for (const tag of pptRecords(firstRecord(slide, programTags)?.body ?? Buffer.alloc(0))) {
    if (tag.type !== programTag) continue;
    for (const { type, body } of pptRecords(firstRecord(tag.body, tagData)?.body ?? Buffer.alloc(0))) {
      if (type !== comment) continue;
      const author = stringIn(firstRecord(body, plainString, 0));
      const said = stringIn(firstRecord(body, plainString, 1)).replace(/\s+/gu, ' ');
      if (said !== '') comments.push(`Comment${author === '' ? '' : ` by ${author}`}: ${said}`);
    }
  }
  return comments;
}
