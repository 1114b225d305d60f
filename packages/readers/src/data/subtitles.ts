// Subtitles (SubRip, WebVTT): what is said, cue after cue, each a place named by its time, `00:01:02`. Cues that follow without a pause are one
// paragraph; marks of style go, speakers stay.

import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import type { Block, Metadata, Place } from '../document.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';

interface Cue {
  readonly fromMs: number;
  readonly toMs: number;
  readonly text: string;
}

/** Silence that begins a new paragraph. */
const pauseMilliseconds = 2500;
const maxParagraphCues = 12;

export const subtitles: Parser = {
  name: 'subtitles',
  mimes: ['application/x-subrip', 'text/vtt'],
  parse: async (input: ParseInput) => {
    const { text: source, encoding, warnings } = decodeText(input.bytes, input.name);
    const cues = withoutRepeats(cuesOf(source));
    if (cues.length === 0)
      throw new ReadError(
        'invalid-media',
        `${input.name} has no line such as "00:00:01,000 --> 00:00:02,000": it holds no subtitles.`,
      );
    const { text, blocks, places } = joinCues(cues);
    requireText(text, input.name);
    const metadata: Metadata = {
      cues: cues.length,
      duration: label(Math.max(...cues.slice(-50).map(({ toMs }) => toMs))),
    };
    return parsedDocument({
      text,
      mime: input.mime ?? 'application/x-subrip',
      title: /^WEBVTT[ \t]+-?[ \t]*(\S.*)$/mu.exec(source.slice(0, 500))?.[1]?.trim(),
      blocks,
      places,
      metadata: encoding === 'utf-8' ? metadata : { ...metadata, encoding },
      warnings,
    });
  },
};

const timing =
  /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[,.](\d{1,3})\s*-->\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[,.](\d{1,3})/u;

function cuesOf(source: string): Cue[] {
  const cues: Cue[] = [];
  const lines = source.split('\n');
  // In WebVTT an empty line ends a cue, and one of spaces is of its text (§4). SubRip is written by hand: there the next cue ends one.
  const isStrict = source.startsWith('WEBVTT');
  const beginsCue = (at: number): boolean =>
    timing.test(lines[at] ?? '') || (/^\s*\d+\s*$/u.test(lines[at] ?? '') && timing.test(lines[at + 1] ?? ''));
  for (let index = 0; index < lines.length; index++) {
    const found = timing.exec(lines[index] ?? '');
    if (found === null) continue;
    const said: string[] = [];
    for (index++; index < lines.length && !beginsCue(index); index++) {
      const line = lines[index] ?? '';
      if (isStrict && line === '') break;
      if (isStrict || line.trim() !== '') said.push(line);
    }
    if (timing.test(lines[index] ?? '')) index--;
    const text = plain(said.join('\n'));
    if (text !== '')
      cues.push({ fromMs: milliseconds(found.slice(1, 5)), toMs: milliseconds(found.slice(5, 9)), text });
  }
  return cues;
}

/** From this share of cues on, beginning with the line that stood last is how the file shows text, and no chance. */
const rollingShare = 0.25;
const leastRolling = 3;
/** As many stand above the new one at most. */
const rolledLines = 4;

/** Captions that roll up show each line twice, at the bottom and above the next one: it is said once. */
function withoutRepeats(cues: readonly Cue[]): readonly Cue[] {
  const repeated = cues.map((cue, index) => {
    const before = cues[index - 1]?.text.split('\n') ?? [];
    const lines = cue.text.split('\n');
    let count = Math.min(before.length, lines.length, rolledLines);
    while (count > 0 && before.slice(-count).join('\n') !== lines.slice(0, count).join('\n')) count--;
    return count;
  });
  const rolling = repeated.filter((count) => count > 0).length;
  if (rolling < leastRolling || rolling < cues.length * rollingShare) return cues;
  return cues.flatMap((cue, index) => {
    const text = cue.text.split('\n').slice(repeated[index]).join('\n');
    return text === '' ? [] : [{ ...cue, text }];
  });
}

function milliseconds([hours, minutes, seconds, fraction]: readonly (string | undefined)[]): number {
  return (
    ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 +
    Number((fraction ?? '0').padEnd(3, '0'))
  );
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&lrm;': '',
  '&rlm;': '',
};

const numbered = (entity: string): string => {
  const code = Number(/\d+/u.exec(entity)?.[0] ?? 0);
  return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
};

function plain(text: string): string {
  return text
    .replace(/<v(?:\.[\w.-]+)?[ \t]+([^<>\n]{1,100})>/gu, '$1: ')
    .replace(/<\/?[a-z][^<>\n]{0,200}>|<[\d:.]{5,20}>|\{\\[^{}\n]{0,100}\}/giu, '')
    .replace(/&(?:amp|lt|gt|quot|nbsp|lrm|rlm|#\d{1,6});/gu, (entity) => entities[entity] ?? numbered(entity))
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/gu, '\n')
    .trim()
    .toWellFormed();
}

function label(timeMs: number): string {
  const pad = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  return `${pad(timeMs / 3_600_000)}:${pad((timeMs / 60_000) % 60)}:${pad((timeMs / 1000) % 60)}`;
}

function joinCues(cues: readonly Cue[]): { text: string; blocks: Block[]; places: Place[] } {
  const parts: string[] = [];
  const blocks: { start: number; end: number; kind: 'paragraph' }[] = [];
  const places: { start: number; end: number; label: string }[] = [];
  let length = 0;
  let inParagraph = 0;
  let spokenUntilMs = Number.NEGATIVE_INFINITY;
  for (const { fromMs, toMs, text } of cues) {
    const isNew = fromMs - spokenUntilMs > pauseMilliseconds || inParagraph >= maxParagraphCues;
    if (length > 0) {
      parts.push(isNew ? '\n\n' : '\n');
      length += isNew ? 2 : 1;
    }
    const start = length;
    parts.push(text);
    length += text.length;
    const paragraph = blocks.at(-1);
    if (isNew || paragraph === undefined) {
      blocks.push({ start, end: length, kind: 'paragraph' });
      inParagraph = 1;
    } else {
      paragraph.end = length;
      inParagraph++;
    }
    const place = places.at(-1);
    if (place?.label === label(fromMs)) place.end = length;
    else places.push({ start, end: length, label: label(fromMs) });
    spokenUntilMs = toMs;
  }
  return { text: parts.join(''), blocks, places };
}
