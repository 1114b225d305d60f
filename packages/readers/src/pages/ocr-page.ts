// Recognises one picture of a page: set straight, enlarged where its type is small, tried the other ways up where little is understood.
// Every word comes back where it stands on the picture as given, with the confidence that the recogniser has in it.
import {
  inkOf,
  type QuarterTurns,
  type Raster,
  rotated,
  scaled,
  smoothed,
  turned,
  windowOf,
} from '../engines/image-raster.ts';
import type { Bounds, EngineLine, RecognitionEngine } from '../engines/ocr-engine.ts';
import { findSkew } from './ocr-skew.ts';

/** Pixels of the picture as given, origin top left. */
export interface RecognisedWord {
  readonly text: string;
  /** From 0 to 1. */
  readonly confidence: number;
  /** The word with the height of its line, as if the page lay straight: lines are found by it. */
  readonly box: Bounds;
  /** Where its ink is. */
  readonly printed: Bounds;
  /** Size of its type. */
  readonly size: number;
  /** Direction of reading. */
  readonly turn: QuarterTurns;
}

export interface RecognisedPage {
  /** In reading order. Empty where nothing can be read. */
  readonly words: readonly RecognisedWord[];
  /** Mean over the characters; 0 without words. */
  readonly confidence: number;
}

export interface PageRecognition {
  readonly engine: RecognitionEngine;
  /** Pixels per inch, as far as known. */
  readonly dpi: number;
}

/** What more pixels would only slow down, and take memory for: A4 at 350 dpi. */
const mostPixels = 12_000_000;
/** Below this mean confidence other ways are tried (read pages of text have 0.85 and more, upside-down ones less than 0.5). */
const sure = 0.7;
/** Below it there is no text that could be read: a photograph, another script. */
const unreadable = 0.3;
/** Leaves, waves and grain come out as a few letters that it is little sure of; a word or number that stands alone is surer. */
const fewCharacters = 20;
const sureOfFew = 0.6;
/** Marks without letter or digit that are less sure than this are specks. */
const speck = 0.5;
/**
 * Scans are read as they are from 190 dpi on, coarser ones enlarged to 300: at 100 dpi 99 % of the words of a page in two columns are
 * found enlarged, 68 % otherwise (bench/documents/ocr.ts).
 */
const fineDpi = 190;
const goodDpi = 300;
const mostEnlarged = 4;
/** Share of dark pixels below which a page counts as blank: a comma on A4. */
const blankShare = 0.000_002;

/** A way to look at the picture, and what was seen. */
interface Reading {
  readonly turns: QuarterTurns;
  readonly factor: number;
  readonly radians: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly EngineLine[];
  readonly confidence: number;
}

export async function recognisePicture(given: Raster, recognition: PageRecognition): Promise<RecognisedPage> {
  const { share, isGrained } = inkOf(given);
  if (share < blankShare) return { words: [], confidence: 0 };
  // Of grain the recogniser makes thousands of specks, each of which it tries to read.
  const raster = isGrained ? smoothed(given) : given;
  const most = Math.min(mostEnlarged, Math.sqrt(mostPixels / (raster.width * raster.height)));
  const factor = Math.min(most, recognition.dpi < fineDpi ? goodDpi / recognition.dpi : 1);
  const whole = scaled(raster, factor);
  // Lines that run down are turned at once; which of the two ways is seen from what is understood.
  const first: QuarterTurns = findSkew(whole).runsDown ? await bestTurn(whole, recognition, [1, 3]) : 0;
  let reading = await read(whole, { turns: first, factor }, recognition);
  if (reading.confidence < sure) {
    const turns = await bestTurn(whole, recognition, [first, 0, 1, 2, 3]);
    if (turns !== first) reading = better(reading, await read(whole, { turns, factor }, recognition));
  }
  const larger = Math.min(most, factor * 2);
  if (reading.confidence < sure && larger > factor * 1.2) {
    const enlarged = scaled(raster, larger);
    reading = better(reading, await read(enlarged, { turns: reading.turns, factor: larger }, recognition));
  }
  return pageOf(reading, raster);
}

const better = (one: Reading, other: Reading): Reading => (weightOf(other) > weightOf(one) ? other : one);

/** Characters understood, each as far as it is. */
function weightOf({ lines }: Pick<Reading, 'lines'>): number {
  let weight = 0;
  for (const { words } of lines)
    for (const { text, confidence } of words)
      if (/[\p{L}\p{N}]/u.test(text)) weight += text.length * (confidence - unreadable);
  return weight;
}

