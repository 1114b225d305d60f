// The text of an answer as foreign programs show it, with the places of its marks in that text. Invariant: nothing is a mark or a link but the marks of the
// answer: whatever else looks like one, in words of documents, is made inert.
import type { Citation } from '../../core/answer.ts';
import { cutAtMarks, type Mark, type MarkedText, withInertBrackets } from '../../core/marked-text.ts';
import { roomForMark } from './mark-room.ts';

/** `marks`: our text, in which programs make chips of each `[n]`. `links`: Markdown, in which each mark is a link. */
export type TextStyle = 'marks' | 'links';

/** A mark in the foreign text: `start` and `end` in UTF-16 as ours are, `from` and `to` in code points, as foreign programs count. */
export interface ForeignMark extends Mark {
  readonly from: number;
  readonly to: number;
  readonly cited: Citation;
}

export interface ForeignText {
  /** Appends a piece, whose marks count in the piece itself; gives what stands for it. */
  write(piece: MarkedText, citations: readonly Citation[]): string;
  /** All that was written. */
  readonly text: string;
  readonly marks: readonly ForeignMark[];
}

const special = /[\\`*_{}<>|~&#$]/gu;
/**
 * Brackets make a link only where what belongs to them follows at once, so a word joiner is enough. An escape would be too much: of `\[1\]` programs
 * make a formula, and of an entity Open WebUI shows its code.
 */
const brackets = /[[\]［］【】]/gu;
/**
 * What Markdown makes a link of where no sign asks for one: behind a scheme, in names of hosts, in addresses of mail. It takes both an
 * escape and a word joiner: remark-gfm looks for links once more in text that was escaped, and linkify-it takes the joiner for a letter of a host.
 */
const linking = /(?<=\p{L}):(?=\S)|(?<=\p{L})\.(?=[\p{L}\p{N}])|(?<=\p{N})\.(?=\p{L})|@(?=\S)/gu;
const escaped = (text: string): string =>
  text.replace(special, '\\$&').replace(linking, '\u2060\\$&').replace(brackets, '$&\u2060');
/** What begins a heading, a list or a rule where it stands first in a line. */
const opening = /^(?:[-+=]|\d{1,9}(?=[.)]))/u;

/** A line keeps its indentation, which Markdown would make code of. */
function escapedLine(line: string): string {
  const [indent = ''] = /^[ \t]*/u.exec(line) ?? [];
  const kept = indent.replaceAll('\t', '    ').replaceAll(' ', '\u00a0');
  const rest = escaped(line.slice(indent.length));
  return kept + rest.replace(opening, (found) => (/\d/u.test(found) ? `${found}\\` : `\\${found}`));
}

/** `isFirst`: it begins a line; otherwise, and where it ends, others stand in the same line. Each line stays one: two spaces before its end keep it. */
function escapedText(text: string, isFirst: boolean): string {
  const lines = text.replace(/\r\n?/gu, '\n').split('\n');
  const isShared = (at: number): boolean => (at === 0 && !isFirst) || at === lines.length - 1;
  const written = lines.map((line, at) => {
    if (at === 0 && !isFirst) return escaped(line);
    return line.trim() === '' && !isShared(at) ? '' : escapedLine(line);
  });
  const isBlank = (at: number): boolean => written[at] === '' && !isShared(at);
  return written.reduce((all, line, at) => `${all}${isBlank(at - 1) || isBlank(at) ? '' : '  '}\n${line}`);
}

const escapedAddress = (url: string): string =>
  url
    .replace(/[\s()<>\\"]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/&(?=#?\w+;)/gu, '\\&');

function linkTo({ index, url, title, page }: Citation): string {
  const said = `${title}${page === undefined ? '' : `, page ${page}`}`
    .replace(/\s+/gu, ' ')
    .replace(brackets, '$&\u2060');
  return `[[\u2060${index}]](${escapedAddress(url)} "${said.replace(/[\\`*_<>&"]/gu, '\\$&')}")`;
}

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

export function createForeignText(style: TextStyle): ForeignText {
  const marks: ForeignMark[] = [];
  let text = '';
  let points = 0;
  /** Where the line of the last mark begins. */
  let unread = 0;
  const append = (words: string): void => {
    text += words;
    points += codePoints(words);
  };
  /** Takes spaces back from where others stand in their place, but none that was told already. */
  function makeRoom(told: number): void {
    const room = roomForMark(text.slice(unread), marks.length === 0);
    if (room === '') return;
    const kept = Math.max(told, text.trimEnd().length);
    points -= text.length - kept;
    text = text.slice(0, kept);
    append(room);
  }
  return {
    write(piece, citations) {
      const before = text.length;
      for (const { text: words, citation } of cutAtMarks(piece)) {
        const cited = citations.find(({ index }) => index === citation);
        if (cited && style === 'marks') makeRoom(before);
        const [start, from] = [text.length, points];
        if (citation === undefined || !cited)
          append(style === 'marks' ? withInertBrackets(words) : escapedText(words, text === '' || text.endsWith('\n')));
        else {
          append(style === 'marks' ? words : linkTo(cited));
          marks.push({ start, end: text.length, from, to: points, citation, cited });
          unread = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
        }
      }
      return text.slice(before);
    },
    get text() {
      return text;
    },
    marks,
  };
}
