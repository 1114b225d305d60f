// Takes a model's claims one by one as they come: each is checked, repaired once if that can help, and released before the next is looked
// at; with a judge, the next are checked while it reads. Invariant: only what the verifier kept and no judge refused, or what it left undecided
// and a judge or its grade confirmed, is released, in order, once; everything else leaves a verdict with its reasons.
import { isFootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Degradation } from '../../core/search.ts';
import { leastMatches } from '../../models/encoder/passage-scorer.ts';
import { isEnglishOrUnclear } from '../../text/language/language.ts';
import { foldText } from '../../text/words/normalise.ts';
import type { Context, ContextBlock, UndecidedClaim, VerifiedClaim } from '../claims/draft.ts';
import type { ComposePorts, ComposeRequest } from '../composer.ts';
import { numberBlocks } from '../context/evidence.ts';
import type { Admission, Admitted } from '../judge/admission.ts';
import type { Decision, Judging } from '../judge/judge-claims.ts';
import { answerModelComponent, type ModelAsker } from './ask.ts';
import { type CheckedClaim, checkModelClaim, kindOf, saysOtherwise, showBlocks, splitClaim } from './check.ts';
import type { ModelClaim } from './output.ts';
import type { Relevance } from './relevance.ts';
import { isRepairable, type Repaired, repairClaim } from './repair.ts';

/** What became of the claims of a composition so far, however often its model was asked. */
export type ReleaseState = ReturnType<typeof createReleaseState>;
export const createReleaseState = () => ({
  released: [] as VerifiedClaim[],
  heldBack: [] as VerifiedClaim[],
  asWritten: [] as VerifiedClaim[],
  reworded: [] as VerifiedClaim[],
  degraded: [] as Degradation[],
  blocks: [] as ContextBlock[],
  rewordedAlone: 0,
  dropped: 0,
  proposed: 0,
  repairs: 0,
  contradicted: 0,
  isBelieved: false,
});

export interface ReleaseTask {
  /** Of all looks of the composition. */
  readonly state: ReleaseState;
  readonly request: ComposeRequest;
  /** What the model was shown. */
  readonly context: Context;
  readonly maxClaims: number;
  /** English name of the language to write in. */
  readonly language: string | undefined;
  readonly relevance: Relevance;
  readonly asker: ModelAsker;
  /** Has a word on every claim that the verifier kept; none is asked where absent. */
  readonly judging?: Judging | undefined;
  /** Has a word on every claim that rules leave undecided; absent: their grade decides. */
  readonly admission?: Admission | undefined;
  /** Claims in words of their own are graded; else none is shown. */
  readonly isInOwnWords?: boolean;
  readonly isQuoteEnough?: boolean;
  /** A claim that does not hold is dropped: it is neither repaired, by a search and a question to the model in JSON, nor gives way to its quote. */
  readonly isAsWrittenOnly?: boolean;
  readonly ports: ComposePorts;
}

export interface Releaser {
  /** Those that were kept, in order, the ones that wait included. */
  readonly released: readonly VerifiedClaim[];
  /** Quotes in the place of what the model wrote, kept back until a claim holds as it was written: what to do with them is the caller's. */
  readonly waiting: readonly VerifiedClaim[];
  /** Claims that nothing forbids and nothing confirms. */
  readonly reworded: readonly VerifiedClaim[];
  /** How many of them have no quote in their place. */
  readonly rewordedAlone: () => number;
  /** Claims that did not pass the check. */
  readonly dropped: () => number;
  /**
   * What became of the claims of this look alone, by which the model is believed: it has read more than at the look before. Contradicted is what said
   * something else than its quotes, had quotes that stand nowhere, or was refused by a judge.
   */
  readonly ofLook: () => Record<'proposed' | 'dropped' | 'reworded' | 'contradicted', number>;
  /** Of those released, the ones that say what the model wrote, repaired or not. */
  readonly asWritten: readonly VerifiedClaim[];
  /** Claims looked at. */
  readonly proposed: () => number;
  readonly degraded: readonly Degradation[];
  /** Passages read for repairs. */
  readonly blocks: readonly ContextBlock[];
  /** Checks one claim as the model wrote it. False: no more is wanted. Throws when the request is over and nothing was released. */
  take(claim: ModelClaim): Promise<boolean>;
  /** Takes no more, because of this. Where time ran out and claims were verified, they stand; otherwise `finish` throws it. */
  end(thrown: unknown): void;
  /** Resolves when every claim taken is released or refused. Throws like `take`. */
  finish(): Promise<void>;
}

