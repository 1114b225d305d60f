// The tools that find documents and read them. `search` and `fetch` have the shape that research clients ask for: one argument, one item of text,
// which is the structured result as JSON.
import { z } from 'zod';
import { type Evidence, searchRequestSchema } from '../core/search.ts';
import { defined } from '../core/values/defined.ts';
import { readFrame } from '../passages/frame.ts';
import { rankByWords } from '../passages/rank.ts';
import { idOf, placeOf, readPart, viewOf } from './places.ts';
import { fitting, noteOf, shortened } from './size.ts';
import { tool } from './tool.ts';

const mostResults = 10;
const excerptLengths = [300, 200, 120, 60, 30] as const;
const longestTitle = 120;

export const noteSchema = z.string().describe('What was left out or went wrong, and what to do').optional();

/** The piece of each hit that fits the query best, and what follows it. */
function excerptsOf(query: string, hits: readonly Evidence[]): (hit: Evidence, length: number) => string {
  const best = new Map<Evidence, number>();
  for (const { chunk, passage } of rankByWords(readFrame(query), hits))
    if (!best.has(chunk)) best.set(chunk, passage.start);
  return (hit, length) => shortened(hit.text.slice(best.get(hit) ?? 0).trim(), length);
}

export const search = tool({
  name: 'search',
  title: 'Search the documents',
  description:
    'Finds the passages of the documents that fit a query best: ten, each with the beginning of its text, an id for `fetch` and a url that opens it highlighted. Cite a passage by its url.',
  input: z.object({ query: searchRequestSchema.shape.query.describe('A question or words, in any language') }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.string().describe('What `fetch` takes'),
        title: z.string(),
        url: z.string(),
        text: z.string(),
      }),
    ),
    note: noteSchema,
  }),
  lane: 'questions',
  async run({ query }, { footnote, call }) {
    const { results, degraded } = await footnote.search({ query, topK: mostResults }, call);
    const excerptOf = excerptsOf(query, results);
    const shapeOf = (length: number, most: number) => ({
      results: results.slice(0, most).map((hit) => ({
        id: idOf(hit),
        title: shortened(hit.title, Math.min(length, longestTitle)),
        url: hit.url,
        text: excerptOf(hit, length),
      })),
      ...noteOf(
        results.length === 0
          ? 'Nothing was found. Try other words, or ask `sources` what there is.'
          : 'Texts are excerpts: fetch an id for the whole passage.',
        most < results.length &&
          `The best ${most} of ${results.length} hits are shown, ${results.length - most} are left out: ask for something narrower.`,
        ...degraded.map(({ effect }) => effect),
      ),
    });
    return { value: fitting(excerptLengths, shapeOf, { items: results.length }) };
  },
});

export const fetch = tool({
  name: 'fetch',
  title: 'Read a document or a passage',
  description:
    'The text of a passage (an id of `search` or of a citation: `document:start-end`) or of a whole document (its id alone). A long one comes in parts: `metadata.next` is the id of the next.',
  input: z.object({ id: z.string().min(1).max(2048).describe('Id of a document, or document:start-end') }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
  lane: 'reads',
  async run({ id }, { footnote, address }) {
    const part = await readPart(footnote, placeOf(id));
    const { source, sourceType, uri, mime, language, publishedAt, updatedAt, textLength } = part.document;
    const { start, end } = part;
    const next = part.next && idOf(part.next);
    const known = { source, type: sourceType, uri, mime, language, publishedAt, updatedAt, next };
    return {
      value: {
        id: idOf(part),
        title: part.document.title,
        text: part.text,
        url: viewOf(address, part),
        metadata: { ...defined(known), start, end, length: textLength },
      },
    };
  },
});

const mostShown = 80;

export const sources = tool({
  name: 'sources',
  title: 'What there is to ask',
  description:
    'The sources that hold documents, the largest first: name, kind, number of documents, when they were last read. `ask` takes names of sources to look in them alone.',
  input: z.object({}),
  output: z.object({
    sources: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        documents: z.int(),
        readAt: z.string().optional().describe('When its last reading ended'),
      }),
    ),
    total: z.int().describe('Sources in all'),
    documents: z.int().describe('Documents in all'),
    note: noteSchema,
  }),
  lane: 'reads',
  async run(_, { footnote }) {
    const [listed, runs] = await Promise.all([footnote.sources.list(), footnote.ingestions.list({ limit: 200 })]);
    // Who may read nothing of a source is not told that it exists.
    const held = listed.filter(({ documents }) => documents > 0).sort((a, b) => b.documents - a.documents);
    const readAt = new Map(
      runs.data.toReversed().flatMap((run) => (run.finishedAt ? [[run.source, run.finishedAt]] : [])),
    );
    const all = held.map(({ name, type, documents }) => defined({ name, type, documents, readAt: readAt.get(name) }));
    const shapeOf = (_: undefined, most: number) => ({
      sources: all.slice(0, most),
      total: all.length,
      documents: all.reduce((sum, { documents }) => sum + documents, 0),
      ...noteOf(
        all.length === 0 && 'There is no document yet that this key may read.',
        all.length > most &&
          `The ${most} largest are shown, ${all.length - most} are left out; they are asked by their names as well.`,
      ),
    });
    return { value: fitting([undefined], shapeOf, { items: Math.min(mostShown, all.length) }) };
  },
});
