// The best turns of a search. A turn is told by what stands around it as well: "yes, in May" answers the question that names the thing. So
// each turn is given shares of its neighbours' scores and of its session's best ones, and more where the query names who says it. Weights
// were chosen on two conversations of LoCoMo and reported on three others (bench locomo).
import { createTopEntries, drainEntries, makeRoom } from '../../../engine/top-entries.ts';
import type { ArchiveIndex } from './index.ts';
import type { TurnHits } from './search.ts';

export interface RankedTurn {
  readonly place: number;
  readonly score: number;
  /** Shares a term with the query. */
  readonly hit: boolean;
}

export interface RankWeights {
  /** Of the turn before and that after, of the two beyond them, of the third on both sides. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly session: number;
  readonly author: number;
}

const ordinaryWeights: RankWeights = {
  before: [0.5, 0.25, 0.15],
  after: [0.3, 0.25, 0.1],
  session: 0.5,
  author: 0.3,
};

/** For when something was: a time is told beside what it is the time of, by whoever speaks of it. */
export const timeWeights: RankWeights = { ...ordinaryWeights, before: [0.4, 0.2, 0.1], session: 0.3, author: 0.2 };

/** Hits whose neighbourhoods are looked at. */
const candidates = 300;
/** A pause of so long ends a session. */
const sessionGapMs = 3 * 3600_000;
/** Turns of a session that speak for it. */
const sessionBest = 3;

/** The `count` best hits by their own words alone. */
export function bestHits({ places, scores }: TurnHits, count: number): readonly number[] {
  const top = createTopEntries(Math.max(1, count), (left, right) => left < right);
  for (const place of places) {
    const score = scores[place] as number;
    if (score < top.threshold) continue;
    if (top.length === top.scores.length) makeRoom(top);
    top.scores[top.length] = score;
    top.references[top.length++] = place;
  }
  return [...drainEntries(top).references].slice(0, count);
}

export function rankTurns(
  { columns }: Pick<ArchiveIndex, 'columns'>,
  hits: TurnHits,
  { limit, weights = ordinaryWeights }: { readonly limit: number; readonly weights?: RankWeights },
): readonly RankedTurn[] {
  const { size, conversations, atMs, authors } = columns;
  const { scores } = hits;
  /** Whether what stands at `place` and the next place is one session. */
  const goesOn = (place: number): boolean => {
    if (place < 0 || place + 1 >= size) return false;
    const own = conversations[place] as number;
    if (own === 0 || own !== conversations[place + 1]) return false;
    const gap = (atMs[place + 1] as number) - (atMs[place] as number);
    return !(Math.abs(gap) > sessionGapMs);
  };
  const reach = Math.max(weights.before.length, weights.after.length);
  const near = new Set<number>();
  for (const place of bestHits(hits, candidates)) {
    near.add(place);
    for (let to = place, left = reach; left > 0 && goesOn(to); left--) near.add(++to);
    for (let to = place, left = reach; left > 0 && goesOn(to - 1); left--) near.add(--to);
  }

  const smoothed = new Map<number, number>();
  for (const place of near) {
    let score = scores[place] as number;
    for (let at = place, step = 0; step < weights.before.length && goesOn(at - 1); step++) {
      at -= 1;
      score += (weights.before[step] as number) * (scores[at] as number);
    }
    for (let at = place, step = 0; step < weights.after.length && goesOn(at); step++) {
      at += 1;
      score += (weights.after[step] as number) * (scores[at] as number);
    }
    smoothed.set(place, score);
  }

  const ofSession = sessionScores(
    [...near].sort((left, right) => left - right),
    smoothed,
    goesOn,
  );
  const isNamed = hits.authors;
  const ranked: RankedTurn[] = [];
  for (const [place, own] of smoothed) {
    if (!hits.admits(place)) continue;
    const said = isNamed.has(authors[place] as number) ? 1 + weights.author : 1;
    const score = (own + weights.session * (ofSession.get(place) ?? 0)) * said;
    ranked.push({ place, score, hit: (hits.roles[place] as number) > 0 });
  }
  ranked.sort((left, right) => right.score - left.score || left.place - right.place);
  return ranked.slice(0, limit);
}

/** Of each place the mean of the best of its session. `places` ascend. */
function sessionScores(
  places: readonly number[],
  smoothed: ReadonlyMap<number, number>,
  goesOn: (place: number) => boolean,
): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  for (let first = 0; first < places.length; ) {
    let end = first + 1;
    while (end < places.length && isOneSession(places[end - 1] as number, places[end] as number, goesOn)) end += 1;
    const own = places.slice(first, end);
    const best = own.map((place) => smoothed.get(place) ?? 0).sort((left, right) => right - left);
    const mean = best.slice(0, sessionBest).reduce((sum, score) => sum + score, 0) / sessionBest;
    for (const place of own) scores.set(place, mean);
    first = end;
  }
  return scores;
}

/** Two turns further apart than this are not followed through all that stands between them. */
const farApart = 200;

function isOneSession(from: number, to: number, goesOn: (place: number) => boolean): boolean {
  if (to - from > farApart) return false;
  for (let place = from; place < to; place++) if (!goesOn(place)) return false;
  return true;
}
