// Why something is so: what stands under a heading that calls itself the cause, in a document about what is asked, and a sentence that says that it is so with the
// one behind it that gives the reason. Invariant: each claim was read back and verified.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import { readPieces } from '../../answer/extract/readings.ts';
import { termSet } from '../../answer/question/terms.ts';
import type { Evidence } from '../../core/search.ts';
import { countWords } from '../../text/sentences.ts';
import { bareOf } from '../plan/phrases.ts';
import { claimsAt, type Reading } from './read-claims.ts';

const asksWhy =
  /^(?:why|for (?:what|which) reason|what (?:caused|led to)|what (?:is|was|were|are) the (?:root )?(?:causes?|reasons?) (?:of|for|why|behind))\b/iu;
const causing = termSet('why what cause caused reason root led');
const ofCause =
  /^(?:[\d.]{1,6} )?(?:(?:root|probable|likely|underlying) )?(?:causes?|reasons?)(?: of .{1,60})?$|^why\b/iu;
/** "**Why:** The pump ran dry." */
const labelled = /^[*_]{0,3}(?:why|(?:root )?cause|reason)[*_]{0,3}:[*_]{0,3} \S/iu;
/** What a sentence begins with that gives the reason for the one before it, or holds. */
const gives =
  /\b(?:because|explained (?:that|it|by)|due to|owing to|the (?:cause|reason) (?:is|was)|caused by|was caused|as a result of|had not been|took longer than)\b/iu;
const longestPassage = 20_000;
const mostWords = 60;
const leastShare = 0.5;

/** Throws what the reader throws. */
export async function reasonClaims(
  asked: string,
  evidence: readonly Evidence[],
  reading: Reading,
): Promise<readonly VerifiedClaim[]> {
  const bare = bareOf(asked);
  if (!asksWhy.test(bare)) return [];
  const wanted = termSet(bare).difference(causing);
  if (wanted.size === 0) return [];
  const share = (text: string): number => wanted.intersection(termSet(text)).size / wanted.size;
  for (const find of [sectionIn, pairIn])
    for (const one of evidence) {
      const place = find(one, share);
      if (!place) continue;
      const claims = await claimsAt(one, place, reading);
      if (claims.length > 0) return claims;
    }
  return [];
}

interface Place {
  readonly start: number;
  readonly end: number;
}
type Share = (text: string) => number;

/** The first sentence under the heading. */
function sectionIn({ text: passage, title, headingPath }: Evidence, share: Share): Place | undefined {
  const text = passage.slice(0, longestPassage);
  const pieces = readPieces(text);
  const over = [title, ...headingPath];
  for (const [at, piece] of pieces.entries()) {
    const { kind, start, end } = piece;
    const heading = text.slice(start, end);
    const next = pieces[at + 1];
    const isNear = share(`${over.join(' ')} ${text.slice(0, start)}`) >= leastShare;
    if (isNear && labelled.test(heading)) return piece;
    if (kind !== 'heading') continue;
    const isCause = ofCause.test(heading.replace(/^#+ |:$/gu, '').trim());
    // What the document says in its first lines is what it is about.
    if (isCause && next?.kind === 'sentence' && share(`${over.join(' ')} ${text.slice(0, start)}`) >= leastShare)
      return next;
    over.push(heading);
  }
  return undefined;
}

/** Two sentences of one paragraph: that it is so, and why. */
function pairIn({ text: passage, title, headingPath }: Evidence, share: Share): Place | undefined {
  const text = passage.slice(0, longestPassage);
  const pieces = readPieces(text);
  const held = share([title, ...headingPath].join(' '));
  for (const [at, piece] of pieces.entries()) {
    const next = pieces[at + 1];
    if (piece.kind !== 'sentence' || next?.kind !== 'sentence') continue;
    const [said, behind] = [text.slice(piece.start, piece.end), text.slice(next.start, next.end)];
    const isBoth = /\n[ \t]*\n/u.test(text.slice(piece.end, next.start)) || gives.test(said) || !gives.test(behind);
    if (isBoth || countWords(`${said} ${behind}`) > mostWords) continue;
    if (share(said) > 0 && share(said) + held >= leastShare) return { start: piece.start, end: next.end };
  }
  return undefined;
}
