// The lines with which pages of one site, letters on one paper or chapters of one manual begin and end: what stands at the edges of most
// of them, word for word. Invariant: pure, and the same for a set of documents in whatever order they came; every line that is taken
// for the template and says something by itself is found in one document, its keeper, still.
import type { SourceSpan } from '../../core/document.ts';
import { sha256 } from '../../core/ids.ts';

/** How far from its beginning and end a text is looked at. */
const edgeLines = 60;
const edgeCharacters = 6_000;
/** A line is of the template when so many texts have it at this edge, and this share of all that are compared. */
export const leastTexts = 5;
const leastShare = 0.5;
/** Shorter frames crowd out nothing. */
const leastCharacters = 20;

/** Lines of fewer words only lead somewhere: `Home`, `Report a problem`, `Was this page helpful?`. */
const tellingWords = 6;
/** Of a telephone number, a register, a postal code with its street. */
const tellingDigits = 5;

/** A line so long that ends no sentence goes on in the next one: text that was wrapped. */
const wrappedCharacters = 50;

/** A line with words or figures, by its words: case and white space do not count. */
export interface EdgeLine extends SourceSpan {
  readonly key: string;
  /** Whether it says something by itself, as a notice or an address does and a label does not. */
  readonly tells: boolean;
}

/** From the outside in. */
export interface Edges {
  readonly head: readonly EdgeLine[];
  readonly tail: readonly EdgeLine[];
}

export function edgesOf(text: string): Edges {
  return { head: wrapped(text, firstLines(text)), tail: wrapped(text, lastLines(text).reverse()).reverse() };
}

/** Lines in the order of the text; what goes on from a line that tells something tells it, too. */
function wrapped(text: string, lines: readonly EdgeLine[]): EdgeLine[] {
  const found: EdgeLine[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    const goesOn =
      last?.tells === true &&
      last.end - last.start >= wrappedCharacters &&
      line.start - last.end === 1 &&
      !/[.!?:;。！？]["'”’»)]*\s*$/u.test(text.slice(Math.max(last.start, last.end - 10), last.end));
    found.push(goesOn ? { ...line, tells: true } : line);
  }
  return found;
}

function firstLines(text: string): EdgeLine[] {
  const lines: EdgeLine[] = [];
  for (let start = 0; start < Math.min(text.length, edgeCharacters) && lines.length < edgeLines; ) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    addLine(lines, text, { start, end });
    start = end + 1;
  }
  return lines;
}

function lastLines(text: string): EdgeLine[] {
  const lines: EdgeLine[] = [];
  const least = text.length - edgeCharacters;
  for (let end = text.length; end > 0 && end > least && lines.length < edgeLines; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    addLine(lines, text, { start, end });
    end = start - 1;
  }
  return lines;
}

/** Rules and blank lines say nothing: they go with the lines around them. */
function addLine(lines: EdgeLine[], text: string, { start, end }: SourceSpan): void {
  if (end - start > edgeCharacters) {
    lines.push({ start, end, key: '', tells: true });
    return;
  }
  const words = text.slice(start, end).replace(/\s+/gu, ' ').trim().toLowerCase();
  if (!/[\p{L}\p{N}]/u.test(words)) return;
  lines.push({ start, end, key: sha256(words).slice(0, 16), tells: doesTell(words) });
}

/** Where links lead is not said to readers. Chinese and Japanese write no spaces: about two characters are a word. */
function doesTell(line: string): boolean {
  return line
    .replace(/\]\([^()]*\)|<[^<>]*>/gu, '|')
    .split(/[|·•›»→[\]]/u)
    .some((part) => {
      const unspaced =
        part.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
      const words = part.match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’.-]*/gu)?.length ?? 0;
      const digits = part.match(/\p{N}/gu)?.length ?? 0;
      return words + unspaced / 2 >= tellingWords || digits >= tellingDigits || /\S@\S/u.test(part);
    });
}

/** One of the texts that are compared. */
export interface Sampled {
  readonly id: string;
  readonly uri: string;
  readonly edges: Edges;
  /** Texts that are copies or versions of one another count once. */
  readonly family: string;
  /** Whether a line is in a chunk now, so that it can be found there. */
  isFound(line: SourceSpan): boolean;
  /** Whether a line is kept out by a template already. */
  isFramed(line: SourceSpan): boolean;
}

/** Of one edge of the texts of a folder. */
export interface EdgeTemplate {
  /** Keys of its lines. */
  readonly lines: ReadonlySet<string>;
  /** Those that would be found by searching; others are in no chunk anyway: navigation that its page marks as such. */
  readonly findable: ReadonlySet<string>;
  /** Of those that tell something, the id of the document that keeps each findable. */
  readonly keepers: ReadonlyMap<string, string>;
}

