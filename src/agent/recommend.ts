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
const candidatesAtMost = 200;
const weights = { content: 0.6, category: 0.25, popularity: 0.15 };
/** What each document of a group that is shown already takes from the next one of it. */
const sameGroupLoss = 0.08;
const wordsOfQuery = 40;

export const groupOf = ({ category, source }: DocumentRecord): Group =>
  category === undefined ? { field: 'source', name: source } : { field: 'category', name: category };
const keyOf = ({ field, name }: Group): string => `${field} ${name}`;

interface Candidate {
  readonly document: DocumentRecord;
  content: number;
  /** The document that it is closest to, and the words that both have. */
  near?: { readonly title: string; readonly shared: readonly string[]; readonly weight: number };
}

/** Throws `not-found` for a current document that is not there, `invalid-request` for a limit out of range. */
export async function recommend(request: RecommendationRequest, ports: RecommendPorts): Promise<Recommendation[]> {
  const { readDocumentIds = [], currentDocumentId, limit = 5 } = request;
  if (!Number.isInteger(limit) || limit < 1 || limit > 50)
    throw new FootnoteError('invalid-request', `limit is ${limit}: it must be a whole number from 1 to 50.`);
  const seeds = await readSeeds(readDocumentIds, currentDocumentId, ports);
  const read = new Set([...readDocumentIds, ...(currentDocumentId === undefined ? [] : [currentDocumentId])]);
  for (const { document } of seeds) for (const id of await ports.duplicates(document.id)) read.add(id);

  const affinities = affinitiesOf(seeds.map(({ document, weight }) => ({ group: groupOf(document), weight })));
  const candidates = new Map<string, Candidate>();
  const take = (document: DocumentRecord): Candidate | undefined => {
    if (read.has(document.id)) return undefined;
    const known = candidates.get(document.id);
    if (known) return known;
    if (candidates.size >= candidatesAtMost) return undefined;
    const candidate = { document, content: 0 };
    candidates.set(document.id, candidate);
    return candidate;
  };
  for (const seed of seeds) await findRelated(seed, take, ports);
  for (const { group } of affinities.values()) for (const one of await ports.among(group, 30)) take(one);
  const opened = await ports.mostOpened(20);
  for (const { documentId } of opened) {
    const document = candidates.has(documentId) ? undefined : await ports.document(documentId);
    if (document) take(document);
  }
  const opens = new Map(
    (await ports.mostOpened(candidatesAtMost, [...candidates.keys()])).map((one) => [one.documentId, one.opens]),
  );
  return choose([...candidates.values()], { affinities, opens, limit, duplicates: ports.duplicates });
}

interface Seed {
  readonly document: DocumentRecord;
  readonly weight: number;
}

async function readSeeds(
  readIds: readonly string[],
  currentId: string | undefined,
  { document }: RecommendPorts,
): Promise<Seed[]> {
  const seeds: Seed[] = [];
  const current = currentId === undefined ? undefined : await document(currentId);
  if (currentId !== undefined && !current)
    throw new FootnoteError('not-found', `There is no document "${currentId}" to recommend others for.`);
  if (current) seeds.push({ document: current, weight: 1 });
  for (const id of [...new Set(readIds)].reverse()) {
    if (seeds.length >= seedsAtMost) break;
    // What was read and deleted since tells nothing any more.
    const found = id === currentId ? undefined : await document(id);
    if (found) seeds.push({ document: found, weight: decay ** seeds.length });
  }
  return seeds;
}

interface Affinity {
  readonly group: Group;
  /** Share of what was read, 0..1. */
  share: number;
  count: number;
}

function affinitiesOf(read: readonly { readonly group: Group; readonly weight: number }[]): Map<string, Affinity> {
  const affinities = new Map<string, Affinity>();
  const total = read.reduce((sum, { weight }) => sum + weight, 0);
  for (const { group, weight } of read) {
    const affinity = affinities.get(keyOf(group)) ?? { group, share: 0, count: 0 };
    affinity.share += weight / total;
    affinity.count++;
    affinities.set(keyOf(group), affinity);
  }
  return affinities;
}

/** The words of a text that say something, in lower case, as often as they stand there. */
function contentWords(text: string, language?: string): string[] {
  const words = analyzeWords(text, { language }).map(({ start, end }) => text.slice(start, end).toLowerCase());
  return words.filter((word) => word.length > 2 && !/^[\d.,:%-]+$/u.test(word));
}