async function read(
  raster: Raster,
  { turns, factor }: { turns: QuarterTurns; factor: number },
  { engine, dpi }: PageRecognition,
): Promise<Reading> {
  const upright = turned(raster, turns);
  const { radians } = findSkew(upright);
  const straight = radians === 0 ? upright : rotated(upright, -radians);
  const found = await engine.recognise(straight, clampDpi(dpi * factor));
  const lines = found.flatMap((line) => {
    const words = line.words.filter(({ text, confidence }) => /[\p{L}\p{N}]/u.test(text) || confidence >= speck);
    return words.length === 0 ? [] : { ...line, words };
  });
  const { width, height } = upright;
  return { turns, factor, radians, width, height, lines, confidence: confidenceOf(lines) };
}

/** Tesseract takes no less than 70, and drops small type as specks where it is told of a finer scan than it is: 200 is told of any finer one. */
const clampDpi = (dpi: number): number => Math.max(70, Math.min(200, dpi));

function confidenceOf(lines: readonly EngineLine[]): number {
  let characters = 0;
  let sum = 0;
  for (const { words } of lines)
    for (const { text, confidence } of words) {
      characters += text.length;
      sum += text.length * confidence;
    }
  return characters === 0 ? 0 : sum / characters;
}

/** Letters and digits. */
function charactersOf(lines: Reading['lines']): number {
  let characters = 0;
  for (const { words } of lines) for (const { text } of words) characters += text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return characters;
}

const probePixels = 900;

/** The way up in which the busiest part of the picture is understood best; the first one unless another is clearly better. */
async function bestTurn(
  raster: Raster,
  recognition: PageRecognition,
  candidates: readonly QuarterTurns[],
): Promise<QuarterTurns> {
  const probe = busiestPart(raster);
  const [first = 0] = candidates;
  let best = { turns: first, weight: Number.NEGATIVE_INFINITY };
  for (const turns of new Set(candidates)) {
    const weight = weightOf(await read(probe, { turns, factor: 1 }, recognition));
    if (weight > Math.max(best.weight * 1.2, best.weight + 5)) best = { turns, weight };
  }
  return best.turns;
}

/** The window of the picture with most changes from light to dark. */
function busiestPart(raster: Raster): Raster {
  const { width, height, pixels } = raster;
  const { level } = inkOf(raster);
  const step = probePixels / 2;
  let best = { x: 0, y: 0, changes: -1 };
  for (let y = 0; y === 0 || y + step < height; y += step)
    for (let x = 0; x === 0 || x + step < width; x += step) {
      let changes = 0;
      for (let row = y; row < Math.min(height, y + probePixels); row += 4)
        for (let at = row * width + x + 1; at < row * width + Math.min(width, x + probePixels); at++)
          if ((pixels[at] ?? 255) <= level !== (pixels[at - 1] ?? 255) <= level) changes++;
      if (changes > best.changes) best = { x, y, changes };
    }
  return windowOf(raster, { x: best.x, y: best.y, width: probePixels, height: probePixels });
}

function pageOf(reading: Reading, raster: Raster): RecognisedPage {
  const { turns, factor, lines, confidence } = reading;
  if (confidence < (charactersOf(lines) < fewCharacters ? sureOfFew : unreadable)) return { words: [], confidence };
  const words = lines.flatMap((line) =>
    line.words.map((word): RecognisedWord => {
      const inLine = { left: word.left, right: word.right, top: line.top, bottom: line.bottom };
      return {
        text: word.text,
        confidence: word.confidence,
        box: asGiven(inLine, reading, raster),
        printed: asGiven(askew(word, reading), reading, raster),
        size: line.rowHeight / factor,
        // A picture turned clockwise to be read runs the other way.
        turn: ((4 - turns) % 4) as QuarterTurns,
      };
    }),
  );
  return { words, confidence };
}

/** A box of the straightened picture on the picture before: its middle is moved, its size kept. */
function askew({ left, right, top, bottom }: Bounds, { radians, width, height }: Reading): Bounds {
  if (radians === 0) return { left, right, top, bottom };
  const x = (left + right - width) / 2;
  const y = (top + bottom - height) / 2;
  const movedX = Math.cos(radians) * x - Math.sin(radians) * y - x;
  const movedY = Math.sin(radians) * x + Math.cos(radians) * y - y;
  return { left: left + movedX, right: right + movedX, top: top + movedY, bottom: bottom + movedY };
}

/** From the turned and scaled picture to the one given; cut to it. */
function asGiven(
  { left, right, top, bottom }: Bounds,
  { turns, factor, width, height }: Reading,
  given: Raster,
): Bounds {
  const sides: Bounds =
    turns === 1
      ? { left: top, right: bottom, top: width - right, bottom: width - left }
      : turns === 2
        ? { left: width - right, right: width - left, top: height - bottom, bottom: height - top }
        : turns === 3
          ? { left: height - bottom, right: height - top, top: left, bottom: right }
          : { left, right, top, bottom };
  const cut = (value: number, most: number): number => Math.max(0, Math.min(most, value / factor));
  return {
    left: cut(sides.left, given.width),
    right: cut(sides.right, given.width),
    top: cut(sides.top, given.height),
    bottom: cut(sides.bottom, given.height),
  };
}
