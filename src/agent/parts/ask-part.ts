// One part of a question that was taken apart: searched, read and checked by itself like any other question, and looked for once more, deeper, where
// the first look answers nothing. Invariant: a part ends with verified claims or with the reason why it has none.
import type { SpanReader, VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Composer } from '../../answer/composer.ts';
import type { Composition } from '../../answer/composition.ts';
import { passageComposer } from '../../answer/passages/passage-composer.ts';
import type { Deadline } from '../../core/deadline.ts';
import type { Evidence } from '../../core/search.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import { readFrame } from '../../passages/frame.ts';
import { termSet } from '../../text/terms.ts';
import { findNames } from '../../text/words/names.ts';
import { speaksOf } from '../plan/criterion.ts';
import { type EarlierPart, filledQuery } from '../plan/fill.ts';
import type { SubQuery } from '../plan/plan.ts';
import type { Outcome } from '../plan/run-plan.ts';
import { tellUnread } from '../steps/compose.ts';
import { createFindings } from '../steps/gather.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import { uniqueEvidence } from '../turn/in-turn.ts';
import type { Findings, Planned, TurnContext } from '../turn/turn-state.ts';
import { withoutStages } from './joined.ts';

export interface AskedPart extends EarlierPart {
  /** As it was searched and answered. */
  readonly asked: string;
  readonly claims: readonly VerifiedClaim[];
  readonly findings: Findings;
  readonly composition: Composition;
  /** Why it has no claim, where what was found is beside the point. */
  readonly beside?: string;
  /** Why its claims only come closest. */
  readonly closest?: string;
}

export interface AskPartPorts {
  readonly gatherer: Gatherer;
  /** Looks for what the first look did not find. */
  readonly deeper: Gatherer;
  readonly readSpan: SpanReader;
  readonly passageScorer?: PassageScorer | undefined;
  /** Default: the documents' own passages. */
  readonly composer?: Composer | undefined;
  /** Of this part alone. */
  readonly contextTokens: number;
  /** At most so many claims. */
  readonly maxClaims: number;
  /** Looks for evidence, 1 or more. */
  readonly rounds: number;
}

/** Passages that are looked at more than are wanted, where some may be of another thing than the one asked about. */
const furtherPassages = 4;
/** Chunks that a second look reads: twice the first. */
const deeperTopK = 20;

interface Asking {
  readonly state: Planned;
  readonly earlier: readonly Outcome<AskedPart>[];
  readonly deadline: Deadline;
}

/** Throws like a gatherer. */
export async function askPart(
  subQuery: SubQuery,
  { state, earlier, deadline }: Asking,
  { ports, context }: { readonly ports: AskPartPorts; readonly context: TurnContext },
): Promise<AskedPart> {
  const before = earlier.flatMap((one) => (one.ok ? [one.result] : []));
  const asked = filledQuery(subQuery, before);
  const own = withoutStages({ ...context, deadline });
  const { sink } = own;
  let query = asked;
  let found: AskedPart | undefined;
  for (let round = 1; ; round += 1) {
    const gathered = await gatherPart(query, { round, state, findings: found?.findings }, { ports, context: own });
    const part = await composePart({ subQuery, asked, state, ...gathered }, { ports, context: own });
    const best = found === undefined || isBetter(part, found) ? part : found;
    found = best;
    const why =
      best.closest ??
      best.beside ??
      best.composition.abstainReason ??
      'No claim could be verified against the documents found.';
    const tell = (verdict: 'answer' | 'caveat' | 'fill-gap' | 'unanswerable', reason: string, next?: string): void =>
      sink({
        type: 'assessment',
        round,
        part: subQuery.id,
        verdict,
        reason,
        ...(next !== undefined && { query: next }),
      });
    const { length } = best.claims;
    if (length > 0 && best.closest === undefined) {
      tell('answer', length === 1 ? 'One claim answers it.' : `${length} claims answer it.`);
      return best;
    }
    const further = rewrittenQuery(asked, state.request.question);
    const isExhausted = further === query && gathered.isShort;
    if (round >= ports.rounds || gathered.isSpent || isExhausted) {
      tell(length > 0 ? 'caveat' : 'unanswerable', why);
      return best;
    }
    tell('fill-gap', why, further);
    query = further;
  }
}

const isBetter = (part: AskedPart, than: AskedPart): boolean =>
  than.claims.length === 0 || (than.closest !== undefined && part.closest === undefined && part.claims.length > 0);

