// Which amount a question asks for by its name ("What was the net income of A?"), and whether a text speaks of that one. Rules over the words. Pure.
import { termSet } from '../../answer/question/terms.ts';

/** What is told by a figure. */
const measured =
  /^(?:prices?|costs?|fees?|fares?|rents?|revenues?|sales|income|profits?|loss(?:es)?|earnings|eps|dividends?|margins?|ebitd?a?r?|expenses?|expenditures?|spending|debts?|salar(?:y|ies)|wages?|budgets?|turnover|assets|liabilities|inventor(?:y|ies)|tax(?:es)?|populations?|weights?|heights?|rates?|percentages?|scores?|ratios?|totals?)$/iu;
/** Words for the same amount. */
const same: readonly RegExp[] = [
  /\b(?:revenues?|sales|turnover)\b/iu,
  /\b(?:income|profits?|earnings|loss(?:es)?|earned|eps)\b/iu,
  /\b(?:prices?|pric(?:ed|ing)|costs?|fees?|fares?|free|charges?|paid|pays?|dollars?|euros?|pounds?|pence|cents?)\b|[$€£¥]/iu,
  /\b(?:populations?|inhabitants|residents|people|populous)\b/iu,
  /\b(?:weights?|weigh(?:s|ed|ing)?|heavy|mass)\b|\d ?(?:kg|g|lbs?|pounds?|tons?|tonnes?)\b/iu,
  /\b(?:heights?|tall|high|elevation)\b/iu,
  /\b(?:salar(?:y|ies)|wages?|pay|paid|earns?|earned)\b/iu,
  /\b(?:rates?|percentages?|percent|ratios?|share|proportion)\b|%/iu,
  /\b(?:expenditures?|expenses?|spending|spent|costs?)\b/iu,
  /\b(?:scores?|scored|points?|achiev(?:es|ed))\b/iu,
];
/** Adds nothing to the amount that it stands before. */
const plain =
  /^(?:total|overall|consolidated|annual|full|reported|current|exact|average|company|approximate|estimated)$/iu;
const opening = /^(?:what|which) (?:is|are|was|were) /iu;
/** Where the name of an amount ends. */
const closing =
  /^(?:of|for|in|at|on|from|during|by|per|to|as|with|between|and|or|is|are|was|were|did|does|do|that|which|who|according|recorded|reported|paid|under)$/iu;
/** "What salary does she get", "which fee must one pay". */
const had =
  /^(?:what|which) (?<named>(?:\p{Ll}[\p{L}-]* ){0,2}\p{Ll}[\p{L}-]*) (?:do|does|did|has|have|had|can|could|may|must|should|will|would)\b/iu;
/** "How much did the sales of A grow", "by how much has A's income risen". */
const grown =
  /^(?:by )?how much (?:do|does|did|has|have|had|will) (?<named>.{2,120}?) (?:gr[oe]wn?|r[io]se[ns]?|increased?|f[ae]ll(?:en)?|declined?|drop(?:ped)?|decreased?|changed?|shr[iau]nk)\b/iu;
const article = /^(?:its|their|his|her|the|an?)$/iu;

export interface Amount {
  /** What is measured: "income". */
  readonly noun: string;
  /** With what tells it from others: "net income". */
  readonly words: readonly string[];
}

/** So much of a text is looked at. */
const mostLooked = 4_000;

/** Undefined where no amount is asked for by name. */
export function amountAsked(question: string): Amount | undefined {
  const lead = opening.exec(question);
  const named = lead ? question.slice(lead[0].length) : (had.exec(question) ?? grown.exec(question))?.groups?.['named'];
  return named === undefined ? undefined : amountNamed(named.replace(/[?.!]{1,3}$/u, ''));
}

function amountNamed(phrase: string): Amount | undefined {
  const all = phrase.split(' ', 16);
  const end = all.findIndex((word) => closing.test(word));
  const before = all.slice(0, end < 0 ? all.length : end);
  // "MGM Resorts' net revenue": the amount stands behind its owner.
  const owner = before.findLastIndex((word) => /(?:['’]s|s['’])$/u.test(word) || article.test(word));
  const named = before.slice(owner + 1);
  const at = named.findLastIndex((word) => measured.test(word));
  const noun = named[at];
  // "The sales tax", "the sales manager": the last word says what it is.
  if (noun === undefined || at < named.length - 2) return undefined;
  return {
    noun,
    words: named
      .slice(0, at + 1)
      .filter((word) => !plain.test(word) && !/^(?:\p{Lu}\p{Ll}|Q\p{Nd}|\p{Nd})/u.test(word)),
  };
}

/** The noun, or another word for it, and all that tells it from other amounts. */
export function saysAmount({ noun, words }: Amount, said: string): boolean {
  const text = said.slice(0, mostLooked);
  const held = termSet(text);
  const isSame = same.some((kind) => kind.test(noun) && kind.test(text));
  const small = text.toLowerCase();
  // "Compared" has the stem of "comparable", and says nothing of comparable sales.
  const isSaid = (word: string): boolean =>
    termSet(word).isSubsetOf(held) && small.includes(word.toLowerCase().slice(0, Math.max(4, word.length - 3)));
  return words.every((word) => (word === noun && isSame) || isSaid(word));
}
