// A section of an analysis in the documents' own sentences: of what was found, those that are about its thing and say what the section asks, each
// document by turns. Invariants: every proposed claim is an exact span of one piece of evidence; nothing is proposed that only looks alike. Pure.
import { claimTextOf } from '../../answer/claim-text.ts';
import type { DraftClaim } from '../../answer/claims/draft.ts';
import { termSet } from '../../answer/question/terms.ts';
import type { Evidence } from '../../core/search.ts';
import { createReadAbout, type Saying } from './about.ts';
import { speaksOfArea } from './areas.ts';
import { cuesIn, strongestCue } from './cues.ts';
import type { SectionPlan } from './sections.ts';

export interface Candidate extends DraftClaim {
  /** Focus areas that it speaks of. */
  readonly areas: readonly string[];
}

export interface Digest {
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** Evidence that says anything of the thing. */
  readonly about: readonly Evidence[];
}

/** More than a section shows: some do not pass the check, some are said already. */
const mostCandidates = 12;
const fewestWords = 4;
const mostWords = 60;
/** Of the words of two sentences, from which on they say the same. */
const sameShare = 0.75;
/** What each further sentence of a document loses against one of another. */
const sameDocumentLoss = 0.15;
/** What a place further down the evidence loses, and at most. */
const rankLoss = { each: 0.01, most: 0.25 };
const standingWorth = { named: 1, meant: 0.75, beside: 0.6 } as const;
const definition = /^\s+(?:is|are|was|were) (?:an?|the|one of)\s/iu;

interface Found extends Candidate {
  readonly documentId: string;
  readonly terms: ReadonlySet<string>;
}

export function digest(plan: SectionPlan, evidence: readonly Evidence[]): Digest {
  const readAbout = createReadAbout(plan.thing, evidence);
  const about: Evidence[] = [];
  const found: Found[] = [];
  for (const [rank, item] of evidence.entries()) {
    const sayings = readAbout(item).filter(({ standing }) => standing !== 'beside' || plan.takesBeside);
    if (sayings.length > 0) about.push(item);
    for (const saying of sayings) {
      const candidate = candidateOf(plan, item, saying);
      if (!candidate) continue;
      const relevance = candidate.relevance - Math.min(rankLoss.most, rank * rankLoss.each);
      found.push({ ...candidate, relevance: Math.max(0, relevance) });
    }
  }
  return { candidates: inTurns(found, plan.areas), about };
}

function candidateOf(plan: SectionPlan, item: Evidence, saying: Saying): Found | undefined {
  const { start, end, from, kind, standing } = saying;
  const said = item.text.slice(start, end);
  const count = said.split(/\s+/u, mostWords + 1).length;
  if (count < fewestWords || count > mostWords || said.endsWith('?')) return undefined;
  const worth = worthOf(plan, { heads: saying.heads, said, standing });
  if (!worth) return undefined;
  const isRow = kind === 'row';
  const text = isRow ? said.trim() : claimTextOf(said, item.text);
  if (text === '') return undefined;
  return {
    text,
    spans: [
      {
        documentId: item.documentId,
        chunkId: item.chunkId,
        start: item.start + (isRow ? start : from),
        end: item.start + end,
      },
    ],
    relevance: worth.relevance,
    areas: worth.areas,
    documentId: item.documentId,
    terms: termSet(said),
  };
}

function worthOf(
  { cue, among, areas, thing }: SectionPlan,
  { heads, said, standing }: Pick<Saying, 'heads' | 'standing'> & { readonly said: string },
): { readonly relevance: number; readonly areas: readonly string[] } | undefined {
  const by = standingWorth[standing];
  if (cue) {
    const strongest = strongestCue(cuesIn(said, heads), among);
    return strongest?.cue === cue ? { relevance: by * (1 - 1 / (1 + strongest.weight)), areas: [] } : undefined;
  }
  if (areas.length > 0) {
    const over = heads.join('\n');
    const spoken = areas.filter((area) => speaksOfArea(area, said) || (over !== '' && holdsTerms(area, over)));
    return spoken.length === 0
      ? undefined
      : { relevance: by * (spoken.some((area) => holdsTerms(area, said)) ? 0.9 : 0.7), areas: spoken };
  }
  const at = said.toLowerCase().indexOf(thing.name.toLowerCase());
  const defines = at >= 0 && definition.test(said.slice(at + thing.name.length));
  return { relevance: by * (defines ? 1 : 0.6), areas: [] };
}

function holdsTerms(area: string, text: string): boolean {
  const wanted = termSet(area);
  return wanted.size > 0 && wanted.isSubsetOf(termSet(text));
}

/** The best of what is left, again and again: what says the same as a chosen one falls out, documents and areas take turns. */
function inTurns(found: readonly Found[], areas: readonly string[]): readonly Candidate[] {
  const waiting = [...found];
  const chosen: Found[] = [];
  const worth = ({ relevance, documentId, areas: own }: Found): number => {
    const ofDocument = chosen.filter((one) => one.documentId === documentId).length;
    const isNew = areas.length > 0 && own.some((area) => !chosen.some((one) => one.areas.includes(area)));
    return relevance - ofDocument * sameDocumentLoss + (isNew ? 1 : 0);
  };
  while (waiting.length > 0 && chosen.length < mostCandidates) {
    let best = 0;
    for (const [at, one] of waiting.entries()) if (worth(one) > worth(waiting[best] as Found)) best = at;
    const [next] = waiting.splice(best, 1) as [Found];
    if (!chosen.some((one) => saysSame(one.terms, next.terms))) chosen.push(next);
  }
  return chosen;
}

export function saysSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const smaller = Math.min(one.size, other.size);
  return smaller > 0 && one.intersection(other).size / one.union(other).size >= sameShare;
}
