// The few reasons for which nobody may let a claim pass, no judge and no fitted support: a figure, date, name or code that stands nowhere
// and follows from nothing by arithmetic, and a denial of what the quotes affirm, or the other way round. A copy of a sentence is held to
// the words that it exchanges or moves; in other claims such differences are measured (support/features.ts). Pure.
import { similarity } from './support/align.ts';
import { type Comparison, compareTexts, type QuoteUnder } from './support/comparison.ts';
import { foreignTo } from './support/facts.ts';
import { changesOfCopy } from './support/grade.ts';
import { turnedRound } from './support/polarity.ts';

export interface Refused {
  readonly claim: string;
  readonly quotes: readonly QuoteUnder[];
  /** What the claim answers, where that is known. */
  readonly question?: string | undefined;
  /** Of the verifier that refused the claim. */
  readonly reasons: readonly string[];
}

export interface Vetoes {
  /** Reasons of the form `kind: detail`; empty where nothing is certain. */
  readonly vetoes: readonly string[];
  readonly comparison: Comparison;
  /** Codes of the claim that stand in the question alone. */
  readonly askedCodes: readonly string[];
  /** Names and figures of the claim that do. */
  readonly fromQuestion: readonly string[];
}

/** What is wrong with the claim or the quote itself, in whatever words. */
const formal =
  /^(?:empty-|no-statement|no-content|claim-too-long|quote-too-long|look-alike|hidden-character|question-as-statement)/u;
const code = /(?:(?<![\p{L}\p{N}])--?(?=\p{L}))?[\p{L}\p{N}]+(?:(?:::|->|[_=@#\\/.:-])[\p{L}\p{N}]+)*/gu;
/** A code is written as no word is: `max_connections`, `--name`, `HttpClient`, `journal_mode=WAL`. */
const isCode = (text: string): boolean => /[_=@#\\]|::|->|^-|\/\/|\p{Ll}\p{Lu}\p{Ll}/u.test(text);

export function vetoesOf({ claim, quotes, question = '', reasons }: Refused): Vetoes {
  const comparison = compareTexts({ claim, quotes, question });
  const known = quotes.flatMap(({ quote, title, headingPath = [] }) => [quote, title, ...headingPath]).join('\n');
  const foreign = foreignCodes(claim, known);
  const asked = new Set(foreignCodes(claim, question));
  const unquoted = foreignTo({ ...comparison, question: [] });
  const nowhere = new Set(foreignTo(comparison));
  const vetoes = [
    ...reasons.filter((reason) => formal.test(reason)),
    ...nowhere,
    ...foreign.filter((written) => asked.has(written)).map((written) => `code-missing: ${written}`),
    ...turnedRound(comparison),
    ...farFrom(comparison),
    ...changesOfCopy(comparison, reasons, { leastAlike, mayAdd: true }).filter((reason) => !open.test(reason)),
  ];
  const fromQuestion = unquoted.filter((reason) => !nowhere.has(reason)).map((reason) => reason.replace(/^\S+ /u, ''));
  return {
    vetoes: [...new Set(vetoes)],
    comparison,
    askedCodes: foreign.filter((written) => !asked.has(written)),
    fromQuestion: [...new Set(fromQuestion)],
  };
}

/**
 * What a copy leaves out or adds may be said elsewhere in the quotes: of 880 made-up sentences these spoke against 36 true and 10 false ones.
 * Without a judge they keep a copy from being confirmed (grade.ts).
 */
const open = /^(?:small-words-changed|restriction-removed|condition-(?:added|removed))/u;
/** So much alike, a claim is a copy of its sentence. */
const leastAlike = 0.75;
/** A claim of whose words so small a share stands in its quotes is no rewording of them. */
const leastShared = 0.2;

function farFrom({ claim, quote, titles }: Comparison): string[] {
  const content = claim.filter((token) => token.content);
  const known = [...quote.tokens, ...titles];
  const share =
    content.filter((token) => known.some((other) => similarity(token, other) > 0)).length / Math.max(1, content.length);
  return share < leastShared ? [`far-from-quote: ${Math.round(100 * share)} % of its words stand there`] : [];
}

function foreignCodes(claim: string, known: string): string[] {
  const there = squeezed(known);
  return (claim.match(code) ?? []).filter((written) => isCode(written) && !there.includes(squeezed(written)));
}

/** "SQLITE_MAX_COLUMN" and "sqlite max column" are one code. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
