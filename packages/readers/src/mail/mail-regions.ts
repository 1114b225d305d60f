// The parts of a mail that are not what its writer says now: quoted earlier messages, signatures and legal notices. Invariant: regions are
// sorted, do not overlap and lie within the span asked about; what is forwarded is content, not a quotation. Marks: RFC 3676 §4.3 and §4.5, and
// the attribution lines and header blocks that the common programs write, in seven languages.
import type { SourceSpan } from '../document.ts';

export type MailRegionKind = 'quoted' | 'signature' | 'notice';
export interface MailRegion extends SourceSpan {
  readonly kind: MailRegionKind;
}

interface Line extends SourceSpan {
  readonly text: string;
}

const quoteMark = /^[ \t]{0,3}>/u;
/** The last line of "On Monday, Ann wrote:". */
const attributionEnd =
  /(?:\b(?:wrote|writes|said)|\bschrieb(?:\s+\S.{0,120})?|\ba écrit|\bescribió|\bha scritto|\bescreveu|\bschreef(?:\s+\S.{0,120})?)\s?:\s*$/iu;
const attributionStart = /^\s*(?:On|Am|Le|El|Il|Em|Op)\s|^\s*\S.{0,80}<[^<>\s@]+@[^<>\s]+>/u;
/** An address, a date or a time: without them a line that opens like an attribution is a sentence of the writer's. */
const attributionFacts = /\S@\S|\d\D+\d/u;
const originalMark =
  /^\s*-{2,}\s*(?:original message|original appointment|ursprüngliche nachricht|message d[’']origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht)\s*-{2,}\s*$/iu;
const forwardMark =
  /^\s*(?:-{2,}\s*(?:forwarded message|weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato|doorgestuurd bericht)\s*-{2,}|begin forwarded message:|anfang der weitergeleiteten nachricht:)\s*$/iu;
const forwardedSubject = /^\s*(?:fwd?|wg|tr|rv|i)\s*:/iu;
const headerKey =
  /^[\s*]*(from|von|de|da|van|sent|gesendet|envoyé|enviado|inviato|verzonden|date|datum|fecha|data|to|an|à|para|a|aan|cc|kopie|subject|betreff|objet|asunto|oggetto|assunto|onderwerp)\s?:\*?\s/iu;
const subjectKey = /^(?:subject|betreff|objet|asunto|oggetto|assunto|onderwerp)$/iu;
const signatureMark = /^--\s?$/u;
const closing =
  /^\s*(?:(?:with\s+)?(?:(?:many|kind|best|warm|warmest|kindest)\s+)?(?:regards|wishes|thanks)|all the best|best|cheers|thanks(?: again| a lot| so much)?|thank you|sincerely(?: yours)?|yours (?:sincerely|faithfully|truly)|respectfully|(?:mit )?(?:freundlichen?|besten?|herzlichen?|vielen?|schönen?|liebe) grü(?:ß|ss)en?|mfg|cordialement|bien (?:cordialement|à vous)|salutations(?: distinguées)?|(?:un )?(?:cordial(?:es)?|atentos?) saludos?|saludos(?: cordiales)?|atentamente|cordiali saluti|distinti saluti|met vriendelijke groet(?:en)?|atenciosamente)\s*(?:[,.!–—-]+\s*)?$/iu;
const sentFrom =
  /^\s*(?:sent from (?:my|mail for|yahoo|outlook)\b|get outlook for\b|von meinem .{1,40} gesendet|envoyé de(?:puis)? mon\b|enviado desde mi\b)/iu;
const postscript = /^\s*p\.?\s?s\.?\s?[:.]?\s/iu;
const noticeWords =
  /\bconfidential(?:ity)?\b|\bprivileged\b|\bintended (?:solely )?(?:for|recipient)|\bintended recipient|\bunauthori[sz]ed\b|\bdisclaimer\b|\bin error\b|\bdelete (?:it|this)|\bvertraulich|\birrtümlich|\bbestimmungsgemäße|\bconfidentiel|\bdestinataire\b/giu;

/** Lines that an attribution may be wrapped over. */
const attributionLines = 3;
const maxSignatureLines = 14;
const maxClosingLines = 8;

/** The regions of a message. For a text of many messages, `within` is one of them. */
export function mailRegions(text: string, within: SourceSpan = { start: 0, end: text.length }): MailRegion[] {
  const lines = linesOf(text, within);
  const quoted = quotedRegions(lines);
  const regions = [...quoted];
  // Signatures and notices stand at the end of what the writer wrote: before a quotation or the end.
  let from = 0;
  let said = 0;
  const ends = [...quoted, { start: within.end, end: within.end }];
  for (const { start, end } of ends) {
    const own: Line[] = [];
    while (from < lines.length && (lines[from] as Line).start < start) own.push(lines[from++] as Line);
    regions.push(...closingRegions(own, said));
    said += lengthOf(own);
    while (from < lines.length && (lines[from] as Line).start < end) from++;
  }
  return regions.sort((a, b) => a.start - b.start);
}

function linesOf(text: string, { start, end }: SourceSpan): Line[] {
  const lines: Line[] = [];
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline < 0 || newline > end ? end : newline;
    lines.push({ start: at, end: lineEnd, text: text.slice(at, lineEnd) });
    at = lineEnd + 1;
  }
  return lines;
}

const isBlank = (line: Line | undefined): boolean => line === undefined || line.text.trim() === '';

function quotedRegions(lines: readonly Line[]): MailRegion[] {
  const regions: MailRegion[] = [];
  const isForward = forwardedSubject.test(lines.find((line) => !isBlank(line))?.text ?? '');
  let forwarded = -1;
  let saidAnything = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as Line;
    if (isBlank(line)) continue;
    if (forwardMark.test(line.text)) {
      forwarded = index;
      continue;
    }
    if (quoteMark.test(line.text)) {
      const last = lastQuoted(lines, index);
      const first = attributionAbove(lines, index, regions.at(-1)?.end ?? -1);
      regions.push({ start: (lines[first] as Line).start, end: (lines[last] as Line).end, kind: 'quoted' });
      index = last;
      continue;
    }
    // A header block right after a forward mark, or in a mail whose subject says so, opens what is forwarded.
    const isOpening = !isForward && (forwarded < 0 || index - forwarded > 3);
    const startsQuote =
      originalMark.test(line.text) ||
      (isOpening && isHeaderBlock(lines, index)) ||
      (/^\s*_{8,}\s*$/u.test(line.text) && isOpening && isHeaderBlock(lines, nextFull(lines, index + 1)));
    if (startsQuote) {
      regions.push({ start: line.start, end: endOf(lines), kind: 'quoted' });
      return regions;
    }
    const first = saidAnything ? attributionAt(lines, index, regions.at(-1)?.end ?? -1) : undefined;
    const next = lines[nextFull(lines, index + 1)];
    if (first !== undefined && next !== undefined && !quoteMark.test(next.text)) {
      // Rendered from HTML: the quotation has no marks, and goes on to the end.
      regions.push({ start: first.start, end: endOf(lines), kind: 'quoted' });
      return regions;
    }
    saidAnything = true;
  }
  return regions;
}

