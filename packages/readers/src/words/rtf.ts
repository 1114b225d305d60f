// RTF (specification 1.9.1) to canonical text: paragraphs, headings by style or outline level, lists, rows of tables, footnotes and comments
// at the end, the text of pictures behind their paragraph. Objects, headers, footers, hidden and deleted text are left out; nothing embedded is opened.
import { createBlockWriter } from '../canonical/block-writer.ts';
import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { createEndMatter } from '../canonical/end-matter.ts';
import { createStruckText } from '../canonical/struck-text.ts';
import { createTableRows } from '../canonical/table-spans.ts';
import { characterWords, decoderOfPage } from '../office/rtf-text.ts';
import {
  drawingsNotRead,
  type EmbeddedPictures,
  pictureLines,
  recognisePictures,
} from '../pictures/embedded-pictures.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { factNames, firstGroup, type Group, readStarred, shapeProperties, skipped } from './rtf-destinations.ts';
import { rtfFacts } from './rtf-facts.ts';
import { symbolOfField } from './rtf-fields.ts';
import { rtfFonts } from './rtf-fonts.ts';
import { type RtfPictures, rtfPictures } from './rtf-pictures.ts';
import { rtfCellEdges } from './rtf-rows.ts';
import { type RtfToken, rtfTokens } from './rtf-tokens.ts';

const mime = 'application/rtf';
/** Word writes some dozens; a file made to hurt writes millions. */
const maxDepth = 1000;

export const rtf: Parser = {
  name: 'rtf',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const first = rtfPictures();
    const bare = readRtf(input, first);
    const pictures = await recognisePictures(input, first.held);
    // Files that show no picture are read once.
    const { document, endMatter, facts } = first.held.length === 0 ? bare : readRtf(input, rtfPictures(), pictures);
    requireText(document.text, input.name);
    const { title: said, ...metadata } = facts;
    const title = typeof said === 'string' ? said : document.headings[0]?.title;
    return parsedDocument({
      ...document,
      places: endMatter.places(document.headings, title),
      mime,
      title,
      metadata: { ...metadata, ...pictures.metadata() },
      warnings: [
        ...pictures.warnings(first.held.filter(({ key }) => !pictures.hasText(key)).length),
        ...drawingsNotRead(first.drawings),
      ],
    });
  },
};

