// RTF (specification 1.9.1) to canonical text: paragraphs, headings by style or outline level, lists, rows of tables, footnotes and comments
// at the end. Pictures, objects, headers, footers, hidden and deleted text are left out; nothing embedded is opened.
import type { Metadata } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { ParseInput, Parser } from '../parse.ts';
import { createBlockWriter, rowText } from './block-writer.ts';
import { canonicalText, parsedDocument, requireText } from './canonical-text.ts';
import { characterWords, decoderOfPage, pageOfCharset } from './rtf-text.ts';
import { type RtfToken, rtfTokens } from './rtf-tokens.ts';

const mime = 'application/rtf';
/** Word writes some dozens; a file made to hurt writes millions. */
const maxDepth = 1000;

export const rtf: Parser = {
  name: 'rtf',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const { document, facts, warnings } = readRtf(input);
    requireText(document.text, input.name);
    const { title, ...metadata } = facts;
    return parsedDocument({
      ...document,
      mime,
      title: typeof title === 'string' ? title : document.headings[0]?.title,
      metadata,
      warnings,
    });
  },
};

/** Where text goes. */
type Destination = 'body' | 'note' | 'comment' | 'author' | 'list-mark' | 'fonts' | 'styles' | 'fact' | 'skip';

/** What a group inherits and what ends with it. */
interface Group {
  destination: Destination;
  /** Where the text around `\\upr` goes. */
  outside: Destination;
  /** Name of the fact that is read. */
  fact: string;
  /** Characters to pass over after `\u`. */
  unicodeSkip: number;
  page: number;
  isHidden: boolean;
  font: number;
  style: number;
}

const skipped = new Set(
  (
    'colortbl pict object objdata header headerl headerr headerf footer footerl footerr footerf fldinst listtable ' +
    'listoverridetable revtbl rsidtbl generator xmlnstbl themedata datastore latentstyles filetbl template nonshppict ' +
    'nonesttables bkmkstart bkmkend sn sv sp ftnsep ftnsepc aftnsep aftnsepc mmathPr htmltag mhtmltag userprops ' +
    'wgrffmtfilter xe tc pnseclvl'
  ).split(' '),
);
/** Starred destinations with text that readers see. */
const readStarred = new Set(['shpinst', 'ud', 'annotation', 'atnauthor', 'shptxt', 'pnseclvl']);
const factNames: Readonly<Record<string, string>> = {
  title: 'title',
  author: 'author',
  subject: 'subject',
  keywords: 'keywords',
  company: 'company',
  creatim: 'created',
  revtim: 'modified',
};

interface RtfReading {
  readonly document: ReturnType<ReturnType<typeof createBlockWriter>['finish']>;
  readonly facts: Metadata;
  readonly warnings: readonly string[];
}

