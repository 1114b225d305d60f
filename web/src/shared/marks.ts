// Where the marks and the claims of an answer stand in its text. Invariant: places come from the server alone and are checked against the text; nothing is
// found by how it looks, since words of documents hold `[2]` too.
import type { Answer, Citation, Claim, Mark } from './contract.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Segment {
  readonly text: string;
  /** The citation that the text is the mark of. */
  readonly citation?: number;
  readonly highlighted?: true;
}

/** A part of a text, cut at its marks and at what is highlighted in it. A mark at which no `[n]` stands is none. */
export function segmentsOf(
  text: string,
  span: Span,
  { marks, highlights = [] }: { readonly marks: readonly Mark[]; readonly highlights?: readonly Span[] },
): Segment[] {
  const segments: Segment[] = [];
  let at = span.start;
  const plain = (to: number): void => {
    for (const { start, end } of highlights) {
      if (start < at || end > to) continue;
      if (start > at) segments.push({ text: text.slice(at, start) });
      segments.push({ text: text.slice(start, end), highlighted: true });
      at = end;
    }
    if (to > at) segments.push({ text: text.slice(at, to) });
    at = to;
  };
  for (const { start, end, citation } of marks) {
    if (start < at || end > span.end || text.slice(start, end) !== `[${citation}]`) continue;
    plain(start);
    segments.push({ text: text.slice(start, end), citation });
    at = end;
  }
  plain(span.end);
  return segments;
}

export type ShownAnswer = Pick<Answer, 'answer' | 'claims'> & Partial<Pick<Answer, 'marks' | 'passages' | 'sections'>>;

/** The claims that stand in the text: of an abstention the passages that come closest. */
export const claimsInText = ({ claims, passages = [] }: ShownAnswer): readonly Claim[] =>
  claims.length > 0 ? claims.filter(({ confirmed }) => confirmed !== false) : passages;

/** Each claim with its marks: the marks of a claim stand right behind it. Empty where the text is made in another way. */
export function claimSpans(answer: ShownAnswer): Span[] {
  const { answer: text, marks = [] } = answer;
  const spans: Span[] = [];
  let next = 0;
  for (const claim of claimsInText(answer)) {
    const own = marks.slice(next, next + claim.citations.length);
    const start = (own[0]?.start ?? 0) - 1 - claim.text.length;
    const isHere =
      own.every(({ citation }, at) => citation === claim.citations[at]) &&
      text.slice(start, start + claim.text.length) === claim.text;
    if (!isHere || start < 0) return [];
    spans.push({ start, end: own.at(-1)?.end ?? start + claim.text.length });
    next += own.length;
  }
  return spans;
}

export interface Block {
  /** What stands before: an opening, or the headings over a passage. */
  readonly opening?: string;
  readonly headings?: readonly string[];
  /** Claims that follow one another as sentences do, by their place from 0; empty: a text without claims. */
  readonly claims: readonly { readonly at: number; readonly span: Span }[];
  readonly span: Span;
}

/** The text in paragraphs: passages stand alone, sentences follow one another, and what is said of the claims comes last. */
export function blocksOf(answer: ShownAnswer): Block[] {
  const { answer: text } = answer;
  const shown = claimsInText(answer);
  const blocks: Block[] = [];
  let from = 0;
  for (const [at, span] of claimSpans(answer).entries()) {
    const between = text.slice(from, span.start);
    const last = blocks.at(-1);
    if (last && between === ' ')
      blocks[blocks.length - 1] = {
        ...last,
        claims: [...last.claims, { at, span }],
        span: { ...last.span, end: span.end },
      };
    else {
      const path = shown[at]?.headingPath ?? [];
      const heading = `${path.join(' > ')}\n`;
      const isHeaded = path.length > 0 && between.endsWith(heading);
      const opening = (isHeaded ? between.slice(0, -heading.length) : between).trim();
      blocks.push({ claims: [{ at, span }], span, ...(opening && { opening }), ...(isHeaded && { headings: path }) });
    }
    from = span.end;
  }
  for (const part of text.slice(from).split(/(\n{2,})/)) {
    if (part.trim()) blocks.push({ claims: [], span: { start: from, end: from + part.length } });
    from += part.length;
  }
  return blocks;
}

/** The parts of passages that answer, as places in the text. */
export function highlightsOf(answer: ShownAnswer): Span[] {
  const shown = claimsInText(answer);
  return claimSpans(answer).flatMap(({ start }, at) => {
    const pinpoint = shown[at]?.pinpoint;
    return pinpoint ? [{ start: start + pinpoint.start, end: start + pinpoint.end }] : [];
  });
}

/** The words of a citation that answer, as places in its document, where they are fewer than the whole quote. */
export function wordsOf(
  { claims, passages = [] }: ShownAnswer,
  { index, quote, start }: Pick<Citation, 'index' | 'quote' | 'start'>,
): Span[] {
  const spans = [...claims, ...passages].flatMap(({ text, citations, pinpoint, form }) => {
    if (!citations.includes(index)) return [];
    const at = text === quote ? 0 : form === 'sentence' ? quote.indexOf(text) : -1;
    const own = pinpoint ?? (text === quote ? undefined : { start: 0, end: text.length });
    return at >= 0 && own ? [{ start: start + at + own.start, end: start + at + own.end }] : [];
  });
  const parts = spans.filter((span) => span.end - span.start < quote.length);
  return [...new Map(parts.map((span) => [`${span.start} ${span.end}`, span])).values()];
}
