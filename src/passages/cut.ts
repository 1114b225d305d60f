// Cuts the text of a chunk into passages: paragraphs, lists with the line that introduces them, rows under their header, definition entries, code. Small
// neighbours under one heading make one passage; what is longer than a passage may be is cut at the ends of its sentences, items or lines.
// Invariant: passages are exact and sorted, and only the windows of one long piece overlap; the cut depends on the chunk alone.
import type { ChunkHeadings, SourceSpan } from '../core/document.ts';
import { withSingleBlanks } from '../text/one-line.ts';
import { countWords } from '../text/sentences.ts';
import { cacheTexts } from '../text/tokens/text-cache.ts';
import { type Block, blocksOf, isTableRule } from './blocks.ts';
import { longestPassageWords, type Passage, type PassageForm, type PassagePart } from './passage.ts';

export interface CuttableChunk {
  readonly text: string;
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly headings?: ChunkHeadings | undefined;
}

/** Longer texts are no headings. */
const mostHeadingWords = 15;

/** What stands under some headings, outermost first, and one label. */
interface Section {
  readonly headings: readonly Over[];
  readonly label?: Block | undefined;
  readonly blocks: Block[];
}

/** The passages of a chunk, in their order. */
export function cutPassages({ text, title, headingPath, headings }: CuttableChunk): readonly Passage[] {
  const { passages, inner } = cutText(text, headings && JSON.stringify(headings));
  // A heading within the chunk stands over what follows it alone.
  const outer = headingPath.slice(0, 1 + headingPath.findLastIndex((heading) => !inner.has(plainHeading(heading))));
  const above = title === '' || outer[0] === title ? outer : [title, ...outer];
  return passages.flatMap((passage) =>
    passage.words <= mostHeadingWords && above.some((heading) => plainHeading(heading) === plainHeading(passage.text))
      ? []
      : [{ ...passage, headingPath: joinPaths(above, passage.headingPath) }],
  );
}

/** A heading that stands in the path already is not said twice. */
function joinPaths(above: readonly string[], inner: readonly string[]): readonly string[] {
  const alike = Map.groupBy([...above, ...inner], plainHeading);
  alike.delete('');
  return [...alike.values()].flatMap(([first]) => first ?? []);
}