const withQuestion = (state: Planned, question: string, topK?: number): Planned => ({
  ...state,
  request: {
    ...state.request,
    question,
    // Of the message a part is asked, everywhere.
    content: question,
    ...(topK !== undefined && { topK: Math.max(topK, state.request.topK ?? 0) }),
  },
});

interface Gathered {
  readonly findings: Findings;
  /** In the order in which it is read. */
  readonly evidence: readonly Evidence[];
  readonly isSpent: boolean;
  readonly isShort: boolean;
}

async function gatherPart(
  query: string,
  {
    round,
    state,
    findings,
  }: { readonly round: number; readonly state: Planned; readonly findings?: Findings | undefined },
  { ports, context }: { readonly ports: AskPartPorts; readonly context: TurnContext },
): Promise<Gathered> {
  const asked = withQuestion(state, query, round > 1 ? deeperTopK : undefined);
  const gathering = await (round > 1 ? ports.deeper : ports.gatherer).gather(asked, context);
  findings?.add(gathering);
  return {
    findings: findings ?? createFindings(gathering),
    // What was looked up for a gap is read before what left it.
    evidence: uniqueEvidence([...gathering.evidence, ...(findings?.evidence() ?? [])]),
    isSpent: gathering.degraded.some(({ component }) => component === 'budget'),
    isShort: gathering.evidence.length < deeperTopK / 2,
  };
}

interface Composing extends Pick<Gathered, 'findings' | 'evidence'> {
  readonly subQuery: SubQuery;
  readonly asked: string;
  readonly state: Planned;
}

async function composePart(
  { subQuery, asked, state, findings, evidence }: Composing,
  { ports, context }: { readonly ports: AskPartPorts; readonly context: TurnContext },
): Promise<AskedPart> {
  const { gatherer, readSpan, passageScorer, composer = passageComposer, contextTokens, maxClaims } = ports;
  const released: VerifiedClaim[] = [];
  const partState = withQuestion(state, asked);
  const composition = await composer.compose(
    { question: asked, evidence, contextTokens, maxClaims: maxClaims + furtherPassages },
    {
      ...context,
      readSpan,
      passageScorer,
      statistics: () => gatherer.statistics(partState, context),
      search: async (more) => {
        const found = await gatherer.gatherMore(more, partState, context);
        findings.add(found);
        return found.evidence;
      },
      release: (claim) => released.push(claim),
    },
  );
  tellUnread(composition.context, context.sink);
  const ofThing = released.filter((claim) => isOfThing(claim, subQuery));
  const ofCriterion = ofThing.filter((claim) => isOfCriterion(claim, subQuery));
  return {
    id: subQuery.id,
    question: subQuery.query,
    asked,
    claims: (ofCriterion.length > 0 ? ofCriterion : ofThing).slice(0, maxClaims),
    findings,
    composition,
    ...(released.length > 0 && ofThing.length === 0 && { beside: saysNothingOf(subQuery) }),
    ...((composition.isUnsure || ofCriterion.length === 0) &&
      ofThing.length > 0 && { closest: 'No passage found is sure to answer it.' }),
  };
}

/** Where things are compared, a claim or what stands over it names the thing. */
function isOfThing({ text, headingPath = [], spans }: VerifiedClaim, { thing }: SubQuery): boolean {
  if (!thing) return true;
  const said = termSet([text, ...headingPath, ...spans.flatMap(({ title, quote }) => [title, quote])].join('\n'));
  return termSet(thing.name).isSubsetOf(said);
}

/** Where things are compared, a claim or what stands over it speaks of what they are compared by; no text without a figure says when. */
export function isOfCriterion(
  { text, headingPath = [], spans }: VerifiedClaim,
  { query, criterion, thing }: SubQuery,
): boolean {
  if (!thing) return true;
  const said = [text, ...headingPath, ...spans.map(({ quote }) => quote)].join('\n');
  if (readFrame(query).kinds.has('time') && !/\p{Nd}{3}/u.test(said)) return false;
  return criterion === undefined || speaksOf(criterion, said);
}

const saysNothingOf = ({ query, thing }: SubQuery): string =>
  `The passages found say nothing of ${thing ? thing.name : `"${query}"`}.`;

/** A part with the names that the whole question gives and it does not: they say what it is about. */
function rewrittenQuery(part: string, whole: string): string {
  const known = part.toLowerCase();
  const names = findNames(whole)
    .filter(({ initial }) => !initial)
    .map(({ text }) => text)
    .filter((name) => !known.includes(name.toLowerCase()));
  return names.length === 0
    ? part
    : `${part.replace(/(?<![?？؟])[?？؟]+$/u, '')} ${[...new Set(names)].slice(0, 3).join(' ')}`;
}
