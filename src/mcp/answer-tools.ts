// The tool that answers: every claim with the spans it rests on. Its text is the answer with its marks and the passages below it; numbers in brackets
// that stand in words of documents are made inert, so that nothing but a mark looks like one.
import { z } from 'zod';
import { type Answer, askRequestSchema, assertedOf, type Citation, claimKinds } from '../core/answer.ts';
import type { FootnoteEvent } from '../core/events.ts';
import { markSchema } from '../core/marked-text.ts';
import { nameSchema } from '../core/values/name.ts';
import { noteSchema } from './document-tools.ts';
import { idOf, resourceOf } from './places.ts';
import { fitting, inert, inertText, noteOf, shortened } from './size.ts';
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
      id: z.string().describe('What `fetch` takes'),
      title: z.string(),
      url: z.string().describe('Opens the quote, highlighted'),
      quote: z.string(),
      page: z.int().optional(),
    }),
  ),
  note: noteSchema,
});
type Shown = z.input<typeof output>;

/** How much of an answer is shown: characters of each quote, and of the text. */
const sizes = [
  { quote: Number.POSITIVE_INFINITY },
  { quote: 400 },
  { quote: 200 },
  { quote: 100 },
  ...[6000, 4000, 2500, 1500, 800].map((text) => ({ quote: 100, text })),
];

/** The text up to a mark, with those behind it. */
function upTo(most: number, { answer, marks = [] }: Pick<Answer, 'answer' | 'marks'>): number {
  let end = 0;
  for (const mark of marks) if (end === 0 || mark.end <= most || mark.start === end) end = mark.end;
  return end === 0 ? Math.min(most, answer.length) : end;
}

/** Those that the text, or a claim where the text has no marks, rests on. */
function citedIn(answer: Answer, shown: Pick<Shown, 'marks'>): readonly Citation[] {
  const cited = new Set(shown.marks.map(({ citation }) => citation));
  return answer.citations.filter(({ index }) => cited.has(index));
}

function shapeOf(answer: Answer, address: string, { quote, text }: { quote: number; text?: number }): Shown {
  const isCut = text !== undefined && text < answer.answer.length;
  const end = isCut ? upTo(text, answer) : answer.answer.length;
  const marks = (answer.marks ?? []).filter((mark) => mark.end <= end);
  const told = inert({ text: answer.answer.slice(0, end), marks });
  const citations = citedIn(answer, { marks });
  const indexes = new Set(citations.map(({ index }) => index));
  const areQuotesCut = citations.some((one) => one.quote.length > quote);
  return {
    answer: told.text,
    marks: [...told.marks],
    abstained: answer.abstained,
    ...(answer.abstainReason !== undefined && { reason: answer.abstainReason }),
    confidence: answer.confidence,
    claims: assertedOf(answer.claims)
      .filter((claim) => !isCut || claim.citations.every((index) => indexes.has(index)))
      .map(({ text: said, citations: own, support, kind }) => ({
        text: said,
        citations: own,
        support,
        ...(kind && { kind }),
      })),
    citations: citations.map((one) => ({
      index: one.index,
      id: idOf(one),
      title: shortened(one.title, 120),
      url: one.url,
      quote: shortened(one.quote, quote),
      ...(one.page !== undefined && { page: one.page }),
    })),
    ...noteOf(
      answer.disclaimer,
      areQuotesCut && 'Quotes are cut: fetch the id of a citation for the whole.',
      isCut && `The answer is cut: ask about one part of it, or read ${address}/v1/answers/${answer.id}.`,
      ...answer.degraded.map(({ effect }) => effect),
    ),
  };
}

function textOf({ answer, citations, note }: Shown): string {
  const below = citations.map(({ index, title, page, url, quote, id }) => {
    const place = page === undefined ? '' : `, page ${page}`;
    return `[${index}] ${inertText(title)}${place} (${id}) ${url}\n“${inertText(quote)}”`;
  });
  return [answer, ...below, ...(note === undefined ? [] : [`(${note})`])].join('\n\n');
}

export function showAnswer(answer: Answer, address: string): Given<Shown> {
  const shapes = sizes.values().map((size) => shapeOf(answer, address, size));
  const value = fitting(shapes, (shape) => [JSON.stringify(shape), textOf(shape)]);
  const places = new Map(citedIn(answer, value).map((one) => [resourceOf(one), one.title]));
  return {
    value,
    text: textOf(value),
    links: [...places].map(([uri, title]) => ({
      type: 'resource_link',
      uri,
      name: shortened(title, 120),
      mimeType: 'text/plain',
    })),
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

/** What a stage is called to who waits. */
export function stageOf(event: FootnoteEvent): string | undefined {
  return event.type === 'status' ? event.stage : undefined;
}
