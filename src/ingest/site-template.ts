// The lines with which pages of one site, letters on one paper or chapters of one manual begin and end: what stands at the edges of most
// of them, word for word. Invariant: pure, and the same for a set of documents in whatever order they came; every line that is taken
// for the template in one document is, in another one (its keeper), not, so that nothing becomes unfindable.
import type { SourceSpan } from '../core/document.ts';
import { sha256 } from '../core/ids.ts';

/** How far from its beginning and end a text is looked at. */
const edgeLines = 60;
const edgeCharacters = 6_000;
/** A line is of the template when so many texts have it at this edge, and this share of all that are compared. */
export const leastTexts = 5;
const leastShare = 0.5;
/** Shorter frames crowd out nothing. */
const leastCharacters = 20;

/** A line that says something, by its words: case and white space do not count. */
export interface EdgeLine extends SourceSpan {
  readonly key: string;
}

/** From the outside in. */
export interface Edges {
  readonly head: readonly EdgeLine[];
  readonly tail: readonly EdgeLine[];
}

export function edgesOf(text: string): Edges {
  return { head: firstLines(text), tail: lastLines(text) };
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
    lines.push({ start, end, key: '' });
    return;
  }
  const words = text.slice(start, end).replace(/\s+/gu, ' ').trim().toLowerCase();
  if (/[\p{L}\p{N}]/u.test(words)) lines.push({ start, end, key: sha256(words).slice(0, 16) });
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
  /** Ids of the documents that keep the findable ones so. */
  readonly keepers: ReadonlySet<string>;
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
    const keeperOf = keepersOf(inOrder, name, lines);
    return { lines, findable: new Set(keeperOf.keys()), keepers: new Set(keeperOf.values()) };
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

/** What of a text is its own, or is kept findable in it, under the templates of the folders that it lies in; undefined: all of it. */
export function contentOf(
  { id, edges, length }: { readonly id: string; readonly edges: Edges; readonly length: number },
  templates: readonly Template[],
): SourceSpan | undefined {
  const last = (name: keyof Edges): EdgeLine | undefined => {
    const own = templates.map((one) => one[name]);
    if (own.some(({ keepers }) => keepers.has(id))) return undefined;
    const run = runOf(edges[name], new Set(own.flatMap(({ lines }) => [...lines])));
    return run.findLast(({ key }) => own.some(({ findable }) => findable.has(key)));
  };
  const [start, end] = [last('head')?.end ?? 0, last('tail')?.start ?? length];
  if (start >= end || start + length - end < leastCharacters) return undefined;
  return { start, end };
}
