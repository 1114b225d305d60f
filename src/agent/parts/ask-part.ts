// One part of a question that was taken apart: searched, read and checked by itself, and looked for once more, deeper and in other words, where
// the first look answers nothing. Invariant: a part ends with verified claims or with the reason why it has none.

import type { SpanReader, VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Composer } from '../../answer/composer.ts';
import type { Composition } from '../../answer/composition.ts';
import { passageComposer } from '../../answer/passages/passage-composer.ts';
import { termSet } from '../../answer/question/terms.ts';
import { isTabular } from '../../answer/tables/rows.ts';
import type { Deadline } from '../../core/deadline.ts';
import type { EventSink } from '../../core/events.ts';
import type { Evidence } from '../../core/search.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import { findNames } from '../../text/words/names.ts';
import { type EarlierPart, filledQuery } from '../plan/fill.ts';
import type { SubQuery } from '../plan/plan.ts';
import type { Outcome } from '../plan/run-plan.ts';
import { tellUnread } from '../steps/compose.ts';
import { createFindings } from '../steps/gather.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import type { Findings, Planned, TurnContext } from '../turn/turn-state.ts';
import { isAbout, saysNothingOf } from './about.ts';
import { formClaims, ownLook } from './forms.ts';
import { namedTerms, ownersIn } from './owned.ts';
import { datedClaims, featuredClaims, tellsBeginning } from './stated.ts';
import { createTaken, type Taken } from './taken.ts';
import { type Lack, toldBy } from './told.ts';
import { underTitle } from './under-title.ts';

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
  /** The form of a passage states it. */
  readonly isStated?: true;
}

export interface AskPartPorts {
  readonly gatherer: Gatherer;
  /** Looks for what the first look did not find. */
  readonly deeper: Gatherer;
  readonly readSpan: SpanReader;
  readonly passageScorer?: PassageScorer | undefined;
  /** Default: the documents' own sentences. */
  readonly composer?: Composer | undefined;
  /** Of this part alone. */
  readonly contextTokens: number;
  /** At most so many claims. */
  readonly maxClaims: number;
  /** Looks for evidence, 1 or more. */
  readonly rounds: number;
}

/** Claims that are looked at more than are wanted, where some may be of another thing than the one asked about. */
const besideClaims = 4;
/** Claims that a form makes: the rows of a small table. */
const mostStated = 6;
/** Chunks that a second look reads: twice the first. */
const deeperTopK = 20;

