// Pages that are pictures, recognised one after the other within the time that one file may take, and what people are told about it:
// which pages, how sure, which ones not. Invariant: a page that was recognised, or should have been and was not, is named.

import type { Picture } from '../engines/image-raster.ts';
import { openEngine, type RecognitionEngine } from '../engines/ocr-engine.ts';
import { isReadError, ReadError } from '../read-error.ts';
import type { ParseInput } from '../reader.ts';
import type { PdfWord } from './layout/pdf-content.ts';
import { type RecognisedPage, recognisePicture } from './ocr-page.ts';

/** What was recognised of a file, for its metadata. */
export interface RecognisedPart {
  /** Numbers of pages: `2, 5-7`. */
  readonly pages: string;
  /** Mean over the characters, from 0 to 1. */
  readonly confidence: number;
}

/** A word of a page with the confidence that the recogniser has in it, from 0 to 1. */
export interface ReadWord extends PdfWord {
  readonly confidence: number;
}

export interface ReadPage {
  readonly words: readonly ReadWord[];
  readonly confidence: number;
}

export interface PageReader {
  readonly engine: RecognitionEngine;
  /** Undefined where nothing can be read, or there is no time left. */
  read(page: number, draw: () => Picture & { readonly dpi: number }): Promise<ReadPage | undefined>;
  /** Says that a page was left as it is, although it was recognised. */
  leave(page: number): void;
  readonly outcome: () => { readonly warnings: string[]; readonly recognised: RecognisedPart | undefined };
}

/** Below this mean confidence a page is named: what is quoted from it should be looked at. */
const doubtful = 0.75;
/** Where nobody says how long a file may take. */
const defaultBudgetMs = 20 * 60_000;
/** Of the time for a file, what the pages that were recognised still need to become a document. */
const budgetShare = 0.9;

/** Throws `config-invalid` where a language has no model. */
export function openPageReader(input: ParseInput): PageReader {
  const engine = openEngine(input.recognition);
  const endMs = performance.now() + (input.budgetMs ?? defaultBudgetMs) * budgetShare;
  const confidences = new Map<number, { readonly confidence: number; readonly characters: number }>();
  const silent: number[] = [];
  const late: number[] = [];
  const faults: string[] = [];

  const recognise = async (page: number, picture: Picture & { readonly dpi: number }): Promise<RecognisedPage> => {
    try {
      return await recognisePicture(picture.raster, { engine, dpi: picture.dpi });
    } catch (error) {
      // The other pages are worth having.
      if (!isReadError(error) || error.code !== 'invalid-media') throw error;
      faults.push(`Page ${page}: ${error.message}`);
      return { words: [], confidence: 0 };
    }
  };

  return {
    engine,
    async read(page, draw) {
      if (performance.now() > endMs) {
        late.push(page);
        return undefined;
      }
      const picture = draw();
      const endProgress = whileWorking(input.onProgress);
      const { words, confidence } = await recognise(page, picture).finally(endProgress);
      if (words.length === 0) {
        silent.push(page);
        return undefined;
      }
      confidences.set(page, { confidence, characters: words.reduce((sum, { text }) => sum + text.length, 0) });
      return { words: readWords(words, 72 / picture.dpi), confidence };
    },
    leave: (page) => {
      confidences.delete(page);
    },
    outcome() {
      const pages = [...confidences.keys()];
      const warnings = [...faults];
      let recognised: RecognisedPart | undefined;
      if (pages.length > 0) {
        recognised = { pages: pageList(pages), confidence: meanOf([...confidences.values()]) };
        warnings.push(`OCR used on ${pagesOf(pages)} (mean confidence ${recognised.confidence.toFixed(2)}).`);
        const hard = pages.filter((page) => (confidences.get(page)?.confidence ?? 1) < doubtful);
        if (hard.length > 0) warnings.push(`OCR is unsure of ${pagesOf(hard)}: check what is quoted from there.`);
      }
      if (silent.length > 0) warnings.push(`OCR found no text on ${pagesOf(silent)}.`);
      if (late.length > 0)
        warnings.push(
          `OCR did not come to ${pagesOf(late)}: the time for one file was used up. Split it to have them read.`,
        );
      return { warnings, recognised };
    },
  };
}

const progressEveryMs = 1000;
/** Processor time of one page; the densest ones that were measured take a quarter of it. What waits for its turn is not given up. */
const mostPageCpuMs = 60_000;

/** Reports progress as long as the page has not used up its processor time; a page that never ends falls to the deadline. */
function whileWorking(onProgress: (() => void) | undefined): () => void {
  if (onProgress === undefined) return () => undefined;
  const before = process.cpuUsage();
  onProgress();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 < mostPageCpuMs) onProgress();
  }, progressEveryMs);
  return () => clearInterval(timer);
}

/** Where OCR found no text: in which languages it looked, and what would help. Goes on after a comma or semicolon. */
export const languagesTried = ({ recognition }: ParseInput): string =>
  `(OCR in: ${recognition?.languages ?? 'eng'}). Give a sharper or larger picture; for another language set OCR_LANGUAGES (its model lies in OCR_FOLDER)`;

/** For files that are nothing but pictures, where recognition is switched off. */
export function recognitionIsOff(name: string): ReadError {
  return new ReadError(
    'unsupported-media',
    `${name} is a picture, and recognising text in pictures is switched off. Switch OCR on, or give the text.`,
    { details: { reason: 'ocr-off' } },
  );
}

const round = (value: number): number => Math.round(value * 100) / 100;

function meanOf(pages: readonly { readonly confidence: number; readonly characters: number }[]): number {
  const characters = pages.reduce((sum, page) => sum + page.characters, 0);
  return round(pages.reduce((sum, page) => sum + page.confidence * page.characters, 0) / Math.max(1, characters));
}

function readWords(words: RecognisedPage['words'], scale: number): ReadWord[] {
  const placed = ({ left, top, right, bottom }: RecognisedPage['words'][number]['box']) => ({
    x: left * scale,
    y: top * scale,
    width: Math.max(0, right - left) * scale,
    height: Math.max(0, bottom - top) * scale,
  });
  return words.map(({ text, confidence, box, printed, size, turn }) => ({
    text,
    confidence,
    ...placed(box),
    printed: placed(printed),
    // Halves of a point: recognised sizes waver from line to line.
    size: Math.max(1, Math.round(size * scale)),
    bold: false,
    turn,
    spaceBefore: true,
  }));
}

const mostRanges = 12;

/** `page 4`, `pages 2, 5-7`. */
export const pagesOf = (pages: readonly number[]): string =>
  `${pages.length === 1 ? 'page' : 'pages'} ${pageList(pages)}`;

/** Runs of numbers: `2, 5-7`. */
function pageList(pages: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const page of [...pages].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && page === last[1] + 1) last[1] = page;
    else runs.push([page, page]);
  }
  const shown = runs.slice(0, mostRanges).map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
  const left = runs.length - shown.length;
  return shown.join(', ') + (left > 0 ? ` and ${left} more ranges` : '');
}
