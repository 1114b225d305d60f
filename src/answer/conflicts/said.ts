// What claims and evidence say, statement by statement, as they are held against each other (src/passages/pairs): where each stands, what stands over it,
// and whose word is followed where they disagree. Pure.
import type { Conflict } from '../../core/answer.ts';
import { typeAuthority } from '../../core/document.ts';
import type { Evidence } from '../../core/search.ts';
import { cutPassages } from '../../passages/cut.ts';
import { comparePair, conflictFrom, type PairChances, type Side } from '../../passages/pairs/compare-pair.ts';
import { termSet } from '../../text/terms.ts';
import { claimTextOf } from '../claim-text.ts';
import type { SpanReference, VerifiedClaim } from '../claims/draft.ts';
import { isBarRow } from '../tables/rows.ts';

/** Where a statement stands. */
export interface Said extends Side {
  readonly span: SpanReference;
  /** As people are shown it. */
  readonly written: string;
  readonly evidence: Evidence;
}

/** Statements that are read in all: the best evidence comes first. */
const mostStatements = 400;
/** A passage that shares fewer terms with a statement says nothing of its thing. */
const leastShared = 2;
/** Two dates nearer than this are of one time. */
const freshDays = 30;

export const headOf = ({ title, headingPath }: Evidence): string => [title, ...headingPath].join('. ');

/** Whether a span shares text with one of `spans`. */
export const isAmong = (spans: readonly SpanReference[], { documentId, start, end }: SpanReference): boolean =>
  spans.some((one) => one.documentId === documentId && one.start < end && start < one.end);

/** A document does not contradict its copies. */
export const isSameContent = (one: Evidence, other: Evidence): boolean =>
  one.documentId === other.documentId ||
  one.alsoIn.some(({ documentId }) => documentId === other.documentId) ||
  other.alsoIn.some(({ documentId }) => documentId === one.documentId);

/** What two statements of different documents are to each other; undefined where they disagree about nothing that is likely. */
export function conflictOf(one: Said, other: Said): (PairChances & Required<Pick<PairChances, 'kind'>>) | undefined {
  if (isSameContent(one.evidence, other.evidence)) return undefined;
  const pair = comparePair(one, other);
  return pair?.kind !== undefined && pair.conflict >= conflictFrom ? { ...pair, kind: pair.kind } : undefined;
}

/** The claims that can be held against others, each as what its first span says. */
export function saidByClaims(
  claims: readonly VerifiedClaim[],
  evidence: readonly Evidence[],
): readonly { readonly claim: VerifiedClaim; readonly own: Said }[] {
  const byChunk = new Map(evidence.map((item) => [item.chunkId, item] as const));
  return claims.flatMap((claim) => {
    const [span] = claim.spans;
    const home = span && byChunk.get(span.chunkId);
    if (!span || !home || claim.text === '') return [];
    const over = claim.headingPath ?? [home.title, ...home.headingPath];
    return [
      { claim, own: { text: asWritten(claim), over, around: home.text, span, written: claim.text, evidence: home } },
    ];
  });
}

/** A row as it stands: others are not said with the names of their columns. */
function asWritten({ text, spans: [span] }: VerifiedClaim): string {
  return span?.columns && isBarRow(span.quote) ? claimTextOf(span.quote) : text;
}

/** Statements of the evidence in its order; of passages that share too little with each of `stated` none. */
export function statementsIn(evidence: readonly Evidence[], stated: readonly Side[]): readonly Said[] {
  const wanted = stated.map(({ text, over }) => termSet([text, ...over].join('\n')));
  const said: Said[] = [];
  for (const item of evidence)
    for (const passage of cutPassages(item)) {
      const terms = termSet([passage.text, ...passage.headingPath].join('\n'));
      if (passage.form === 'code' || !wanted.some((own) => own.intersection(terms).size >= leastShared)) continue;
      for (const { start, end, form } of passage.parts) {
        if (said.length >= mostStatements) return said;
        if (form === 'label') continue;
        const text = item.text.slice(start, end);
        const over = passage.label === undefined ? passage.headingPath : [...passage.headingPath, passage.label];
        const { documentId, chunkId } = item;
        const span = { documentId, chunkId, start: item.start + start, end: item.start + end };
        let written: string | undefined;
        said.push({
          text,
          over,
          around: item.text,
          span,
          evidence: item,
          // Few statements are ever told of.
          get written() {
            written ??= claimTextOf(text, item.text);
            return written;
          },
        });
      }
    }
  return said;
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
