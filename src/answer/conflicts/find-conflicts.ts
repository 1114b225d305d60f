// Looks for what the evidence says against the claims of an answer: sentences of other documents, or other claims, that contradict one of them
// (contradiction.ts). Invariants: each position stands word for word in a document, which the caller reads back from the record; nothing is
// said of a claim that was not released.

import type { Conflict } from '../../core/answer.ts';
import { typeAuthority } from '../../core/document.ts';
import type { Evidence } from '../../core/search.ts';
import { segmentPieces } from '../../text/sentences.ts';
import { claimTextOf } from '../claim-text.ts';
import type { SpanReference, VerifiedClaim } from '../claims/draft.ts';
import {
  type ContradictionKind,
  contradictionOf,
  isStatement,
  readStatement,
  type Statement,
} from './contradiction.ts';
import { type Beginnings, beginningsOf, createMeeting } from './meeting.ts';

export interface Position {
  readonly statement: string;
  readonly spans: readonly SpanReference[];
}

export interface FoundConflict {
  readonly kind: ContradictionKind;
  readonly about: string;
  /** That of the answer first. */
  readonly positions: readonly Position[];
  readonly follows?: NonNullable<Conflict['follows']>;
}

/** Where a sentence stands, and how far it is to be believed. */
interface Said extends Statement {
  readonly span: SpanReference;
  readonly written: string;
  readonly evidence: Evidence;
}

const mostConflicts = 3;
const mostPositions = 3;
/** Sentences that are read in all: the best evidence comes first. */
const mostSentences = 400;
const mostWords = 60;
/** Two dates nearer than this are of one time. */
const freshDays = 30;

/** Conflicts of the claims with each other and with the evidence, in the order of the claims. */
export function findConflicts(claims: readonly VerifiedClaim[], evidence: readonly Evidence[]): FoundConflict[] {
  const byChunk = new Map(evidence.map((item) => [item.chunkId, item] as const));
  const stated = claims.flatMap((claim) => {
    const [span] = claim.spans;
    const home = span && byChunk.get(span.chunkId);
    if (!span || !home) return [];
    const own: Said = { ...readStatement(claim.text, headOf(home)), span, written: claim.text, evidence: home };
    return isStatement(own) ? [{ claim, own, mayMeet: createMeeting(own) }] : [];
  });
  const said = sentencesOf(evidence, (begins) => stated.some(({ mayMeet }) => mayMeet(begins)));
  const found: FoundConflict[] = [];
  const taken = new Set<string>();
  for (const { claim, own, mayMeet } of stated) {
    if (found.length >= mostConflicts) break;
    if (taken.has(keyOf(own))) continue;
    const against = said.flatMap(({ begins, ...other }) => {
      if (isSameContent(own.evidence, other.evidence) || !mayMeet(begins)) return [];
      const contradiction = contradictionOf(own, other);
      return contradiction ? [{ other, contradiction }] : [];
    });
    const [first] = against;
    if (!first || against.some(({ other }) => taken.has(keyOf(other)))) continue;
    const sides = toSides(
      own,
      against.map(({ other }) => other),
    );
    for (const one of sides.flat()) taken.add(keyOf(one));
    const { kind, about } = first.contradiction;
    const follows = followed(sides);
    const positions = sides.map(
      (side): Position => ({
        statement: (side[0] as Said).written,
        spans: side === sides[0] ? [...claim.spans] : side.slice(0, 2).map((one) => one.span),
      }),
    );
    found.push({ kind, about, positions, ...(follows && { follows }) });
  }
  return found;
}

const headOf = ({ title, headingPath }: Evidence): string => [title, ...headingPath].join('. ');

const keyOf = ({ span }: Said): string => `${span.documentId} ${span.start} ${span.end}`;

/** A document does not contradict its copies. */
const isSameContent = (one: Evidence, other: Evidence): boolean =>
  one.documentId === other.documentId ||
  one.alsoIn.some(({ documentId }) => documentId === other.documentId) ||
  other.alsoIn.some(({ documentId }) => documentId === one.documentId);

interface SaidInEvidence extends Said {
  readonly begins: Beginnings;
}

function sentencesOf(
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
      said.push({ ...statement, span, written: claimTextOf(piece, item.text), evidence: item, begins });
    }
  }
  return said;
}

/** What contradicts the claim, by what does not contradict each other; each document once on a side. */
function toSides(own: Said, against: readonly Said[]): readonly (readonly Said[])[] {
  const sides: Said[][] = [[own]];
  for (const one of against) {
    const side = sides
      .slice(1)
      .find(([other]) => other && !contradictionOf(other, one) && !contradictionOf(one, other));
    if (side === undefined) {
      if (sides.length < mostPositions) sides.push([one]);
    } else if (!side.some(({ evidence }) => evidence.documentId === one.evidence.documentId)) side.push(one);
  }
  return sides;
}

/** The side with more authority, else the more recent one, else that of more documents; nobody where none of these tells. */
function followed(sides: readonly (readonly Said[])[]): FoundConflict['follows'] {
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