/** Throws like a gatherer. */
// oxlint-disable-next-line max-lines-per-function, complexity -- The steps of one part share its findings and its degradations.
export async function askPart(
  subQuery: SubQuery,
  {
    state,
    earlier,
    deadline,
  }: { readonly state: Planned; readonly earlier: readonly Outcome<AskedPart>[]; readonly deadline: Deadline },
  { ports, context }: { readonly ports: AskPartPorts; readonly context: TurnContext },
): Promise<AskedPart> {
  const { gatherer, readSpan, composer = passageComposer, contextTokens, maxClaims, rounds } = ports;
  const { sink: outer, clock } = context;
  const before = earlier.flatMap((one) => (one.ok ? [one.result] : []));
  const asked = filledQuery(subQuery, before);
  // "Under which license is it?" is of what the part before it was answered from, where nothing names it.
  const isBound = pronoun.test(subQuery.query) && ownersIn(asked).length === 0;
  const near = subQuery.about === undefined && !isBound ? new Set<string>() : documentsOf(before);
  // Stages are told of the whole.
  const sink: EventSink = (event) => {
    if (event.type !== 'status') outer(event);
  };
  const ownContext: TurnContext = { ...context, deadline, sink };
  const ask = (question: string, topK?: number): Planned => ({
    ...state,
    request: {
      ...state.request,
      question,
      ...(topK !== undefined && { topK: Math.max(topK, state.request.topK ?? 0) }),
    },
  });
  let findings: Findings | undefined;
  /** What comes closest of all looks, where none has more. */
  let nearly: { readonly taken: Taken['nearly']; readonly composition: Composition } | undefined;
  let lack: Lack | undefined;
  // What names nothing is first looked for where the question before it was answered.
  const isNear = near.size > 0;
  let query = isNear ? withTopic(asked, subQuery.about) : asked;
  for (let round = isNear ? 0 : 1; ; round += 1) {
    const gathering = await (round > 1 ? ports.deeper : gatherer).gather(
      ask(query, round > 1 ? deeperTopK : undefined),
      ownContext,
    );
    if (findings) findings.add(gathering);
    else findings = createFindings(gathering);
    const all = findings;
    const taken = createTaken(asked, {
      most: maxClaims,
      isAbout: (claim) => isAbout(claim, subQuery, all) && (!isBound || near.size === 0 || isFrom(near, claim)),
      evidence: () => all.evidence(),
    });
    const { claims } = taken;
    const evidence = evidenceFor(round, { all, gathering: [...gathering.evidence], near });
    const composition = await composer.compose(
      { question: asked, evidence, contextTokens, maxClaims: maxClaims + besideClaims },
      {
        readSpan,
        passageScorer: ports.passageScorer,
        statistics: () => gatherer.statistics(ask(asked), ownContext),
        search: async (more) => {
          const found = await gatherer.gatherMore(more, ask(asked), ownContext);
          all.add(found);
          return found.evidence;
        },
        release: taken.take,
        // Times of parts that run at once are no times of steps.
        timed: async (_, work) => work(),
        sink,
        deadline,
        clock,
      },
    );
    tellUnread(composition.context, sink);
    // What a row or a section says by its form is surer than what words alone let guess.
    const reading = { readSpan, signal: deadline.signal };
    const form = { subQuery, asked };
    let byForm = await formClaims(form, evidence, reading);
    const look = byForm.length > 0 || round > 1 ? undefined : ownLook(form);
    if (look !== undefined) {
      all.add(await ports.deeper.gather(ask(look), ownContext));
      byForm = await formClaims(form, all.evidence(), reading);
    }
    const isBegun =
      claims.length > 0 && !(asksBeginning.test(asked) && claims.every(({ text }) => !tellsBeginning(text)));
    const dated = byForm.length > 0 || isBegun ? byForm : await datedClaims(subQuery, evidence, reading);
    // "Support: forum" of a row is no feature.
    const isStated = dated.length > 0 || claims.some(({ text }) => !isTabular(text));
    const stated = isStated ? dated : await featuredClaims(subQuery, evidence, reading);
    claims.splice(0, claims.length, ...withoutOtherRows(asked, claims));
    if (stated.length > 0) claims.splice(0, claims.length, ...stated.slice(0, mostStated));
    claims.splice(0, claims.length, ...(await underTitle(claims, subQuery, reading)));
    if (taken.nearly.length > 0) nearly ??= { taken: taken.nearly, composition };
    lack ??= taken.lack;
    const part: AskedPart = {
      id: subQuery.id,
      question: subQuery.query,
      asked,
      claims,
      findings: all,
      composition: stated.length > 0 ? answeredBy(composition) : composition,
      ...(stated.length > 0 && { isStated: true }),
      ...(taken.beside > 0 && { beside: saysNothingOf(subQuery) }),
    };
    if (round === 0 && stated.length === 0 && !isSaid(asked, claims[0], part.composition)) {
      query = asked;
      continue;
    }
    const tell = (verdict: 'answer' | 'caveat' | 'fill-gap' | 'unanswerable', reason: string, next?: string): void =>
      sink({
        type: 'assessment',
        round: Math.max(1, round),
        part: subQuery.id,
        verdict,
        reason,
        ...(next !== undefined && { query: next }),
      });
    if (claims.length > 0) {
      const isElsewhere =
        isNear && round > 0 && isSureOf(before) && isNameless(asked) && !claims.some((claim) => isFrom(near, claim));
      const closest = isElsewhere
        ? 'It was found in other documents than what was asked before it.'
        : stated.length > 0
          ? undefined
          : closestOnly(asked, claims, { composition, findings: all });
      if (closest === undefined)
        tell('answer', claims.length === 1 ? 'One claim answers it.' : `${claims.length} claims answer it.`);
      else tell('caveat', closest);
      return { ...part, ...(closest !== undefined && { closest }) };
    }
    const wanting = nearly?.taken[0]?.lack ?? lack;
    const why =
      (wanting && `What was found ${wanting.reason}.`) ??
      (taken.beside > 0 ? saysNothingOf(subQuery) : undefined) ??
      composition.abstainReason ??
      'No claim could be verified against the documents found.';
    const rewritten = rewrittenQuery(asked, state.request.question);
    const isSpent = gathering.degraded.some(({ component }) => component === 'budget');
    if (round >= rounds || isSpent || (rewritten === query && gathering.evidence.length < deeperTopK / 2)) {
      if (nearly) {
        tell('caveat', why);
        const closest = nearly.taken.slice(0, maxClaims).map(({ claim }) => claim);
        return { ...part, claims: closest, composition: nearly.composition, closest: why };
      }
      tell('unanswerable', why);
      return lack ? { ...part, beside: why } : part;
    }
    tell('fill-gap', why, rewritten);
    query = rewritten;
  }
}