export type Template = { readonly [edge in keyof Edges]: EdgeTemplate };

/** `outer`: templates of the folders around this one, whose lines are kept there. */
export function templateOf(sample: readonly Sampled[], outer: readonly Template[]): Template {
  const inOrder = sample.toSorted((a, b) => depthOf(a.uri) - depthOf(b.uri) || (a.uri < b.uri ? -1 : 1));
  const families = new Set(sample.map(({ family }) => family)).size;
  const least = Math.max(leastTexts, families * leastShare);
  const edge = (name: keyof Edges): EdgeTemplate => {
    const known = new Set(outer.flatMap((one) => [...one[name].lines]));
    const lines = linesOf(inOrder, name, least).difference(known);
    const findable = keepersOf(inOrder, name, lines);
    const telling = new Set(
      inOrder.flatMap(({ edges }) => edges[name].filter(({ tells }) => tells).map(({ key }) => key)),
    );
    return {
      lines,
      findable: new Set(findable.keys()),
      keepers: new Map([...findable].filter(([key]) => telling.has(key))),
    };
  };
  return { head: edge('head'), tail: edge('tail') };
}

const depthOf = (uri: string): number => uri.split('/').length;

function linesOf(sample: readonly Sampled[], edge: keyof Edges, least: number): ReadonlySet<string> {
  const families = new Map<string, Set<string>>();
  for (const { edges, family } of sample)
    for (const { key } of edges[edge]) {
      const known = families.get(key);
      if (known === undefined) families.set(key, new Set([family]));
      else known.add(family);
    }
  return new Set([...families].filter(([key, { size }]) => key !== '' && size >= least).map(([key]) => key));
}

/** For each findable line the first document in which it is found now; where it is in none, the first that could show it again. */
function keepersOf(
  sample: readonly Sampled[],
  edge: keyof Edges,
  template: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const framed = new Map<string, string>();
  for (const one of sample)
    for (const line of one.edges[edge]) {
      if (!template.has(line.key)) continue;
      if (!found.has(line.key) && one.isFound(line)) found.set(line.key, one.id);
      if (!framed.has(line.key) && one.isFramed(line)) framed.set(line.key, one.id);
    }
  return new Map([...framed, ...found]);
}

/** The lines of the template up to the first other one. */
function runOf(lines: readonly EdgeLine[], template: ReadonlySet<string>): readonly EdgeLine[] {
  const end = lines.findIndex(({ key }) => !template.has(key));
  return end < 0 ? lines : lines.slice(0, end);
}

/** The parts of a text that are not the template of its site. */
export interface Framed {
  /** The part that is the text's own, and the neighbouring lines of the template that count as its own. */
  readonly content: SourceSpan;
  /** Further lines of the template that are found in it, and in no other text. Sorted; neighbours are one. */
  readonly kept: readonly SourceSpan[];
}

/** Under the templates of the folders that a text lies in; undefined where it is cut as it would be without them. */
export function framedBy(
  { id, edges, length }: { readonly id: string; readonly edges: Edges; readonly length: number },
  templates: readonly Template[],
): Framed | undefined {
  const frameAt = (name: keyof Edges): { readonly cut: readonly EdgeLine[]; readonly kept: readonly SourceSpan[] } => {
    const own = templates.map((one) => one[name]);
    const run = runOf(edges[name], new Set(own.flatMap(({ lines }) => [...lines])));
    const keeps = ({ key }: EdgeLine): boolean => own.some(({ keepers }) => keepers.get(key) === id);
    // What it keeps next to its own stays with that.
    const last = run.findLastIndex((line) => !keeps(line) && own.some(({ findable }) => findable.has(line.key)));
    const cut = run.slice(0, last + 1);
    return { cut, kept: joined(cut, keeps) };
  };
  const [head, tail] = [frameAt('head'), frameAt('tail')];
  const [start, end] = [head.cut.at(-1)?.end ?? 0, tail.cut.at(-1)?.start ?? length];
  if (start >= end || start + length - end < leastCharacters) return undefined;
  return { content: { start, end }, kept: [...head.kept, ...tail.kept] };
}

function joined(lines: readonly EdgeLine[], isWanted: (line: EdgeLine) => boolean): readonly SourceSpan[] {
  const spans: { start: number; end: number }[] = [];
  let isOpen = false;
  for (const line of lines.toSorted((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    const isNext = isWanted(line);
    if (isNext && isOpen && last) last.end = line.end;
    else if (isNext) spans.push({ start: line.start, end: line.end });
    isOpen = isNext;
  }
  return spans;
}