/** What judges were asked about a claim. */
interface Words {
  readonly asked?: Promise<Decision> | undefined;
  readonly admitted?: Promise<Admitted>;
}

/** At most so many claims are repaired. */
const mostRepairs = 2;
const repairTokens = 1_200;
/** Claims looked at; a model that writes on without end is cut here. */
const mostProposed = 12;

export function createReleaser({
  state,
  request,
  context,
  maxClaims,
  language,
  relevance,
  asker,
  judging,
  admission,
  isInOwnWords = admission !== undefined,
  isQuoteEnough = false,
  isAsWrittenOnly = false,
  ports,
}: ReleaseTask): Releaser {
  const { sink, readSpan, deadline } = ports;
  const shown = showBlocks(numberBlocks(context.blocks));
  const { released, heldBack, asWritten, reworded, degraded, blocks } = state;
  const earlier = {
    proposed: state.proposed,
    dropped: state.dropped,
    reworded: reworded.length,
    contradicted: state.contradicted,
  };
  /** Each is told once, however many claims it is true of. */
  const isTold = (component: string): boolean => degraded.some((one) => one.component === component);
  const matchesOf = async (claim: string, texts: readonly string[]): Promise<readonly number[] | undefined> => {
    // The encoder knows no other language.
    if (!isEnglishOrUnclear(claim)) return undefined;
    const scored = await leastMatches(ports.passageScorer, { query: claim, texts }, deadline.signal);
    if (scored.degraded && !isTold(scored.degraded.component))
      degraded.push({ ...scored.degraded, effect: 'Claims in words of their own were graded by their words alone.' });
    return scored.scores;
  };
  const check = {
    readSpan,
    relevance,
    signal: deadline.signal,
    ...(isInOwnWords && { grading: { question: request.question, leastMatches: matchesOf } }),
    isQuoteEnough,
    isAsWrittenOnly,
    ...(!isQuoteEnough && { question: request.question }),
  };
  const mostLooked = state.proposed + mostProposed;

  const refuse = ({ text, support, reasons }: Pick<CheckedClaim, 'text' | 'support' | 'reasons'>): void =>
    sink({ type: 'verdict', claim: text, support, kept: false, reasons });

  async function repair(failed: CheckedClaim): Promise<CheckedClaim | undefined> {
    if (isAsWrittenOnly || state.repairs >= mostRepairs || !isRepairable(failed, asker)) return undefined;
    state.repairs += 1;
    const budgetTokens = Math.min(repairTokens, request.contextTokens);
    const repaired = await repairClaim(
      { question: request.question, failed, shown: context.blocks, budgetTokens, language },
      { search: ports.search, asker, ...check },
    ).catch((thrown: unknown): Repaired => {
      deadline.check();
      const { code, message } = toFootnoteError(thrown);
      return { blocks: [], failure: { component: answerModelComponent, code, detail: message } };
    });
    const known = new Set(blocks.map(({ evidence }) => evidence.chunkId));
    blocks.push(...repaired.blocks.filter(({ evidence }) => !known.has(evidence.chunkId)));
    if (repaired.failure && !isTold(answerModelComponent))
      degraded.push({
        ...repaired.failure,
        effect: 'A claim that its quotes did not carry was left out without a second look.',
      });
    return repaired.checked;
  }

  const isSaid = (kept: VerifiedClaim): boolean => released.some((earlier) => saysTheSame(earlier, kept));

  /** The judge's word, asked at once; nothing where there is no judge, or nothing to judge. */
  const ask = ({ kept }: CheckedClaim): Promise<Decision> | undefined =>
    kept && !isSaid(kept)
      ? judging?.decide(
          kept,
          [...context.blocks, ...blocks].map(({ evidence }) => evidence),
        )
      : undefined;

  /** Asks at once, so that the next claims are checked meanwhile. */
  const wordsOn = (checked: CheckedClaim): Words => {
    const { undecided } = checked;
    if (!admission || !undecided || isSaid(undecided)) return { asked: ask(checked) };
    return { admitted: admission.admit(undecided) };
  };

  async function judged(checked: CheckedClaim, asked = ask(checked)): Promise<CheckedClaim> {
    if (!asked) return checked;
    const { isRefused, reasons } = await asked;
    deadline.check();
    const { kept, ...rest } = checked;
    const all = [...checked.reasons, ...reasons];
    return isRefused || !kept ? { ...rest, reasons: all } : { ...checked, reasons: all };
  }

  /** As it was written, where the judge, or its grade where no judge can tell, says that its quotes carry it; else what the rules made of it. */
  async function worded(checked: CheckedClaim, { asked, admitted }: Words = wordsOn(checked)): Promise<CheckedClaim> {
    const { undecided } = checked;
    const word = await admitted;
    if (!undecided) return judged(checked, asked);
    deadline.check();
    const reasons = [...checked.reasons, ...(word?.reasons ?? [])];
    const isRefused = word?.reasons.some((reason) => kindOf(reason) === 'judged-unsupported') === true;
    const kept = word?.kept ?? (isRefused ? undefined : confirmedByGrade(undecided));
    const { undecided: _, ...rest } = checked;
    if (!kept) return judged({ ...(isRefused ? rest : checked), reasons }, asked);
    const isAsWritten = (reason: string): boolean => kindOf(reason) !== 'shown-as-quoted';
    const { text, support } = undecided;
    return { ...rest, text, support, kept, reasons: reasons.filter(isAsWritten) };
  }

  /** What is left of a claim that nothing confirms. */
  function reword({ degree, ...claim }: UndecidedClaim): boolean {
    if (degree === 'unlike' || [...released, ...reworded].some((earlier) => saysTheSame(earlier, claim))) return false;
    reworded.push({ ...claim, kind: 'reworded' });
    return true;
  }

  async function settle(checked: CheckedClaim, words: Words): Promise<void> {
    const first = await worded(checked, words);
    const isReworded = first.undecided !== undefined && reword(first.undecided);
    if (isReworded && !first.kept) {
      state.rewordedAlone += 1;
      return refuse({ ...first, reasons: [...first.reasons, 'reworded: not confirmed'] });
    }
    const repaired = first.kept ? undefined : await repair(first);
    const second = repaired && (await worded(repaired));
    const final = second?.kept
      ? { ...second, reasons: [...second.reasons, `repaired: ${first.text}`, ...first.reasons] }
      : first;
    const { kept } = final;
    if (!kept) {
      state.dropped += 1;
      if (checked.kept || (!first.undecided && first.reasons.some(saysOtherwise))) state.contradicted += 1;
      const after = second?.reasons.map((reason) => `after repair: ${reason}`) ?? [];
      refuse({ ...first, reasons: [...first.reasons, ...after] });
    } else if (isSaid(kept)) {
      // What it said before its repair is lost.
      if (second?.kept) state.dropped += 1;
      refuse({ text: kept.text, support: kept.support, reasons: ['said-before'] });
    } else {
      sink({ type: 'verdict', claim: kept.text, support: kept.support, kept: true, reasons: final.reasons });
      released.push(kept);
      heldBack.push(kept);
      const isQuote = final.reasons.some((reason) => kindOf(reason) === 'shown-as-quoted');
      if (!isQuote) asWritten.push(kept);
      state.isBelieved ||= !isQuote;
      if (state.isBelieved) for (const claim of heldBack.splice(0)) ports.release(claim);
    }
  }

  /** Claims that were checked and are not yet released or refused, one after the other. */
  let settling = Promise.resolve();
  let waiting = 0;
  let isOver = false;
  let broken: { readonly thrown: unknown } | undefined;

  function end(thrown: unknown): void {
    if (isOver) return;
    isOver = true;
    // What was released stands: a request that ran out of time ends with it.
    const isGone = isFootnoteError(thrown) && thrown.code === 'cancelled';
    if (deadline.remainingMs() > 0 || isGone || released.length === 0) {
      broken = { thrown };
      return;
    }
    degraded.push({
      component: answerModelComponent,
      code: 'deadline-exceeded',
      detail: 'The time allowed for this request ran out.',
      effect: 'What the model had still to say was not checked and is left out.',
    });
  }

  async function decide(claim: ModelClaim): Promise<void> {
    deadline.check();
    const checked = await checkModelClaim(claim, shown, check);
    for (const reason of checked.reasons)
      if (kindOf(reason) === 'record-corrupt') {
        const told = corruptRecord(reason.slice('record-corrupt: '.length));
        if (!degraded.some(({ detail }) => detail === told.detail)) degraded.push(told);
      }
    const words = wordsOn(checked);
    waiting += 1;
    settling = settling
      .then(() => (isOver ? undefined : settle(checked, words)))
      .catch(end)
      .finally(() => {
        waiting -= 1;
      });
  }

  return {
    released,
    waiting: heldBack,
    reworded,
    rewordedAlone: () => state.rewordedAlone,
    dropped: () => state.dropped,
    ofLook: () => ({
      proposed: state.proposed - earlier.proposed,
      dropped: state.dropped - earlier.dropped,
      reworded: reworded.length - earlier.reworded,
      contradicted: state.contradicted - earlier.contradicted,
    }),
    asWritten,
    proposed: () => state.proposed,
    degraded,
    blocks,
    async take(written) {
      for (const claim of splitClaim(written, shown)) {
        // Claims that wait for the judge may yet fall, and make room.
        if (released.length + waiting >= maxClaims || state.proposed === mostLooked) await settling;
        if (!isOver && (released.length === maxClaims || state.proposed === mostLooked)) {
          const text = claim.text.slice(0, 300).toWellFormed() || '(nothing)';
          refuse({ text, support: 0, reasons: [`more-than-asked: ${maxClaims} claims at most`] });
          return false;
        }
        state.proposed += 1;
        if (!isOver) await decide(claim).catch(end);
        if (!judging && !admission) await settling;
        if (broken) throw broken.thrown;
        if (isOver) return false;
      }
      return true;
    },
    end,
    async finish() {
      await settling;
      if (broken) throw broken.thrown;
    },
  };
}

const corruptRecord = (documentId: string): Degradation => ({
  component: 'record',
  code: 'data-corrupt',
  detail: `The text of document ${documentId} is not the one that was recorded. Run footnote doctor.`,
  effect: 'What the model cites from it was left out.',
});

/** Names the fitted support where a judge would be named. */
const fittedSupport = 'footnote:support';

const confirmedByGrade = ({ degree, ...claim }: UndecidedClaim): VerifiedClaim | undefined =>
  degree === 'confirmed' ? { ...claim, kind: 'judged', judgedBy: fittedSupport } : undefined;

/** The same words and signs in the same order, whatever punctuation stands between them, or a part of them from the same span. */
export function saysTheSame(a: VerifiedClaim, b: VerifiedClaim): boolean {
  const [one, other] = [foldText(a.text), foldText(b.text)];
  if (one === other) return true;
  const isSameSpan = a.spans.some((span) =>
    b.spans.some(
      ({ documentId, start, end }) => span.documentId === documentId && span.start === start && span.end === end,
    ),
  );
  return isSameSpan && (` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `));
}
