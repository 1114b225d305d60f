// Cuts the text of a chunk into passages: paragraphs, lists with the line that introduces them, rows under their header, definition entries, code. Small
// neighbours under one heading make one passage; what is longer than a passage may be is cut at the ends of its sentences, items or lines.
// Invariant: passages are exact and sorted, and only the windows of one long piece overlap; the cut depends on the chunk alone.
import { withSingleBlanks } from '../text/one-line.ts';
import { countWords } from '../text/sentences.ts';
import { cacheTexts } from '../text/tokens/text-cache.ts';
import { type Block, blocksOf } from './blocks.ts';
import { longestPassageWords, type Passage, type PassageForm, type PassagePart } from './passage.ts';

export interface CuttableChunk {
  readonly text: string;
  readonly title: string;
  readonly headingPath: readonly string[];
}

/** Longer texts are no headings. */
const mostHeadingWords = 15;

/** What stands under one heading and one label. */
interface Section {
  readonly heading?: Block | undefined;
  readonly label?: Block | undefined;
  readonly blocks: Block[];
}

/** The passages of a chunk, in their order. */
export function cutPassages({ text, title, headingPath }: CuttableChunk): readonly Passage[] {
  const above = title === '' || headingPath[0] === title ? headingPath : [title, ...headingPath];
  return cutText(text).flatMap((passage) =>
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

/** Chunks that questions find are found again. About 30 MB when both generations are full. */
const cutText = cacheTexts(
  (text: string): readonly Passage[] => sectionsOf(text).flatMap((section) => passagesOf(section, text)),
  { characters: 2_000_000, shortest: 0 },
);

function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = [];
  let open: Section = { blocks: [] };
  const start = (next: Section): void => {
    if (open.blocks.length > 0 || open.label || open.heading) sections.push(open);
    open = next;
  };
  for (const block of blocksOf(text)) {
    if (block.form === 'heading') start({ heading: block, blocks: [] });
    else if (block.form === 'label') start({ heading: open.heading, label: block, blocks: [] });
    else if (block.form === 'contents') {
      // Its label says no more than it does.
      if (open.blocks.length > 0) start({ heading: open.heading, blocks: [] });
      open = { heading: open.heading, blocks: [] };
    } else open.blocks.push(block);
  }
  start({ blocks: [] });
  return sections.filter(({ blocks, label }) => blocks.length > 0 || label);
}

function passagesOf({ heading, label, blocks }: Section, text: string): readonly Passage[] {
  const headings = heading ? [written(heading, text)] : [];
  return groupsOf(blocks, label).flatMap((group, at) => {
    const isFirst = at === 0;
    const under = isFirst || !label ? headings : [...headings, written(label, text)];
    const own = isFirst && label ? { label: written(label, text) } : {};
    return cutGroup(isFirst && label ? [label, ...group] : group, text).map((part, place) => ({
      ...part,
      headingPath: place === 0 || !own.label ? under : [...under, own.label],
      ...(place === 0 && own),
      ...(place === 0 && own.label && part.form === 'paragraph' && { form: 'entry' as const }),
    }));
  });
}

const written = ({ start, end }: Block, text: string): string => withSingleBlanks(text.slice(start, end));

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
      words = groups.length === 0 ? words + block.words : block.words;
      groups.push([block]);
    }
  }
  return groups;
}

/** The sentence in front of a list, a table or code says what it is. */
const isLeadIn = (last: Block, next: Block): boolean =>
  last.form === 'paragraph' && last.words < longestPassageWords && next.form !== 'paragraph' && next.form !== 'turn';

type CutPassage = Omit<Passage, 'headingPath' | 'label'>;

/** A group as one passage; a longer one as windows of about the longest length, each of which begins in the middle of the one before. */
function cutGroup(blocks: readonly Block[], text: string): readonly CutPassage[] {
  const parts = blocks.flatMap((block) => block.parts.map((part) => ({ part, block })));
  const first = blocks[0];
  const last = blocks.at(-1);
  if (!first || !last) return [];
  if (countWords(text.slice(first.start, last.end)) <= longestPassageWords)
    return [toPassage(text, { start: first.start, end: last.end }, parts)];
  const sizes = parts.map(({ part }) => countWords(text.slice(part.start, part.end)));
  const passages: CutPassage[] = [];
  for (let from = 0, to = 0; to < parts.length; ) {
    const begun = from;
    to = from;
    for (let words = 0; to < parts.length && (to === from || words + (sizes[to] ?? 0) <= longestPassageWords); to += 1)
      words += sizes[to] ?? 0;
    const run = parts.slice(from, to);
    const [begin, end] = [run[0], run.at(-1)];
    if (!begin || !end) break;
    const start = begin.part === begin.block.parts[0] ? begin.block.start : begin.part.start;
    passages.push({ ...toPassage(text, { start, end: end.part.end }, run), isCut: true });
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
