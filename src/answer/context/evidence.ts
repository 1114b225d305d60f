// Writes passages for a model so that they stay data: numbered, between tags, every line of theirs behind a bar. Invariant: no text of a
// passage, its title or the question can begin a line of the prompt, close a tag of ours or be read as a control token of a model.
import type { SourceSpan } from '../../core/document.ts';
import type { Evidence } from '../../core/search.ts';
import { cacheTexts, type LastReading, readAs } from '../../text/tokens/text-cache.ts';
import type { ContextBlock } from '../claims/draft.ts';

/** A passage as the model sees it. `id` from 1. */
export interface NumberedBlock {
  readonly id: number;
  readonly block: ContextBlock;
}

const longestTitle = 160;

/** Characters that print nothing and can carry words of their own; joiners are writing in some scripts. */
const invisible = /(?![\u200c\u200d])\p{Cf}|[\ufe00-\ufe0e\u{e0000}-\u{e007f}]/gu;
const control = /(?![\n\t])\p{Cc}/gu;
const lineBreak = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/u;
/** An opening like ours, or like those of chat templates (`<|im_end|>`, `</s>`, `<<SYS>>`), in any of its look-alikes. */
const opening =
  /[<＜﹤‹〈⟨](?=[\s<＜﹤‹〈⟨]{0,64}(?:[|｜]|!\s*-|[/／⁄∕]?\s*(?:p\s*a\s*s\s*s|q\s*u\s*e\s*s|r\s*e\s*m\s*i|c\s*l\s*a\s*i\s*m|r\s*e\s*a\s*s\s*o|s\s*y\s*s|a\s*s\s*s\s*i|u\s*s\s*e\s*r|i\s*n\s*s\s*t|t\s*o\s*o\s*l|s\s*[>＞])))/giu;
const closingBar = /([|｜])[>＞]/gu;
const bracketed = /\[(?=\s*(?:\/\s*)?(?:INST|SYS(?:TEM)?|ASSISTANT|USER)\s*\])/giu;

/** Text that cannot end the fence around it. Quotes of it are still found: fold.ts reads the marks alike. */
export function neutralise(text: string): string {
  return text
    .replace(invisible, '')
    .replace(lineBreaks, '\n')
    .replace(control, ' ')
    .replace(opening, '‹')
    .replace(closingBar, '$1›')
    .replace(bracketed, '［');
}

const lineBreaks = new RegExp(lineBreak.source, 'gu');

/** On one line, within quotation marks, cut at a length that no real title has. */
const toLabel = cacheTexts(labelOf, { characters: 500_000 });

function labelOf(text: string): string {
  const line = neutralise(text).replace(/\s+/gu, ' ').replaceAll('"', "'").trim();
  return `"${line.length <= longestTitle ? line : `${line.slice(0, longestTitle).toWellFormed()}…`}"`;
}

/** Every line behind a bar. */
export function fence(text: string): string {
  return neutralise(text)
    .split('\n')
    .map((line) => `| ${line}`)
    .join('\n');
}

/** All of a passage that its text decides; a line of its own in the prompt. */
const shownAs = cacheTexts((text): Shown => ({ lines: `${fence(text)}\n</passage>` }), { characters: 4_000_000 });

interface Shown {
  readonly lines: string;
  tokens?: LastReading<(text: string) => number, number>;
}

/** A part of evidence as evidence of its own; offsets are into its text. */
export function partOf({ headings: _, ...evidence }: Evidence, { start, end }: SourceSpan): Evidence {
  const text = evidence.text.slice(start, end);
  return { ...evidence, text, start: evidence.start + start, end: evidence.start + end };
}

/** One passage between its tags. */
export const renderPassage = (numbered: NumberedBlock): string =>
  `${openingTag(numbered)}\n${shownAs(numbered.block.evidence.text).lines}`;

/** Tokens of `renderPassage`: what encodings make pieces of ends with a line, so that the parts add up. */
export function countPassage(numbered: NumberedBlock, count: (text: string) => number): number {
  const shown = shownAs(numbered.block.evidence.text);
  shown.tokens = readAs(shown.tokens, count, () => count(shown.lines));
  return count(`${openingTag(numbered)}\n`) + shown.tokens.value;
}

function openingTag({ id, block: { evidence, isSummary } }: NumberedBlock): string {
  const { title, headingPath, publishedAt, page } = evidence;
  const labels = [
    `id="${id}"`,
    `title=${toLabel(title)}`,
    ...(headingPath.length > 0 ? [`section=${toLabel(headingPath.join(' > '))}`] : []),
    ...(page === undefined ? [] : [`page="${page}"`]),
    ...(publishedAt === undefined ? [] : [`date=${toLabel(publishedAt.slice(0, 10))}`]),
    ...(isSummary ? ['part="one sentence"'] : []),
  ];
  return `<passage ${labels.join(' ')}>`;
}

/** Of what it is: title and headings on one line, each once, since the first heading often repeats the title. */
export const headingOf = ({ title, headingPath }: Pick<ContextBlock['evidence'], 'title' | 'headingPath'>): string =>
  toLabel([...new Set([title, ...headingPath])].join(' > '));

export function renderPassages(blocks: readonly NumberedBlock[]): string {
  return blocks.map(renderPassage).join('\n\n');
}

/** Numbers blocks in the order in which they are shown. */
export function numberBlocks(blocks: readonly ContextBlock[]): NumberedBlock[] {
  return blocks.map((block, at) => ({ id: at + 1, block }));
}
