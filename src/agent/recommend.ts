// What to read next: documents that speak of the same things as those that were read, of the same categories, and what others open of these
// categories; never what was read already or says the same. Each comes with its reason. No model is asked: it is the search, seen from documents.
import type { DocumentRecord } from '../core/document.ts';
import { FootnoteError } from '../core/errors.ts';
import type { Evidence } from '../core/search.ts';
import { analyzeWords } from '../text/analyze.ts';

export interface RecommendationRequest {
  /** What the reader has read, oldest first. */
  readonly readDocumentIds?: readonly string[];
  /** What is open now; it counts most. */
  readonly currentDocumentId?: string;
  /** 1..50, default 5. */
  readonly limit?: number;
}

export interface Recommendation {
  readonly documentId: string;
  readonly title: string;
  /** One sentence for a person. */
  readonly reason: string;
  /** 0..1, best first. */
  readonly score: number;
}

export interface RecommendPorts {
  readonly document: (id: string) => Promise<DocumentRecord | undefined>;
  readonly text: (id: string) => Promise<string | undefined>;
  readonly search: (query: string, topK: number) => Promise<readonly Evidence[]>;
  /** Documents of a category or a source, newest first. */
  readonly among: (group: Group, limit: number) => Promise<readonly DocumentRecord[]>;
  /** Most opened first; of these alone where ids are given. */
  readonly mostOpened: (
    limit: number,
    of?: readonly string[],
  ) => Promise<readonly { documentId: string; opens: number }[]>;
  /** Documents that say the same, or nearly. */
  readonly duplicates: (id: string) => Promise<readonly string[]>;
}

/** A category; the source of a document that has none. */
export interface Group {
  readonly field: 'category' | 'source';
  readonly name: string;
}

/** Documents that were read last say most of what a reader looks for. */
const seedsAtMost = 5;
/** How much less each earlier one counts than the one after it. */
const decay = 0.8;
const hitsOfSeed = 60;
const ofGroup = 30;
const mostPopular = 20;
const candidatesAtMost = 200;
const weights = { content: 0.6, category: 0.25, popularity: 0.15 };
const wordsOfQuery = 40;

const groupOf = ({ category, source }: DocumentRecord): Group =>
  category === undefined ? { field: 'source', name: source } : { field: 'category', name: category };
const keyOf = (document: DocumentRecord): string => Object.values(groupOf(document)).join(' ');

interface Seed {
  readonly document: DocumentRecord;
  readonly weight: number;
}

interface Candidate {
  readonly document: DocumentRecord;
  /** How near it is to the nearest of what was read, 0..1. */
  readonly near?: { readonly to: string; readonly closeness: number } | undefined;
}

/** Throws `not-found` for a current document that is not there, `invalid-request` for a limit out of range. */
export async function recommend(request: RecommendationRequest, ports: RecommendPorts): Promise<Recommendation[]> {
  const { readDocumentIds = [], currentDocumentId, limit = 5 } = request;
  if (!Number.isInteger(limit) || limit < 1 || limit > 50)
    throw new FootnoteError('invalid-request', `limit is ${limit}: it must be a whole number from 1 to 50.`);
  const seeds = await readSeeds(readDocumentIds, currentDocumentId, ports);
  const aside = new Set([...readDocumentIds, ...(currentDocumentId === undefined ? [] : [currentDocumentId])]);
  for (const { document } of seeds) for (const id of await ports.duplicates(document.id)) aside.add(id);

  const candidates = new Map<string, Candidate>();
  const take = (document: DocumentRecord | undefined, near?: Candidate['near']): void => {
    const known = document && candidates.get(document.id);
    if (!document || aside.has(document.id) || (!known && candidates.size >= candidatesAtMost)) return;
    if (!known || (near?.closeness ?? 0) > (known.near?.closeness ?? 0))
      candidates.set(document.id, { document, near });
  };
  for (const { document, weight } of seeds)
    for (const [id, closeness] of await relatedTo(document, ports))
      take(await ports.document(id), { to: document.title, closeness: closeness * weight });
  for (const { document } of new Map(seeds.map((seed) => [keyOf(seed.document), seed])).values())
    for (const one of await ports.among(groupOf(document), ofGroup)) take(one);
  for (const { documentId } of await ports.mostOpened(mostPopular)) take(await ports.document(documentId));

  const opens = new Map(
    (await ports.mostOpened(candidatesAtMost, [...candidates.keys()])).map((one) => [one.documentId, one.opens]),
  );
  const all = seeds.reduce((sum, { weight }) => sum + weight, 0);
  const mostOpens = Math.max(1, ...opens.values());
  const rated = [...candidates.values()].map(({ document, near }): Recommendation => {
    const like = seeds.filter((seed) => keyOf(seed.document) === keyOf(document));
    const category = like.reduce((sum, { weight }) => sum + weight / all, 0);
    const content = near?.closeness ?? 0;
    const opened = opens.get(document.id) ?? 0;
    // Only what readers of these categories open counts for somebody who has read anything.
    const popularity =
      (Math.log1p(opened) / Math.log1p(mostOpens)) * (seeds.length === 0 ? 1 : Math.max(category, content));
    const score = weights.content * content + weights.category * category + weights.popularity * popularity;
    return {
      documentId: document.id,
      title: document.title,
      reason: reasonFor({ document, near }, like.length, opened),
      score: Number(Math.max(0, Math.min(1, score)).toFixed(4)),
    };
  });
  const chosen: Recommendation[] = [];
  for (const one of rated.toSorted((a, b) => b.score - a.score || (a.documentId < b.documentId ? -1 : 1))) {
    if (chosen.length >= limit) break;
    if (aside.has(one.documentId)) continue;
    chosen.push(one);
    for (const id of await ports.duplicates(one.documentId)) aside.add(id);
  }
  return chosen;
}

