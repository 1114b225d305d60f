// An answer, or a claim of it, as Markdown with footnotes. Invariant: only marks become footnotes; `[2]` of a document stays text, and no word of a
// document becomes a link or a heading.
import type { Answer, Citation } from './contract.ts';
import { claimSpans, claimsInText, type Segment, type Span, segmentsOf } from './marks.ts';
import { inOrder } from './text.ts';

/** Text that is read as text: no markup, no address that becomes a link, no line that becomes a heading, a rule, a list or code. */
const inert = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>#|~&]|:(?=\/\/)|(?<=www)\.|!$/gi, '\\$&')
    .replace(/(?<=[\n\r])[ \t]+/g, '')
    .replace(/^([ \t]*)([=:+-])/gm, '$1\\$2')
    .replace(/^([ \t]*\d{1,9})([.)])/gm, '$1\\$2');

/** What a page calls itself comes first, as people cite it; then the one of the file, which readers of PDF count. */
export function placeOf({ page, lines, place }: Pick<Citation, 'page' | 'lines' | 'place'>): string {
  if (page !== undefined) return place === undefined ? `page ${page}` : `${place} (page ${page} of the file)`;
  const ofLines = lines && (lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines[0]}–${lines[1]}`);
  return [ofLines, place].filter((part) => part !== undefined).join(', ');
}

type Copied = Pick<Answer, 'answer' | 'claims' | 'citations'> &
  Partial<Pick<Answer, 'marks' | 'passages' | 'sections'>>;

const inLine = (text: string): string => inOrder(text).replace(/\s+/gu, ' ');

function footnotes(segments: readonly Segment[], citations: readonly Citation[]): string {
  const text = segments.map(({ text, citation }) => (citation ? `[^${citation}]` : inert(inOrder(text)))).join('');
  const cited = new Set(segments.flatMap(({ citation }) => citation ?? []));
  const notes = citations
    .filter(({ index }) => cited.has(index))
    .map(({ index, title, uri, quote, url, ...rest }) => {
      const where = [inert(inLine(title || uri)), inert(inLine(placeOf(rest)))].filter(Boolean).join(', ');
      return `[^${index}]: ${where}: "${inert(inLine(quote))}" <${url.replaceAll(/[<>\s]/g, encodeURIComponent)}>`;
    });
  return [text.trim(), ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}

/** The whole text; what nothing confirms stands apart and says so. */
export function answerMarkdown(answer: Copied): string {
  const { answer: text, marks = [], citations, claims } = answer;
  const said = segmentsOf(text, { start: 0, end: text.length }, { marks });
  const reworded = claims
    .filter(({ confirmed }) => confirmed === false)
    .flatMap(({ text: words, citations: cited }) => [
      { text: `\n\nIn the model’s words, not confirmed: ${words} ` },
      ...cited.map((citation) => ({ text: `[${citation}]`, citation })),
    ]);
  return footnotes([...said, ...reworded], citations);
}

export function claimMarkdown(answer: Copied, at: number): string {
  const span: Span | undefined = claimSpans(answer)[at];
  if (span) return footnotes(segmentsOf(answer.answer, span, { marks: answer.marks ?? [] }), answer.citations);
  const claim = claimsInText(answer)[at];
  const marks = (claim?.citations ?? []).map((citation) => ({ text: `[${citation}]`, citation }));
  return footnotes([{ text: `${claim?.text ?? ''} ` }, ...marks], answer.citations);
}
