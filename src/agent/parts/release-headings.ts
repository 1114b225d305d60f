// When a version was released, as release notes say it by their headings: "## 3.1.0 (20 January 2031)". Invariant: the heading holds the very version and one
// date, stands in what is about the product that is named, and was read back and verified.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import { readPieces } from '../../answer/extract/readings.ts';
import { termSet } from '../../answer/question/terms.ts';
import type { SourceSpan } from '../../core/document.ts';
import type { Evidence } from '../../core/search.ts';
import { findDates } from '../../text/quantities/dates.ts';
import { bareOf } from '../plan/phrases.ts';
import { standsUnder } from './called/row-names.ts';
import { linesOf } from './outright.ts';
import { claimsAt, type Reading } from './read-claims.ts';

const asksRelease =
  /^(?:when|on (?:what|which) (?:date|day)) (?:was|is|did) (?<what>.{0,80}?)\bv?(?<version>\d{1,4}(?:\.\d{1,4}){1,3})(?<of> of .{2,60}?)?(?: be| get)? (?:released|published|come out|shipped)$/iu;
const asksDate =
  /^what (?:is|was) the (?:release date|date of (?:the )?release) of (?<what>.{0,80}?)\bv?(?<version>\d{1,4}(?:\.\d{1,4}){1,3})$/iu;
const longestPassage = 20_000;
/** Words for it that stand in no title. */
const kinds = termSet('version release the of firmware app software update build edition');

/** Throws what the reader throws. */
export async function releaseClaims(
  asked: string,
  evidence: readonly Evidence[],
  reading: Reading,
): Promise<readonly VerifiedClaim[]> {
  const bare = bareOf(asked);
  const { what = '', version, of = '' } = (asksRelease.exec(bare) ?? asksDate.exec(bare))?.groups ?? {};
  if (version === undefined) return [];
  const product = termSet(`${what} ${of}`).difference(kinds);
  for (const one of evidence) {
    const text = one.text.slice(0, longestPassage);
    const about = termSet(`${standsUnder(one)} ${text}`);
    if (!product.isSubsetOf(about)) continue;
    for (const { start, end } of headingsIn(text)) {
      if (!isOfVersion(text.slice(start, end), version)) continue;
      const claims = await claimsAt(one, { start, end }, reading);
      if (claims.length > 0) return claims;
    }
  }
  return [];
}

/** Headings, and in a plain text lines of a version and nothing more: "Version 7.2   (2 April 2025)". */
function headingsIn(text: string): readonly SourceSpan[] {
  const headings = readPieces(text).filter(({ kind }) => kind === 'heading');
  return [...headings, ...linesOf(text).filter(({ said }) => plainLine.test(said))];
}
const plainLine =
  /^(?:[\p{Lu}v][\p{L}-]{0,30} ){0,3}v?\p{Nd}{1,4}(?:\.\p{Nd}{1,4}){1,3}[\s:,–—-]{0,12}\(?[\p{L}\p{Nd} .,/-]{6,30}\)?$/u;

function isOfVersion(heading: string, version: string): boolean {
  const at = heading.search(/\d{1,4}(?:\.\d{1,4}){1,3}/u);
  const [found = ''] = /^\d{1,4}(?:\.\d{1,4}){1,3}/u.exec(heading.slice(Math.max(0, at))) ?? [];
  const dates = findDates(heading.slice(at + found.length));
  return at >= 0 && found === version && dates.length === 1 && dates[0]?.year !== undefined;
}