const endOf = (lines: readonly Line[]): number => {
  for (let index = lines.length - 1; index >= 0; index--) if (!isBlank(lines[index])) return (lines[index] as Line).end;
  return 0;
};

function nextFull(lines: readonly Line[], from: number): number {
  let index = from;
  while (index < lines.length && isBlank(lines[index])) index++;
  return index;
}

/** The last quoted line of a run; blank lines between quoted ones belong to it. */
function lastQuoted(lines: readonly Line[], from: number): number {
  let last = from;
  for (let index = from + 1; index < lines.length; index++) {
    const line = lines[index] as Line;
    if (quoteMark.test(line.text)) last = index;
    else if (!isBlank(line)) break;
  }
  return last;
}

/** The first line of the attribution that ends at `index`, if it says what programs write of a message. */
function attributionAt(lines: readonly Line[], index: number, after: number): Line | undefined {
  const line = lines[index];
  if (line === undefined || line.text.length >= 300 || !attributionEnd.test(line.text)) return undefined;
  const attribution = lines.slice(attributionAbove(lines, index + 1, after), index + 1);
  const [first] = attribution;
  if (first === undefined || !attributionStart.test(first.text)) return undefined;
  return attributionFacts.test(attribution.map(({ text }) => text).join(' ')) ? first : undefined;
}

