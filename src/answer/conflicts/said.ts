// What the evidence says, sentence by sentence, as claims are held against it: where each sentence stands, how it reads, and whose word is followed
// where they disagree. Pure.
import type { Conflict } from '../../core/answer.ts';
import { typeAuthority } from '../../core/document.ts';
import type { Evidence } from '../../core/search.ts';
import { segmentPieces } from '../../text/sentences.ts';
import { termSet } from '../../text/terms.ts';
import { claimTextOf } from '../claim-text.ts';
import type { SpanReference, VerifiedClaim } from '../claims/draft.ts';
import { isBarRow } from '../tables/rows.ts';
import { isStatement, readStatement, type Statement } from './contradiction.ts';
import { type Beginnings, beginningsOf } from './meeting.ts';

/** Where a sentence stands, and how far it is to be believed. */
export interface Said extends Statement {
  readonly span: SpanReference;
  readonly written: string;
  readonly evidence: Evidence;
}

export interface SaidInEvidence extends Said {
  readonly begins: Beginnings;
}

/** Sentences that are read in all: the best evidence comes first. */
const mostSentences = 400;
const mostWords = 60;
/** Two dates nearer than this are of one time. */
const freshDays = 30;

/** What stands over it. */
export const headOf = ({ title, headingPath }: Evidence): string => [title, ...headingPath].join('. ');

export const keyOf = ({ span }: Said): string => `${span.documentId} ${span.start} ${span.end}`;

/** A document does not contradict its copies. */
export const isSameContent = (one: Evidence, other: Evidence): boolean =>
  one.documentId === other.documentId ||
  one.alsoIn.some(({ documentId }) => documentId === other.documentId) ||
  other.alsoIn.some(({ documentId }) => documentId === one.documentId);

/** The claims that can be held against others, each as what its first span says. */
export function saidByClaims(
  claims: readonly VerifiedClaim[],
  evidence: readonly Evidence[],
): readonly { readonly claim: VerifiedClaim; readonly own: Said }[] {
  const byChunk = new Map(evidence.map((item) => [item.chunkId, item] as const));
  return claims.flatMap((claim) => {
    const [span] = claim.spans;
    const home = span && byChunk.get(span.chunkId);
    if (!span || !home) return [];
    const own: Said = { ...readStatement(asWritten(claim), headOf(home)), span, written: claim.text, evidence: home };
    return isStatement(own) ? [{ claim, own }] : [];
  });
}

/** A row as it stands: others are not said with the names of their columns. */
export function asWritten({ text, spans: [span] }: VerifiedClaim): string {
  return span?.columns && isBarRow(span.quote) ? claimTextOf(span.quote) : text;
}

/** Sentences of the evidence in its order; those that cannot matter are not read. */
export function sentencesOf(
  evidence: readonly Evidence[],
  mayMatter: (begins: Beginnings) => boolean,
): readonly SaidInEvidence[] {
  const said: SaidInEvidence[] = [];
  for (const item of evidence) {
    const head = headOf(item);
    const { all: above } = beginningsOf(head);
    for (const { start, end, kind } of segmentPieces(item.text, { maxWords: mostWords })) {
      if (said.length >= mostSentences) return said;
      if (kind === 'heading') continue;
      const piece = item.text.slice(start, end);
      const begins = beginningsOf(piece, above);
      if (!mayMatter(begins)) continue;
      const statement = readStatement(piece, head);
      if (!isStatement(statement)) continue;
      const span = {
        documentId: item.documentId,
        chunkId: item.chunkId,
        start: item.start + start,
        end: item.start + end,
      };
      let written: string | undefined;
      said.push({
        ...statement,
        span,
        evidence: item,
        begins,
        // Few sentences are ever told of.
        get written() {
          written ??= claimTextOf(piece, item.text);
          return written;
        },
      });
    }
  }
  return said;
}

/** What does not name of what it is: a row of a table, or a sentence that begins with a pronoun. */
const pointing = /^(?:it|its|they|their|he|she|his|her)\b/iu;
const isUnnamed = ({ text }: Pick<Said, 'text'>): boolean => isBarRow(text) || pointing.test(text);

/**
 * Both leave it to what stands over them of what they are, and neither document speaks of what the other one is called by: "| Team | $29 |" on the page of
 * one product says nothing of another's price. A list of prices and a leaflet of the same firm share a word of their titles.
 */
export function areOfOthers(one: Pick<Said, 'text' | 'evidence'>, other: Pick<Said, 'text' | 'evidence'>): boolean {
  if (!isUnnamed(one) || !isUnnamed(other)) return false;
  return !speaksOfTitle(one.evidence, other.evidence) && !speaksOfTitle(other.evidence, one.evidence);
}

function speaksOfTitle({ title }: Evidence, other: Evidence): boolean {
  const called = termSet(title);
  return called.size === 0 || !called.isDisjointFrom(termSet(`${headOf(other)}\n${other.text}`));
}

/** The side with more authority, else the more recent one, else that of more documents; nobody where none of these tells. */
export function followed(sides: readonly (readonly Said[])[]): Conflict['follows'] {
  const best = (weigh: (side: readonly Said[]) => number, least: number): number | undefined => {
    const values = sides.map(weigh);
    const most = Math.max(...values);
    const at = values.indexOf(most);
    return values.every((value, place) => place === at || most - value >= least) ? at + 1 : undefined;
  };
  const authority = best((side) => Math.max(...side.map(({ evidence }) => typeAuthority[evidence.sourceType])), 1);
  if (authority !== undefined) return { position: authority, because: 'authority' };
  const dated = sides.every((side) => side.some(({ evidence }) => isDated(evidence)));
  const dayOf = ({ evidence }: Said): number =>
    isDated(evidence) ? Date.parse(evidence.publishedAt as string) / 86_400_000 : 0;
  const fresh = dated ? best((side) => Math.max(...side.map(dayOf)), freshDays) : undefined;
  if (fresh !== undefined) return { position: fresh, because: 'freshness' };
  const agreed = best((side) => side.length, 2);
  return agreed === undefined ? undefined : { position: agreed, because: 'agreement' };
}

const isDated = ({ publishedAt }: Evidence): boolean =>
  publishedAt !== undefined && Number.isFinite(Date.parse(publishedAt));