const plainHeading = (heading: string): string =>
  heading
    .replace(/^[\s#]+/u, '')
    .replace(/(?<![\s#:])[\s#:]+$/u, '')
    .replaceAll(/\s+/gu, ' ')
    .toLowerCase();

/** A heading or label over passages, on one line. */
interface Over {
  readonly title: string;
  readonly level: number;
}

interface CutText {
  readonly passages: readonly Passage[];
  /** The headings within the text, as they are compared. */
  readonly inner: ReadonlySet<string>;
}

/** Chunks that questions find are found again. About 30 MB when both generations are full. */
const cutText = cacheTexts(
  (text: string, known: string): CutText => {
    const headings = known === '' ? undefined : (JSON.parse(known) as ChunkHeadings);
    const isOver = ({ start, title }: ChunkHeadings[number]): boolean => title !== undefined && start === 0;
    const blocks = blocksOf(
      text,
      headings?.filter((heading) => !isOver(heading)),
    );
    const inner = blocks
      .filter(({ form }) => form === 'heading')
      .map((block) => plainHeading(toOver(block, text).title));
    const over = (headings ?? []).filter(isOver).map(({ title = '', level }) => ({ title, level }));
    const sections = sectionsOf(blocks, over, text);
    return { passages: sections.flatMap((section) => passagesOf(section, text)), inner: new Set(inner) };
  },
  { characters: 2_000_000, shortest: 0 },
);

/** `over`: the headings over the beginning of the text. */
function sectionsOf(blocks: readonly Block[], over: readonly Over[], text: string): readonly Section[] {
  const sections: Section[] = [];
  let headings = over;
  let open: Section = { headings, blocks: [] };
  const start = (next: Omit<Section, 'blocks'>): void => {
    if (open.blocks.length > 0) sections.push(open);
    open = { ...next, blocks: [] };
  };
  let labels: Block[] = [];
  for (const [at, block] of blocks.entries()) {
    if (block.form === 'label') {
      labels.push(block);
      continue;
    }
    const label = labels.pop();
    if (label) {
      // One with nothing but a label below it is a heading of that one; several are lines that say something.
      if (labels.length > 1) {
        start({ headings });
        open.blocks.push(...labels.map((line) => ({ ...line, form: 'paragraph' as const })));
        labels = [];
      }
      start({ headings: [...headings, ...labels.map((block) => toOver(block, text))], label });
      labels = [];
    }
    if (block.form === 'heading') {
      headings = headings.filter(({ level }) => level < (block.level ?? 1));
      if (block.title === undefined && isBare(block, blocks[at + 1])) {
        if (open.headings.length !== headings.length || open.label) start({ headings });
        open.blocks.push(asParagraph(block));
      } else {
        headings = [...headings, toOver(block, text)];
        start({ headings });
      }
      // The label of a table of contents says no more than it does.
    } else if (block.form === 'contents') start({ headings });
    else open.blocks.push(block);
  }
  start({ headings });
  return sections;
}

/** A heading with nothing under it says something itself. */
const isBare = ({ level = 1 }: Block, next: Block | undefined): boolean =>
  !next || (next.form === 'heading' && (next.level ?? 1) <= level);

const toOver = (block: Block, text: string): Over => ({
  title: block.title ?? unmarked(written(block, text)),
  level: block.level ?? Number.MAX_SAFE_INTEGER,
});

const signs = /^[#=*]+$/u;

/** A heading without the signs that its format marks it by (`## Fees`, `== Fees ==`). Without one before it those behind are its own: `C #`. */
function unmarked(line: string): string {
  const [sign = '', ...words] = line.split(' ');
  if (!signs.test(sign)) return line;
  return (signs.test(words.at(-1) ?? '') ? words.slice(0, -1) : words).join(' ');
}

const asParagraph = ({ start, end, words }: Block): Block => ({
  form: 'paragraph',
  start,
  end,
  words,
  parts: [{ start, end, form: 'sentence' }],
});

function passagesOf({ headings: over, label, blocks }: Section, text: string): readonly Passage[] {
  const headings = over.map(({ title }) => title);
  return groupsOf(blocks, label).flatMap((group, at) => {
    const isFirst = at === 0;
    const under = isFirst || !label ? headings : [...headings, written(label, text)];
    const own = isFirst && label ? { label: written(label, text) } : {};
    return cutGroup(isFirst && label ? [label, ...group] : group, text).map(({ leadIn = [], ...part }, place) => ({
      ...part,
      headingPath: [...under, ...(place === 0 || !own.label ? [] : [own.label]), ...leadIn],
      ...(place === 0 && own),
      ...(place === 0 && own.label && part.form === 'paragraph' && { form: 'entry' as const }),
    }));
  });
}

const written = ({ start, end }: SourceSpan, text: string): string => withSingleBlanks(text.slice(start, end));

/** Blocks that are shown together. */
function groupsOf(blocks: readonly Block[], label: Block | undefined): readonly (readonly Block[])[] {
  const groups: Block[][] = [];
  let words = label?.words ?? 0;
  for (const block of blocks) {
    const open = groups.at(-1);
    const last = open?.at(-1);
    const fits = words + block.words <= longestPassageWords;
    if (open && last && (fits || isLeadIn(last, block))) {
      open.push(block);
      words += block.words;
    } else {
      // A line alone says what follows it, such as a question its answer.
      const line = open && open.length > 1 && last && isLine(last) ? open.splice(-1) : [];
      const opening = [...line, block];
      words = opening.reduce((sum, one) => sum + one.words, groups.length === 0 ? words : 0);
      groups.push(opening);
    }
  }
  return groups;
}

/** As short as a heading, though it ends as a sentence does. */
const isLine = ({ form, parts, words }: Block): boolean =>
  form === 'paragraph' && parts.length === 1 && words <= mostHeadingWords;

/** The sentence in front of a list, a table or code says what it is. */
const isLeadIn = (last: Block, next: Block): boolean =>
  last.form === 'paragraph' && last.words < longestPassageWords && next.form !== 'paragraph' && next.form !== 'turn';

type CutPassage = Omit<Passage, 'headingPath' | 'label'> & { readonly leadIn?: readonly string[] };

/** What a window within a table or a list does not hold of what says what it is: the row over a rule, the short line before. */
function leadInOf(blocks: readonly Block[], block: Block, text: string): readonly string[] {
  const [first, second] = block.parts;
  if (block.form === 'row')
    return first && second && isTableRule(text.slice(first.end, second.start))
      ? [written(first, text).replaceAll(/^\| ?| ?\|$/gu, '')]
      : [];
  const before = blocks[blocks.indexOf(block) - 1];
  return before && isLine(before) && isLeadIn(before, block) ? [written(before, text)] : [];
}

/** A group as one passage; a longer one as windows of about the longest length, each of which begins in the middle of the one before. */
function cutGroup(blocks: readonly Block[], text: string): readonly CutPassage[] {
  const parts = blocks.flatMap((block) => block.parts.map((part) => ({ part, block })));
  const first = blocks[0];
  const last = blocks.at(-1);
  if (!first || !last) return [];
  if (countWords(text.slice(first.start, last.end)) <= longestPassageWords)
    return [toPassage(text, { start: first.start, end: last.end }, parts)];
  const sizes = parts.map(({ part }, at) => countWords(text.slice(parts[at - 1]?.part.end ?? first.start, part.end)));
  const passages: CutPassage[] = [];
  for (let from = 0, to = 0; to < parts.length; ) {
    const begun = from;
    to = from;
    for (let words = 0; to < parts.length && (to === from || words + (sizes[to] ?? 0) <= longestPassageWords); to += 1)
      words += sizes[to] ?? 0;
    const run = parts.slice(from, to);
    const [begin, end] = [run[0], run.at(-1)];
    if (!begin || !end) break;
    const isWhole = begin.part === begin.block.parts[0];
    const start = isWhole ? begin.block.start : begin.part.start;
    passages.push({
      ...toPassage(text, { start, end: end.part.end }, run),
      isCut: true,
      ...(!isWhole && { leadIn: leadInOf(blocks, begin.block, text) }),
    });
    for (let words = 0; words < stride && from + 1 < to; from += 1) words += sizes[from] ?? 0;
    if (from === begun) from = to;
  }
  return passages;
}

/** Words from the beginning of a window to that of the next. */
const stride = 60;

function toPassage(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  parts: readonly { readonly part: PassagePart; readonly block: Block }[],
): CutPassage {
  const own = text.slice(start, end);
  return { start, end, text: own, form: formOf(parts), parts: parts.map(({ part }) => part), words: countWords(own) };
}

/** The form of most words. */
function formOf(parts: readonly { readonly block: Block }[]): PassageForm {
  const words = new Map<PassageForm, number>();
  for (const block of new Set(parts.map((entry) => entry.block))) {
    if (block.form === 'contents') continue;
    const form = block.form === 'heading' || block.form === 'label' ? 'entry' : block.form;
    words.set(form, (words.get(form) ?? 0) + block.words);
  }
  const [most] = [...words].sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? 'paragraph';
}