async function readSeeds(
  readIds: readonly string[],
  currentId: string | undefined,
  { document }: RecommendPorts,
): Promise<Seed[]> {
  const seeds: Seed[] = [];
  for (const id of new Set([...(currentId === undefined ? [] : [currentId]), ...readIds.toReversed()])) {
    if (seeds.length >= seedsAtMost) break;
    // What was read and deleted since tells nothing any more.
    const found = await document(id);
    if (!found && id === currentId)
      throw new FootnoteError('not-found', `There is no document "${id}" to recommend others for.`);
    if (found) seeds.push({ document: found, weight: decay ** seeds.length });
  }
  return seeds;
}

/** The words of a text that say something, in lower case, as often as they stand there. */
const contentWords = (text: string, language?: string): readonly string[] =>
  analyzeWords(text, { language })
    .map(({ start, end }) => text.slice(start, end).toLowerCase())
    .filter((word) => word.length > 2 && !/^[\d.,:%-]+$/u.test(word));

/** The words that a document says most often; those of its title first. */
function queryOf({ title, language }: DocumentRecord, text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of contentWords(text.slice(0, 40_000), language)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const frequent = [...counts].sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1));
  return [...new Set([...contentWords(title, language), ...frequent.map(([word]) => word)])].slice(0, wordsOfQuery);
}

/** Documents that speak of the same, with how near they are. */
async function relatedTo(document: DocumentRecord, ports: RecommendPorts): Promise<ReadonlyMap<string, number>> {
  const words = queryOf(document, (await ports.text(document.id)) ?? '');
  const hits = words.length === 0 ? [] : await ports.search(words.join(' '), hitsOfSeed);
  // The document itself is its own best hit: what it scores is the measure of the others.
  const top = hits[0]?.score ?? 0;
  if (top <= 0) return new Map();
  return new Map(hits.toReversed().map(({ documentId, score }) => [documentId, Math.max(0, score / top)]));
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' });
/** Of less nothing is said. */
const leastCloseness = 0.05;

function reasonFor({ near, document }: Candidate, like: number, opened: number): string {
  const { field, name } = groupOf(document);
  const parts = [
    ...(near && near.closeness > leastCloseness ? [`it speaks of what "${near.to}" speaks of`] : []),
    ...(like > 0
      ? [`it is ${field === 'category' ? `of the category "${name}"` : `from "${name}"`}, as what you read`]
      : []),
    ...(opened > 0 ? [`it was opened ${opened === 1 ? 'once' : `${opened} times`}`] : []),
  ];
  const sentence = listed.format(
    parts.length > 0 ? parts : [`it was changed last on ${document.updatedAt.slice(0, 10)}`],
  );
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