function readRtf({ bytes, name }: ParseInput): RtfReading {
  const writer = createBlockWriter();
  const fonts = new Map<number, number>();
  const styles = new Map<number, number>();
  const facts: Record<string, string> = {};
  const dates: Record<string, Record<string, number>> = {};
  const endMatter: string[] = [];
  const stack: Group[] = [];
  let group: Group = {
    destination: 'body',
    outside: 'body',
    fact: '',
    unicodeSkip: 1,
    page: 1252,
    isHidden: false,
    font: 0,
    style: 0,
  };
  let filePage = 1252;
  let pending: Uint8Array[] = [];
  let toSkip = 0;
  let isGroupStart = false;
  let isStarred = false;
  let pictures = 0;
  let notes = 0;
  let styleName = '';
  let styleLevel: number | undefined;
  let outline: number | undefined;
  let paragraph: string[] = [];
  let listMark = '';
  let row: string[] | undefined;
  let note: string[] = [];
  let author = '';

  const flush = (): void => {
    if (pending.length === 0) return;
    const text = decoderOfPage(group.page).decode(Buffer.concat(pending));
    pending = [];
    emit(text);
  };
  const emit = (text: string): void => {
    if (group.isHidden) return;
    if (group.destination === 'body') paragraph.push(text);
    else if (group.destination === 'note' || group.destination === 'comment') note.push(text);
    else if (group.destination === 'list-mark') listMark += text;
    else if (group.destination === 'author') author += text;
    else if (group.destination === 'styles') styleName += text;
    else if (group.destination === 'fact') facts[group.fact] = (facts[group.fact] ?? '') + text;
  };
  const takeParagraph = (): string => {
    const text = paragraph.join('');
    paragraph = [];
    return text;
  };
  const endParagraph = (): void => {
    if (group.destination === 'note' || group.destination === 'comment') {
      note.push(' ');
      return;
    }
    if (group.destination !== 'body') return;
    if (row !== undefined) {
      paragraph.push(' ');
      return;
    }
    const text = takeParagraph();
    const level = outline ?? styles.get(group.style);
    const mark = listMark.replace(/\s+/gu, ' ').trim();
    listMark = '';
    if (level !== undefined) writer.put('heading', `${mark} ${text}`, level);
    else if (mark !== '' && text.trim() !== '')
      writer.put('list-item', `${/^[\p{L}\p{N}(]/u.test(mark) ? mark : '-'} ${text.trim()}`);
    else writer.put('paragraph', text);
  };
  const endCell = (): void => {
    row ??= [];
    row.push(`${listMark}${takeParagraph()}`.replace(/\s+/gu, ' ').trim());
    listMark = '';
  };
  const endRow = (): void => {
    const cells = row ?? [];
    row = undefined;
    if (cells.some((cell) => cell !== '')) writer.put('table-row', rowText(cells));
  };
  const closeGroup = (): void => {
    flush();
    const closed = group;
    group = stack.pop() ?? closed;
    if (
      (closed.destination === 'note' || closed.destination === 'comment') &&
      group.destination !== closed.destination
    ) {
      const text = note.join('').replace(/\s+/gu, ' ').trim();
      note = [];
      if (text === '') return;
      if (closed.destination === 'note') {
        notes++;
        emit(`[${notes}]`);
        endMatter.push(`[${notes}] ${text}`);
      } else endMatter.push(`${author.trim() === '' ? 'Comment' : `Comment by ${author.trim()}`}: ${text}`);
      author = '';
    } else if (closed.destination === 'styles' && group.destination === 'styles') {
      const heading = /^heading (\d)/iu.exec(styleName.trim())?.[1];
      const level = styleLevel ?? (heading === undefined ? undefined : Number(heading));
      if (level !== undefined) styles.set(closed.style, level);
      styleName = '';
      styleLevel = undefined;
    }
  };
  const control = (word: string, value: number | undefined): void => {
    if (isGroupStart && enterDestination(word)) return;
    const character = characterWords[word];
    if (character !== undefined) {
      flush();
      if (word === 'tab' && row !== undefined) emit(' ');
      else emit(character);
      return;
    }
    flush();
    switch (word) {
      case 'u': {
        const unit = (value ?? 0) & 0xffff;
        if (group.destination !== 'skip') emit(String.fromCharCode(unit));
        toSkip = group.unicodeSkip;
        break;
      }
      case 'uc':
        group.unicodeSkip = Math.min(Math.max(value ?? 1, 0), 16);
        break;
      case 'ansicpg':
        filePage = value ?? 1252;
        group.page = filePage;
        break;
      case 'mac':
        filePage = 10000;
        group.page = filePage;
        break;
      case 'f':
        group.font = value ?? 0;
        group.page = fonts.get(group.font) ?? filePage;
        break;
      case 'fcharset':
      case 'cpg':
        if (group.destination === 'fonts') {
          const page = word === 'cpg' ? value : pageOfCharset(value ?? 0);
          // Western is also what fonts say that only follow the file.
          if (page !== undefined && page !== 1252) fonts.set(group.font, page);
        }
        break;
      case 'plain':
        group.isHidden = false;
        group.page = filePage;
        break;
      case 'v':
      case 'deleted':
        group.isHidden = value !== 0;
        break;
      case 's':
        group.style = value ?? 0;
        break;
      case 'outlinelevel': {
        const level = value !== undefined && value >= 0 && value < 9 ? value + 1 : undefined;
        if (group.destination === 'styles') styleLevel = level;
        else outline = level;
        break;
      }
      case 'pard':
        if (row?.length === 0 && paragraph.length === 0) row = undefined;
        outline = undefined;
        group.style = 0;
        break;
      case 'trowd':
        if (group.destination === 'body' && paragraph.length > 0 && row === undefined) endParagraph();
        break;
      case 'intbl':
        if (group.destination === 'body') row ??= [];
        break;
      case 'par':
      case 'sect':
      case 'page':
      case 'column':
        endParagraph();
        break;
      case 'cell':
      case 'nestcell':
        endCell();
        break;
      case 'row':
        endRow();
        break;
      case 'nestrow':
        break;
      case 'yr':
      case 'mo':
      case 'dy':
        if (group.destination === 'fact') {
          const date = dates[group.fact] ?? {};
          date[word] = value ?? 0;
          dates[group.fact] = date;
        }
        break;
    }
  };
  /** Whether the word names a destination, so that it is done with. */
  const enterDestination = (word: string): boolean => {
    if (word === '*') {
      isStarred = true;
      return true;
    }
    isGroupStart = false;
    const wasStarred = isStarred;
    isStarred = false;
    if (word === 'shppict') pictures++;
    if (group.destination === 'skip') return word === 'u' ? false : word !== 'ud' || !leaveSkip();
    const fact = group.destination === 'fact' ? factNames[word] : undefined;
    if (word === 'pict') pictures++;
    if (word === 'upr') group.outside = group.destination;
    if (word === 'fonttbl') group.destination = 'fonts';
    else if (word === 'stylesheet') group.destination = 'styles';
    else if (word === 'footnote') group.destination = 'note';
    else if (word === 'annotation') group.destination = 'comment';
    else if (word === 'atnauthor') group.destination = 'author';
    else if (word === 'listtext' || word === 'pntext') group.destination = 'list-mark';
    else if (word === 'info') {
      group.destination = 'fact';
      group.fact = 'other';
    } else if (group.destination === 'fact' && fact !== undefined) group.fact = fact;
    else if (word === 'upr' || skipped.has(word)) group.destination = 'skip';
    else if (wasStarred && word === 's' && group.destination === 'styles') return false;
    else if (wasStarred && !readStarred.has(word)) group.destination = 'skip';
    else return false;
    return true;
  };
  /** `{\upr{ANSI}{\*\ud{Unicode}}}`: the second says the same in full. */
  const leaveSkip = (): boolean => {
    group.destination = group.outside;
    return false;
  };
  const take = (token: RtfToken): void => {
    if (token.kind === 'open') {
      flush();
      if (stack.length >= maxDepth)
        throw new FootnoteError('too-large', `${name} nests more than ${maxDepth} groups: refused. Save it again.`);
      stack.push(group);
      group = { ...group };
      isGroupStart = true;
      isStarred = false;
      toSkip = 0;
    } else if (token.kind === 'close') {
      toSkip = 0;
      isGroupStart = false;
      closeGroup();
    } else if (toSkip > 0) {
      isGroupStart = false;
      if (token.kind === 'control') {
        toSkip--;
        return;
      }
      const rest = token.bytes.subarray(Math.min(toSkip, token.count));
      toSkip -= Math.min(toSkip, token.count);
      if (group.destination !== 'skip' && rest.length > 0) pending.push(rest);
    } else if (token.kind === 'control') {
      control(token.word, token.value);
    } else {
      isGroupStart = false;
      if (group.destination !== 'skip') pending.push(token.bytes);
    }
  };
  for (const token of rtfTokens(bytes)) take(token);
  flush();
  while (stack.length > 0) closeGroup();
  endRow();
  endParagraph();
  for (const text of endMatter) writer.put('other', text);
  for (const [fact, { yr, mo, dy }] of Object.entries(dates)) {
    if (yr !== undefined && yr > 1900) {
      const pad = (part: number | undefined): string => String(Math.max(1, part ?? 1)).padStart(2, '0');
      facts[fact] = `${yr}-${pad(mo)}-${pad(dy)}`;
    }
  }
  const metadata: Metadata = {};
  for (const [fact, value] of Object.entries(facts)) {
    const text = canonicalText(value).trim();
    if (fact !== 'other' && text !== '') metadata[fact] = text;
  }
  return {
    document: writer.finish(),
    facts: metadata,
    warnings:
      pictures === 0 ? [] : [`${pictures} ${pictures === 1 ? 'picture is' : 'pictures are'} not read: only text is.`],
  };
}