/** What was asked before was answered: it is known where. */
const isSureOf = (before: readonly AskedPart[]): boolean =>
  before.some(
    ({ claims, closest, composition }) => claims.length > 0 && closest === undefined && !composition.isUnsure,
  );
const isNameless = (asked: string): boolean => !findNames(asked).some(({ initial }) => !initial);
const pronoun = /\b(?:it|its)\b(?! (?:that|to)\b)/iu;
const isFrom = (documents: ReadonlySet<string>, { spans }: VerifiedClaim): boolean =>
  spans.some(({ documentId }) => documents.has(documentId));

const documentsOf = (earlier: readonly AskedPart[]): ReadonlySet<string> =>
  new Set(earlier.flatMap(({ claims }) => claims.flatMap(({ spans }) => spans.map(({ documentId }) => documentId))));

/** What a look reads. */
function evidenceFor(
  round: number,
  {
    all,
    gathering,
    near,
  }: { readonly all: Findings; readonly gathering: readonly Evidence[]; readonly near: ReadonlySet<string> },
): readonly Evidence[] {
  if (round === 0) return gathering.filter(({ documentId }) => near.has(documentId));
  return round === 1 && near.size === 0 ? all.first : gathering;
}

/** Of the words of a question, that a claim holds where it is taken without a look elsewhere. */
const leastShare = 0.5;
function isSaid(asked: string, claim: VerifiedClaim | undefined, { isUnsure }: Composition): boolean {
  if (!claim || isUnsure) return false;
  const wanted = termSet(asked);
  const held = termSet(claim.text);
  return wanted.intersection(held).size >= leastShare * wanted.size;
}

/** Behind a row that names all that is named, rows of others say nothing more. */
function withoutOtherRows(asked: string, claims: readonly VerifiedClaim[]): readonly VerifiedClaim[] {
  const named = namedTerms(asked);
  const isOwn = ({ text }: VerifiedClaim): boolean => named.isSubsetOf(termSet(text));
  const [first] = claims;
  if (named.size === 0 || !first || !isTabular(first.text) || !isOwn(first)) return claims;
  return claims.filter((claim) => !isTabular(claim.text) || isOwn(claim));
}

const legalForm = /^(?:inc|corp|corporation|company|ltd|llc|plc|co|gmbh|ag)$/iu;

/** Why claims only come closest: none of them, with what stands over it, holds half of what is asked, or none stands where any name in it is spoken of. Of rows the columns say what they hold. */
function closestOnly(
  asked: string,
  claims: readonly VerifiedClaim[],
  { composition, findings }: { readonly composition: Composition; readonly findings: Findings },
): string | undefined {
  // What a judge or a model says in words of its own need not repeat the question.
  if (composition.isByModel || claims.some(({ text }) => isTabular(text))) return undefined;
  const wanted = termSet(asked);
  const names = findNames(asked)
    .filter(({ initial }) => !initial)
    .flatMap(({ words }) => words.filter((word) => !legalForm.test(word.replace(/\.$/u, ''))));
  const named = termSet(names.join(' '));
  let isHeld = false;
  let isNamed = named.size === 0;
  for (const { text, spans } of claims) {
    const from = findings.evidence().filter(({ chunkId }) => spans.some((span) => span.chunkId === chunkId));
    const { over } = toldBy({ text, spans }, from);
    const said = [text, over];
    isHeld ||= wanted.intersection(termSet(said.join('\n'))).size >= leastShare * wanted.size;
    isNamed ||= !named.isDisjointFrom(termSet([...said, ...from.map((one) => one.text)].join('\n')));
  }
  if (!isNamed) return `Nothing found around them speaks of "${names.join(' ')}".`;
  if (!isHeld) return 'No sentence found speaks of half of what is asked.';
  return composition.isUnsure ? 'No sentence found is sure to answer it.' : undefined;
}

/** With what the question before it speaks of, where it names nothing itself. */
function withTopic(asked: string, about: string | undefined): string {
  if (about === undefined || about === '' || findNames(asked).some(({ initial }) => !initial)) return asked;
  return `${asked.replace(/(?<![?？؟\s])[?？؟\s]+$/u, '')} (${about})?`;
}

/** "When did X come about": a date of something else that happened to it is none. */
const asksBeginning = /^when did .{1,200} come about\b/iu;
/** As sure as rows are that were read by their columns. */
const statedConfidence = 0.9;
export function answeredBy({ isUnsure: _, abstainReason: __, ...composition }: Composition): Composition {
  return { ...composition, coverage: 1, confidence: Math.max(composition.confidence, statedConfidence) };
}

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
