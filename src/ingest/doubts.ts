// Whether what a run found may take away or replace what its source brought before. Invariant: a pure function of what was there, what is there
// now and what was seen on the way, the same for every connector; a source that lost most of what it had at once, is listed or lies elsewhere,
// or shows one page in place of many, is more likely ill than changed, so it waits for somebody who looked at it.

import type { GateSign } from '@footnote/readers/web/links';

export const doubtReasons = [
  'found-little',
  'other-listing',
  'other-device',
  'texts-lost',
  'same-page',
  'sign-in',
] as const;
export type DoubtReason = (typeof doubtReasons)[number];

/** A page that lost most words of the text that is recorded of it. */
export interface Replaced {
  readonly uri: string;
  /** Those of the text that came, each once. */
  readonly words: ReadonlySet<string>;
  /** It lost nearly all of its words, or is not half as long as the one before. */
  readonly isLost: boolean;
  /** Those that the page before did not show. */
  readonly signs: readonly GateSign[];
}

/** Files, pages and archives count as one each, whatever they hold. */
export interface Findings {
  readonly had: number;
  /** Of those, the ones that would be deleted for no more than not being found. */
  readonly vanished: number;
  /** All that the source has now, new ones too. */
  readonly found: number;
  readonly replaced: readonly Replaced[];
  /** It was listed, and now only its pages lead to each other. */
  readonly isListedOtherwise?: boolean;
  /** The folder lies on another device than it did. */
  readonly isOnOtherDevice?: boolean;
  /** Somebody declared it anew since: what is not asked for any more is gone by that word. */
  readonly isDeclaredAnew?: boolean;
  /** Its pages lead to each other: one that is another hides those behind it. */
  readonly isCrawled?: boolean;
}

export interface Verdict {
  /** Why nothing is deleted; undefined where what vanished goes. */
  readonly vanished: DoubtReason | undefined;
  /** Why a text stays, by its uri; others are replaced. */
  readonly replaced: ReadonlyMap<string, DoubtReason>;
}

/** Of fewer, one more or less is a large share, so only the loss of all tells. */
const fewestForShares = 4;
/** Numbers of devices change with restarts, too: that a tenth is gone besides tells. */
const otherDeviceShare = 0.1;
/** Of the words of two texts together, those that stand in both: the same page with a time or a number of its own. */
const samePageShare = 0.8;
/** Pages that one is compared with, so that many are not compared with all. */
const mostGroups = 50;

const isMost = (lost: number, had: number): boolean =>
  lost > 0 && (lost >= had || (had >= fewestForShares && 2 * lost > had));

function isSamePage(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const both = one.intersection(other).size;
  return both >= samePageShare * (one.size + other.size - both);
}

function sameAsOthers(replaced: readonly Replaced[]): readonly string[] {
  const groups: Replaced[][] = [];
  for (const page of replaced) {
    const group = groups.find(([first]) => first && isSamePage(first.words, page.words));
    if (group) group.push(page);
    else if (groups.length < mostGroups) groups.push([page]);
  }
  return groups.flatMap((group) => (group.length > 1 ? group.map(({ uri }) => uri) : []));
}

function doubtOfAll(findings: Findings, reasons: ReadonlyMap<string, DoubtReason>): DoubtReason | undefined {
  const { had, vanished, found, replaced, isDeclaredAnew } = findings;
  const lost = replaced.filter(({ isLost }) => isLost).length;
  if (lost > 0 && isMost(lost + (isDeclaredAnew ? 0 : vanished), had)) return 'texts-lost';
  if (vanished === 0 || (isDeclaredAnew && found > 0)) return undefined;
  if (findings.isListedOtherwise) return 'other-listing';
  if (2 * found < had && isMost(vanished, had)) return 'found-little';
  if (findings.isOnOtherDevice && vanished > otherDeviceShare * had) return 'other-device';
  return [...reasons.values()].find((reason) => reason === 'same-page' || findings.isCrawled);
}

/** What of a run is doubtful. */
export function judge(findings: Findings): Verdict {
  const { replaced } = findings;
  const reasons = new Map<string, DoubtReason>();
  for (const uri of sameAsOthers(replaced)) reasons.set(uri, 'same-page');
  for (const { uri, signs } of replaced) if (signs.length > 0) reasons.set(uri, 'sign-in');
  const vanished = doubtOfAll(findings, reasons);
  if (vanished) for (const { uri } of replaced) if (!reasons.has(uri)) reasons.set(uri, vanished);
  return { vanished, replaced: reasons };
}

const told: { readonly [Reason in DoubtReason]: string } = {
  'found-little': 'the source suddenly shows much less than it did',
  'other-listing': 'the sitemap that listed the source is no longer there, or a page stands in its place',
  'other-device': 'the folder lies on another device than it did, and misses files',
  'texts-lost': 'most of its texts suddenly went, or little of them is left',
  'same-page': 'several addresses suddenly show one and the same page',
  'sign-in': 'it leads to what looks like a sign-in page or a challenge',
};

/** The sentence about one document that stays. */
export const toldOfKept = (reason: DoubtReason): string =>
  `It stays as it was, as it is doubtful that it went or changed (${reason}): ${told[reason]}.`;

/** The sentence about the run. */
export const toldOfRun = (source: string, reason: DoubtReason, kept: number): string =>
  `${kept} ${kept === 1 ? 'document' : 'documents'} of source "${source}" would be deleted or overwritten on doubtful evidence: ${told[reason]}. They stay as they were. Look at the source: the next sync goes on when it is well. If it is as it should be, confirm what it shows now: footnote sync "${source}" --confirm, or POST /v1/sources/${encodeURIComponent(source)}/sync?confirm=true.`;
