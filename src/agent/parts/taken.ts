// Which claims a look at one part takes: those of the thing and the criterion that were asked for and of the kind of answer; what only comes close waits
// behind them. Invariant: what holds nothing of the kind asked for is never taken.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Evidence } from '../../core/search.ts';
import { deedAsked, isOfThing, tellsEvent } from './fit/deeds.ts';
import { lackOf } from './fitting.ts';
import { type Lack, toldBy } from './told.ts';

export interface Taken {
  /** In the order in which they came. */
  readonly claims: VerifiedClaim[];
  /** Of the kind asked for, but perhaps of another amount or time. */
  readonly nearly: { readonly claim: VerifiedClaim; readonly lack: Lack }[];
  /** How many were of something else. */
  beside: number;
  /** Of the first claim that holds nothing of the kind. */
  lack?: Lack;
  readonly take: (claim: VerifiedClaim) => void;
}

export function createTaken(
  asked: string,
  {
    most,
    isAbout,
    evidence,
  }: {
    readonly most: number;
    readonly isAbout: (claim: VerifiedClaim) => boolean;
    readonly evidence: () => readonly Evidence[];
  },
): Taken {
  const deed = deedAsked(asked);
  /** What says that it was done to the very thing comes before what says it where the thing is spoken of. */
  const [own, elsewhere]: [VerifiedClaim[], VerifiedClaim[]] = [[], []];
  const taken: Taken = {
    claims: [],
    nearly: [],
    beside: 0,
    take: (claim) => {
      if (!isAbout(claim)) {
        taken.beside += 1;
        return;
      }
      const lack = lackOf(asked, toldBy(claim, evidence()));
      if (!lack) {
        if (deed ? !isOfThing(deed, claim.text) : tellsEvent(asked, claim.text) === false) elsewhere.push(claim);
        else own.push(claim);
        taken.claims.splice(0, taken.claims.length, ...[...own, ...elsewhere].slice(0, most));
        return;
      }
      if (lack.isWithout) taken.lack ??= lack;
      else taken.nearly.push({ claim, lack });
    },
  };
  return taken;
}