/** Index of the first line of the attribution that ends directly above; `index` itself where there is none. */
function attributionAbove(lines: readonly Line[], index: number, after: number): number {
  let last = index - 1;
  if (isBlank(lines[last])) last--;
  const line = lines[last];
  if (line === undefined || line.start < after || !attributionEnd.test(line.text)) return index;
  let first = last;
  for (let up = last; up > last - attributionLines && up >= 0; up--) {
    const candidate = lines[up] as Line;
    if (isBlank(candidate) || candidate.start < after) break;
    first = up;
    if (attributionStart.test(candidate.text)) return up;
  }
  return attributionStart.test((lines[first] as Line).text) ? first : last;
}

/** From, sent, to and subject, one a line: how Outlook opens the message that is answered. */
function isHeaderBlock(lines: readonly Line[], index: number): boolean {
  let keys = 0;
  let hasSubject = false;
  for (let at = index; at < lines.length && at < index + 8; at++) {
    const key = headerKey.exec((lines[at] as Line).text)?.[1];
    if (at === index && key === undefined) return false;
    if (isBlank(lines[at])) break;
    if (key === undefined) continue;
    keys++;
    if (subjectKey.test(key)) hasSubject = true;
  }
  return keys >= 3 && hasSubject;
}

/** Characters that the lines show. */
const lengthOf = (lines: readonly Line[]): number => lines.reduce((sum, { text }) => sum + text.trim().length, 0);

/** The signature and the notices at the end of the writer's own lines; `said`: characters that the writer has above them. */
function closingRegions(lines: readonly Line[], said: number): MailRegion[] {
  const regions: MailRegion[] = [];
  let last = lines.length - 1;
  const cutBlank = (): void => {
    while (last >= 0 && isBlank(lines[last])) last--;
  };
  cutBlank();
  for (let found = true; found; ) {
    found = false;
    let first = last;
    while (first > 0 && !isBlank(lines[first - 1])) first--;
    const paragraph = lines.slice(first, last + 1);
    if (paragraph.length > 0 && isNotice(paragraph)) {
      regions.push({ start: (lines[first] as Line).start, end: (lines[last] as Line).end, kind: 'notice' });
      last = first - 1;
      cutBlank();
      found = true;
    }
  }
  const start = signatureStart(lines, last, said);
  if (start !== undefined)
    regions.push({ start: (lines[start] as Line).start, end: (lines[last] as Line).end, kind: 'signature' });
  return regions;
}

function isNotice(paragraph: readonly Line[]): boolean {
  const text = paragraph.map((line) => line.text).join(' ');
  return text.length > 120 && new Set((text.match(noticeWords) ?? []).map((word) => word.toLowerCase())).size >= 2;
}

function signatureStart(lines: readonly Line[], last: number, said: number): number | undefined {
  // The dashes come first: what follows them is the signature, however it looks.
  let full = 0;
  for (let index = last; index >= 0 && full <= maxSignatureLines; index--) {
    if (signatureMark.test((lines[index] as Line).text)) return index === last ? undefined : index;
    if (!isBlank(lines[index])) full++;
  }
  full = 0;
  let found: number | undefined;
  for (let index = last; index > 0 && full <= maxClosingLines; index--) {
    const { text } = lines[index] as Line;
    if (isBlank(lines[index])) continue;
    if (closing.test(text) || (sentFrom.test(text) && index >= last - 2)) {
      // What is longer than all above it is what the writer has to say: "Thanks!" may stand at its head.
      if (closing.test(text))
        return lengthOf(lines.slice(index + 1, last + 1)) <= said + lengthOf(lines.slice(0, index)) ? index : found;
      found = index;
    }
    full++;
    // Sentences are content.
    if (found !== index && (text.length > 90 || postscript.test(text) || (text.length > 50 && /[.!?]\s*$/u.test(text))))
      break;
  }
  return found;
}