/** The words that a document says most often; those of its title first. */
function queryOf({ title, language }: DocumentRecord, text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of contentWords(text.slice(0, 40_000), language)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const frequent = [...counts].sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1));
  return [...new Set([...contentWords(title, language), ...frequent.map(([word]) => word)])].slice(0, wordsOfQuery);
}

async function findRelated(
  { document, weight }: Seed,
  take: (document: DocumentRecord) => Candidate | undefined,
  ports: RecommendPorts,
): Promise<void> {
  const words = queryOf(document, (await ports.text(document.id)) ?? '');
  if (words.length === 0) return;
  const hits = await ports.search(words.join(' '), hitsOfSeed);
  const best = new Map<string, Evidence>();
  // The document itself is its own best hit: what it scores is the measure of the others.
  for (const hit of hits) if (!best.has(hit.documentId)) best.set(hit.documentId, hit);
  const top = hits[0]?.score ?? 0;
  if (top <= 0) return;
  for (const [id, hit] of best) {
    if (id === document.id) continue;
    const found = await ports.document(id);
    const candidate = found && take(found);
    if (!candidate) continue;
    const closeness = Math.max(0, hit.score / top) * weight;
    candidate.content = Math.max(candidate.content, closeness);
    if (closeness <= (candidate.near?.weight ?? 0)) continue;
    const said = new Set(contentWords(`${hit.title} ${hit.text}`, document.language));
    candidate.near = {
      title: document.title,
      shared: words.filter((word) => said.has(word)).slice(0, 3),
      weight: closeness,
    };
  }
}

interface Choice {
  readonly affinities: ReadonlyMap<string, Affinity>;
  readonly opens: ReadonlyMap<string, number>;
  readonly limit: number;
  readonly duplicates: RecommendPorts['duplicates'];
}

async function choose(
  candidates: readonly Candidate[],
  { affinities, opens, limit, duplicates }: Choice,
): Promise<Recommendation[]> {
  const mostOpens = Math.max(1, ...opens.values());
  const rated = candidates.map((candidate) => {
    const { document, content } = candidate;
    const affinity = affinities.get(keyOf(groupOf(document)))?.share ?? 0;
    const opened = opens.get(document.id) ?? 0;
    // Only what readers of these categories open counts for somebody who has read anything.
    const popularity =
      (Math.log1p(opened) / Math.log1p(mostOpens)) * (affinities.size === 0 ? 1 : Math.max(affinity, content));
    const score = weights.content * content + weights.category * affinity + weights.popularity * popularity;
    return { candidate, score, opened };
  });
  const chosen: Recommendation[] = [];
  const shownOf = new Map<string, number>();
  const alike = new Set<string>();
  while (chosen.length < limit) {
    const worth = ({ candidate, score }: (typeof rated)[number]): number =>
      score - sameGroupLoss * (shownOf.get(keyOf(groupOf(candidate.document))) ?? 0);
    const [next] = rated
      .filter(({ candidate }) => !alike.has(candidate.document.id))
      .sort((a, b) => worth(b) - worth(a) || (a.candidate.document.id < b.candidate.document.id ? -1 : 1));
    if (!next) break;
    const { document } = next.candidate;
    alike.add(document.id);
    for (const id of await duplicates(document.id)) alike.add(id);
    const key = keyOf(groupOf(document));
    shownOf.set(key, (shownOf.get(key) ?? 0) + 1);
    chosen.push({
      documentId: document.id,
      title: document.title,
      reason: reasonFor(next.candidate, affinities.get(key), next.opened),
      score: Number(Math.max(0, Math.min(1, next.score)).toFixed(4)),
    });
  }
  // Chosen by turns of their groups, told by their scores.
  return chosen.sort((one, other) => other.score - one.score);
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' });
const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

function reasonFor({ near, document }: Candidate, affinity: Affinity | undefined, opened: number): string {
  const parts: string[] = [];
  if (near && near.weight > 0.05)
    parts.push(
      near.shared.length > 0
        ? `It speaks of ${listed.format(near.shared)}, as "${near.title}" does`
        : `It is close in meaning to "${near.title}"`,
    );
  if (affinity) {
    const { field, name } = affinity.group;
    const as = affinity.count === 1 ? 'the document' : `${affinity.count} documents`;
    parts.push(
      `it is ${field === 'category' ? `of the category "${name}"` : `from "${name}"`}, like ${as} that you read`,
    );
  }
  if (opened > 0) parts.push(`it was opened ${times(opened)}`);
  if (parts.length === 0) parts.push(`it was changed last on ${document.updatedAt.slice(0, 10)}`);
  const sentence = listed.format(parts);
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