// oxlint-disable-next-line max-lines-per-function -- One control word of the format stands after another.
function readRtf({ bytes, name }: ParseInput, pictures: RtfPictures, texts?: EmbeddedPictures) {
  const writer = createBlockWriter();
  const fonts = rtfFonts();
  const styles = new Map<number, number>();
  const facts = rtfFacts();
  const notesAtEnd: { readonly text: string; readonly heading: string | undefined }[] = [];
  const stack: Group[] = [];
  let group = firstGroup();
  let filePage = 1252;
  let defaultFont = -1;
  let pending: Uint8Array[] = [];
  let toSkip = 0;
  let isGroupStart = false;
  let isStarred = false;
  /** Keys of the pictures of the paragraph or row. */
  let unwritten: string[] = [];
  let notes = 0;
  let styleName = '';
  let styleLevel: number | undefined;
  let outline: number | undefined;
  let paragraph = createStruckText();
  /** Paragraphs in which text boxes stand, until these end. */
  const boxes: {
    readonly paragraph: typeof paragraph;
    readonly listMark: string;
    readonly outline: number | undefined;
  }[] = [];
  let listMark = '';
  let row: string[] | undefined;
  const edges = rtfCellEdges();
  let note: string[] = [];
  let author = '';
  /** The instruction of a field, and whether what it shows is written. */
  let field = '';
  let isShown = false;
  const flush = (): void => {
    if (pending.length === 0) return;
    const written = Buffer.concat(pending);
    pending = [];
    emit(fonts.isSymbol(group.font) ? written.toString('latin1') : decoderOfPage(group.page).decode(written));
  };
  const emit = (raw: string): void => {
    if (group.isHidden) return;
    const text = group.destination === 'fonts' ? raw : fonts.shown(group.font, raw);
    if (group.destination === 'body') paragraph.add(text, group.isStruck ? 'struck' : undefined);
    else if (group.destination === 'note' || group.destination === 'comment') note.push(text);
    else if (group.destination === 'list-mark') listMark += text;
    else if (group.destination === 'author') author += text;
    else if (group.destination === 'field') field += text;
    else if (group.destination === 'styles') styleName += text;
    else if (group.destination === 'fonts') fonts.name(group.font, text);
    else if (group.destination === 'fact') facts.text(group.fact, text);
  };
  const writePictures = (keys: readonly string[]): void => {
    for (const key of keys)
      for (const { kind, text } of texts === undefined ? [] : pictureLines(texts, key)) writer.put(kind, text);
  };
  const table = createTableRows((line, keys) => {
    writer.put('table-row', line);
    writePictures(keys);
  });
  const takeParagraph = (): string => {
    const text = paragraph.finish();
    paragraph = createStruckText();
    return text;
  };
  const endParagraph = (): void => {
    if (group.destination === 'note' || group.destination === 'comment') {
      note.push(' ');
      return;
    }
    if (group.destination !== 'body') return;
    if (row !== undefined) {
      paragraph.add(' ');
      return;
    }
    table.end();
    const text = takeParagraph();
    const level = outline ?? styles.get(group.style);
    const mark = listMark.replace(/\s+/gu, ' ').trim();
    listMark = '';
    if (level !== undefined) writer.put('heading', `${mark} ${text}`, level);
    else if (mark !== '' && text.trim() !== '')
      writer.put('list-item', `${/^[\p{L}\p{N}(]/u.test(mark) ? mark : '-'} ${text.trim()}`);
    else writer.put('paragraph', text);
    writePictures(unwritten);
    unwritten = [];
  };
  const endCell = (): void => {
    row ??= [];
    row.push(`${listMark}${takeParagraph()}`.replace(/\s+/gu, ' ').trim());
    listMark = '';
  };
  const endRow = (): void => {
    table.add({ texts: row ?? [], known: edges.ofRow() }, unwritten);
    row = undefined;
    unwritten = [];
  };
  const endPicture = (): void => {
    const key = pictures.end();
    if (key !== undefined) unwritten.push(key);
  };
  const closeGroup = (): void => {
    flush();
    const closed = group;
    group = stack.pop() ?? closed;
    if (closed.destination === 'picture' && group.destination !== 'picture') endPicture();
    if (closed.destination === 'field' && group.destination !== 'field') {
      const symbol = symbolOfField(field);
      isShown = symbol !== undefined;
      emit(symbol ?? '');
    }
    if (closed.boxes > group.boxes) {
      writer.put('paragraph', takeParagraph());
      ({ paragraph, listMark, outline } = boxes.pop() ?? { paragraph, listMark, outline });
    }
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
        notesAtEnd.push({ text: `[${notes}] ${text}`, heading: writer.heading });
      } else {
        const by = author.trim() === '' ? 'Comment' : `Comment by ${author.trim()}`;
        notesAtEnd.push({ text: `${by}: ${text}`, heading: writer.heading });
      }
      author = '';
    } else if (closed.destination === 'styles' && group.destination === 'styles') {
      const heading = /^heading (\d)/iu.exec(styleName.trim())?.[1];
      const level = styleLevel ?? (heading === undefined ? undefined : Number(heading));
      if (level !== undefined) styles.set(closed.style, level);
      styleName = '';
      styleLevel = undefined;
    }
  };
  // oxlint-disable-next-line complexity, house/own-lines -- Each form that the format knows is a case.
  const control = (word: string, value: number | undefined): void => {
    if (isGroupStart && enterDestination(word)) return;
    if (group.destination === 'picture') {
      pictures.word(word);
      return;
    }
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
      case 'mac':
        filePage = word === 'mac' ? 10000 : (value ?? 1252);
        group.page = filePage;
        break;
      case 'deff':
        defaultFont = value ?? 0;
        break;
      case 'f':
        group.font = value ?? 0;
        group.page = fonts.pageOf(group.font) ?? filePage;
        break;
      case 'fcharset':
      case 'cpg':
        if (group.destination === 'fonts') fonts.define(group.font, word, value ?? 0);
        break;
      case 'plain':
        group.isHidden = false;
        group.isStruck = false;
        group.font = defaultFont;
        group.page = filePage;
        break;
      case 'v':
      case 'deleted':
        group.isHidden = value !== 0;
        break;
      case 'strike':
      case 'striked':
        group.isStruck = value !== 0;
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
        if (row?.length === 0 && paragraph.isEmpty) row = undefined;
        outline = undefined;
        group.style = 0;
        break;
      case 'trowd':
        if (group.destination === 'body' && !paragraph.isEmpty && row === undefined) endParagraph();
        if (group.destination === 'body') edges.word(word, value);
        break;
      case 'trleft':
      case 'trhdr':
      case 'clvmrg':
      case 'clmrg':
      case 'cellx':
        if (group.destination === 'body') edges.word(word, value);
        break;
      case 'intbl':
        if (group.destination === 'body') row ??= [];
        break;
      // A backslash before the end of a line (as macOS writes it) is a paragraph's end, too.
      case '\n':
      case '\r':
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
      case 'yr':
      case 'mo':
      case 'dy':
        if (group.destination === 'fact') facts.date(group.fact, word, value ?? 0);
        break;
    }
  };
  /** Whether the word names a destination, so that it is done with. */
  // oxlint-disable-next-line complexity -- Each form that the format knows is a case.
  const enterDestination = (word: string): boolean => {
    if (word === '*') {
      isStarred = true;
      return true;
    }
    isGroupStart = false;
    const wasStarred = isStarred;
    isStarred = false;
    if (word === 'pict' && !group.isUnseen) {
      group.destination = 'picture';
      pictures.begin();
      return true;
    }
    if (word === 'shprslt') group.isUnseen = true;
    if (group.destination === 'skip') return word === 'u' ? false : word !== 'ud' || !leaveSkip();
    const fact = group.destination === 'fact' ? factNames[word] : undefined;
    if (word === 'upr') group.outside = group.destination;
    const isResult = word === 'fldrslt' && isShown;
    if (word === 'fldrslt') isShown = false;
    if (word === 'fonttbl') group.destination = 'fonts';
    else if (word === 'stylesheet') group.destination = 'styles';
    else if (word === 'footnote') group.destination = 'note';
    else if (word === 'annotation') group.destination = 'comment';
    else if (word === 'fldinst' && /^(?:body|note|comment)$/u.test(group.destination)) {
      group.destination = 'field';
      field = '';
    } else if (isResult) skip(word);
    else if (word === 'atnauthor') group.destination = 'author';
    else if (word === 'listtext' || word === 'pntext') group.destination = 'list-mark';
    else if (word === 'shptxt' && group.destination === 'body' && row === undefined) {
      boxes.push({ paragraph, listMark, outline });
      [paragraph, listMark, outline] = [createStruckText(), '', undefined];
      group.boxes++;
    } else if (word === 'info') {
      group.destination = 'fact';
      group.fact = 'other';
    } else if (group.destination === 'fact' && fact !== undefined) {
      group.fact = fact;
      facts.begin(fact);
    } else if (word === 'upr' || word === 'pict' || skipped.has(word)) skip(word);
    else if (wasStarred && word === 's' && group.destination === 'styles') return false;
    else if (wasStarred && !readStarred.has(word)) skip(word);
    else return false;
    return true;
  };
  const skip = (word: string): void => {
    group.destination = 'skip';
    if (!shapeProperties.has(word)) group.isUnseen = true;
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
        throw new ReadError('too-large', `${name} nests more than ${maxDepth} groups: refused. Save it again.`);
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
      if (token.kind === 'control' || token.kind === 'binary') {
        toSkip--;
        return;
      }
      const rest = token.bytes.subarray(Math.min(toSkip, token.count));
      toSkip -= Math.min(toSkip, token.count);
      if (group.destination !== 'skip' && rest.length > 0) pending.push(rest);
    } else if (token.kind === 'binary') {
      if (group.destination === 'picture') pictures.raw(token.bytes);
    } else if (token.kind === 'control') {
      control(token.word, token.value);
    } else {
      isGroupStart = false;
      if (group.destination === 'picture') pictures.digits(token.bytes);
      else if (group.destination !== 'skip') pending.push(token.bytes);
    }
  };
  for (const token of rtfTokens(bytes)) take(token);
  flush();
  while (stack.length > 0) closeGroup();
  endRow();
  table.end();
  endParagraph();
  const endMatter = createEndMatter(writer);
  for (const { text, heading } of notesAtEnd) endMatter.put(text, heading);
  return { document: writer.finish(), endMatter, facts: facts.metadata() };
}
