// The tool that answers: every claim with the spans it rests on. Its text is the answer with its marks and the passages below it; numbers in brackets
// that stand in words of documents are made inert, so that nothing but a mark looks like one.
import { z } from 'zod';
import { type Answer, askRequestSchema, assertedOf, type Citation, claimKinds } from '../core/answer.ts';
import { citesDocument } from '../core/answers/span-origin.ts';
import { markSchema, withInertBrackets } from '../core/marked-text.ts';
import { defined } from '../core/values/defined.ts';
import { nameSchema } from '../core/values/name.ts';
import { noteSchema } from './document-tools.ts';
import { idOf, resourceOf } from './places.ts';
import { fitting, inert, noteOf, shortened, whole } from './size.ts';
import { type Given, tool } from './tool.ts';

const { question, mode, sources } = askRequestSchema.shape;

const output = z.object({
  answer: z.string().describe('The text; `[n]` is a citation where `marks` says so'),
  marks: z.array(markSchema).describe('Where the citations stand: `answer.slice(start, end)` is `[n]` (UTF-16)'),
  abstained: z.boolean().describe('The documents do not answer the question'),
  reason: z.string().optional().describe('Why not'),
  confidence: z.number(),
  claims: z.array(
    z.object({
      text: z.string(),
      citations: z.array(z.int()),
      support: z.number().describe('How far the quotes carry it, 0..1'),
      kind: z.enum(claimKinds).optional(),
    }),
  ),
  citations: z.array(
    z.object({
      index: z.int(),
      id: z.string().optional().describe('What `fetch` takes; absent where no document is cited'),
      title: z.string(),
      url: z.string().describe('Opens the quote, highlighted'),
      quote: z.string(),
      page: z.int().optional(),
    }),
  ),
  note: noteSchema,
});
type Shown = z.input<typeof output>;

/** How much of an answer is shown, in characters: of each quote, and of the text. */
type Size = readonly [quote: number, text: number];
const sizes: readonly [Size, ...Size[]] = [
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ...[400, 200, 100].map((quote) => [quote, Number.POSITIVE_INFINITY] as const),
  ...[6000, 4000, 2500, 1500, 800].map((text) => [100, text] as const),
];

/** Where a text of at most so many characters ends behind a mark and those beside it; the first one is always in it. */
function endOf({ answer, marks = [] }: Answer, most: number): number {
  if (answer.length <= most) return answer.length;
  let end = 0;
  for (const mark of marks) if (end === 0 || mark.end <= most || mark.start === end) end = mark.end;
  return end === 0 ? most : end;
}

/** Of a text of which not even the first mark has room. */
const leastText = 300;
/** What an answer is shown by: marks, or where it is from before there were any, citations. */
const itemsOf = ({ marks, citations }: Answer): number => (marks ?? citations).length;

/** Those that the text rests on; the first ones, where the answer is from before there were marks. */
function citedIn({ citations, marks }: Answer, shown: Pick<Shown, 'marks'>, items: number): readonly Citation[] {
  const cited = new Set(shown.marks.map(({ citation }) => citation));
  return marks ? citations.filter(({ index }) => cited.has(index)) : citations.slice(0, items);
}

function shapeOf(answer: Answer, address: string, [[quote, most], items]: readonly [Size, items: number]): Shown {
  const room = items < itemsOf(answer) ? (answer.marks?.[items - 1]?.end ?? leastText) : answer.answer.length;
  const end = Math.min(endOf(answer, most), room);
  const isCut = end < answer.answer.length;
  const given = (answer.marks ?? []).filter((mark) => mark.end <= end);
  const { text, marks } = inert({ text: whole(answer.answer.slice(0, end)), marks: given });
  const cited = citedIn(answer, { marks: given }, items);
  const all = citedIn(answer, { marks: answer.marks ?? [] }, answer.citations.length).length;
  const indexes = new Set(cited.map(({ index }) => index));
  return {
    answer: text,
    marks: [...marks],
    abstained: answer.abstained,
    ...defined({ reason: answer.abstainReason }),
    confidence: answer.confidence,
    claims: assertedOf(answer.claims)
      .filter((claim) => !isCut || (items > 0 && claim.citations.every((index) => indexes.has(index))))
      .map((claim) =>
        defined({ text: claim.text, citations: claim.citations, support: claim.support, kind: claim.kind }),
      ),
    citations: cited.map((one) =>
      defined({
        index: one.index,
        id: citesDocument(one) ? idOf(one) : undefined,
        title: shortened(one.title, 120),
        url: one.url,
        quote: shortened(one.quote, quote),
        page: one.page,
      }),
    ),
    ...noteOf(
      answer.disclaimer,
      cited.some((one) => one.quote.length > quote) && 'Quotes are cut: fetch the id of a citation for the whole.',
      isCut && `The answer is cut: ask about one part of it, or read ${address}/v1/answers/${answer.id}.`,
      cited.length < all && `${all - cited.length} of ${all} citations are left out.`,
      ...answer.degraded.map(({ effect }) => effect),
    ),
  };
}

function textOf({ answer, citations, note }: Shown): string {
  const below = citations.map(({ index, title, page, url, quote, id }) => {
    const place = `${page === undefined ? '' : `, page ${page}`}${id === undefined ? '' : ` (${id})`}`;
    return `[${index}] ${withInertBrackets(title)}${place} ${url}\n“${withInertBrackets(quote)}”`;
  });
  return [answer, ...below, ...(note === undefined ? [] : [`(${note})`])].join('\n\n');
}

export function showAnswer(answer: Answer, address: string): Given<Shown> {
  const textsOf = (shape: Shown) => [JSON.stringify(shape), textOf(shape)];
  const value = fitting(sizes, (...size) => shapeOf(answer, address, size), { items: itemsOf(answer), textsOf });
  const shown = new Set(value.citations.map(({ index }) => index));
  const cited = answer.citations.filter((one) => shown.has(one.index) && citesDocument(one));
  const links = new Map(cited.map((one) => [resourceOf(one), shortened(one.title, 120)]));
  return {
    value,
    text: textOf(value),
    links: [...links].map(([uri, name]) => ({ type: 'resource_link', uri, name, mimeType: 'text/plain' })),
  };
}

export const ask = tool({
  name: 'ask',
  title: 'Ask the documents',
  description:
    'Answers a question from the documents: every claim cites a quote that was checked against them, with a url that opens it highlighted. Says so where they do not answer it. Keep the marks `[n]` and the urls when you repeat what it says. With `session`, follow-up questions are understood.',
  input: z.object({
    question: question.describe('The question, in any language'),
    mode: mode.describe('How to search: by words, by meaning, or both; the default is best for most'),
    sources: sources.describe('Names of sources, to look in them alone; all by default'),
    session: nameSchema.max(128).optional().describe('A name of your own for a conversation that goes on'),
  }),
  output,
  lane: 'questions',
  mayAskTheWeb: true,
  async run({ question: asked, session, ...given }, { footnote, address, call }) {
    const answer =
      session === undefined
        ? await footnote.ask({ question: asked, ...given }, call)
        : await footnote.sessions.send(session, { content: asked, ...given }, call);
    return showAnswer(answer, address);
  },
});
