// Marks what each token of a sentence stands under: negation, doubt, obligation or future, a condition, somebody else's
// word, a question. The same simple scoping runs over claim and quote, so that equal structures get equal marks and a
// difference shows what was added or taken away.
import {
  doubtOf,
  isAttribution,
  isCondition,
  isOpinionNoun,
  isReportingVerb,
  modalityOf,
} from '../../text/words/hedges.ts';
import { negatingCharacters, negationAt } from '../../text/words/negation.ts';
import { type Token, unmarked } from './tokens.ts';

const contrast = new Set(
  'but although though whereas while whilst however yet because when if unless until aber sondern obwohl während weil jedoch falls'.split(
    ' ',
  ),
);
const finite = new Set(
  'is are was were has have had will would can could may might must should do does did it he she they we there this these ist sind war waren wird wurde wurden hat haben hatte'.split(
    ' ',
  ),
);
const relative = new Set('which who whose where whom'.split(' '));

interface Scope {
  negations: number;
  phraseNegations: number;
  doubt: number;
  modality: string;
}

const fresh = (): Scope => ({ negations: 0, phraseNegations: 0, doubt: 0, modality: '' });

/** What tokens stand under, while it is being found. */
type Marked = { -readonly [Field in keyof Token]: Token[Field] };

/**
 * The tokens of one sentence, copied, with what each stands under. A denying verb ("rejected") that `isAligned` finds on the
 * other side too is no difference of polarity and is passed over; "not" and the like always count.
 */
// oxlint-disable-next-line complexity, house/own-lines -- One rule of language stands after another, over the same words.
export function markScopes(read: readonly Token[], isAligned: (at: number) => boolean): readonly Token[] {
  const tokens = read.map((token): Marked => unmarked(token.text, token));
  const words = tokens.map((token) =>
    token.type === 'mark' || token.type === 'number' || token.type === 'date' ? `\u0000${token.text}` : token.lower,
  );
  let scope = fresh();
  let saved: Scope | undefined;
  let attributed = false;
  let frontedNegation = false;
  for (const [at, token] of tokens.entries()) {
    const word = words[at] as string;
    const next = words[at + 1] ?? '';
    const previous = words[at - 1] ?? '';
    if (token.type === 'mark') {
      if (/^[;:!?]$|^[—–]$/u.test(token.text) || isDash(tokens, at) || (token.text === '.' && at < tokens.length - 1)) {
        scope = fresh();
        saved = undefined;
        if (token.text === ';') attributed = false;
      } else if (token.text === '(') {
        saved = { ...scope };
        scope = fresh();
      } else if (token.text === ')' || token.text === ',') {
        scope.phraseNegations = 0;
        if (frontedNegation) {
          scope.negations = 0;
          frontedNegation = false;
        }
        if (saved) {
          scope = saved;
          saved = undefined;
        }
        if (token.text === ',' && relative.has(next)) {
          saved = { ...scope };
          scope = fresh();
        } else if (token.text === ',' && /^(?:\u0000&|and|or|so|und|oder)$/u.test(next) && startsClause(words, at + 2))
          scope = fresh();
      }
    } else if (token.type === 'character') {
      if (negatingCharacters.has(token.text)) {
        scope.negations += 1;
        token.negates = true;
      }
    } else {
      if (contrast.has(word) && previous !== 'that') {
        scope = fresh();
        if (word === 'but' || word === 'aber' || word === 'however') attributed = false;
      }
      const reach = token.content && isAligned(at) ? undefined : negationAt(words, at);
      token.negates = reach !== undefined || word === 'not' || word === 'nicht';
      if (reach === 'phrase') scope.phraseNegations += 1;
      else if (reach === 'clause') {
        // ", not Y," denies Y alone; "but not Y" too.
        if (/^\u0000[,(—–]$/u.test(previous) || previous === 'but' || previous === 'and') scope.phraseNegations += 1;
        else scope.negations += 1;
        if (at === 0) frontedNegation = /^(?:no|never)$/u.test(word) ? false : word === 'not' || word === 'without';
      }
      // "May" is a month only in dates, which are tokens of their own.
      scope.doubt += doubtOf(word);
      const modality = modalityOf(word, next);
      if (modality) scope.modality = modality;
    }
    token.negations = scope.negations + scope.phraseNegations;
    token.doubt = scope.doubt;
    token.modality = scope.modality;
    token.attributed = attributed;
    // "hilft nicht", "is safe, probably": a cue at the end of its clause speaks of what stands before it.
    if (token.type === 'word' && (next === '' || next.startsWith('\u0000')) && !/\d/u.test(next)) {
      const denied = token.negates && !token.content ? 1 : 0;
      const doubted = doubtOf(word);
      for (
        let other = at - 1;
        denied + doubted > 0 && other >= 0 && (tokens[other] as Token).type !== 'mark';
        other -= 1
      ) {
        (tokens[other] as Marked).negations += denied;
        (tokens[other] as Marked).doubt += doubted;
      }
    }
    if (token.type === 'word' && !token.name && (isReportingVerb(word) || (isOpinionNoun(word) && next === 'that')))
      attributed = true;
    if (token.type === 'word' && isAttribution(word, next) && word !== 'according' && word !== 'laut')
      attributed = true;
  }
  markAttribution(tokens, words);
  markConditions(tokens, words);
  if (tokens.at(-1)?.text === '?') for (const token of tokens) token.asked = true;
  return tokens;
}

function startsClause(words: readonly string[], from: number): boolean {
  for (let at = from; at < Math.min(words.length, from + 6); at += 1) {
    const word = words[at] as string;
    if (word.startsWith('\u0000') && !/\d/u.test(word)) return false;
    if (finite.has(word)) return true;
  }
  return false;
}

/** "According to X, Y", "Y, according to X" and "Y", said X: the whole of Y is X's word. */
function markAttribution(tokens: readonly Marked[], words: readonly string[]): void {
  for (const [at, word] of words.entries()) {
    if ((word === 'according' && words[at + 1] === 'to') || (word === 'laut' && at < 2)) {
      let end = at;
      while (end < tokens.length && words[end] !== '\u0000,' && words[end] !== '\u0000.') end += 1;
      for (const [other, token] of tokens.entries()) if (other < at || other > end) token.attributed = true;
    } else if (isReportingVerb(word) && !(tokens[at] as Token).name) {
      let comma = at - 1;
      while (
        comma > at - 6 &&
        comma > 0 &&
        words[comma] !== '\u0000,' &&
        !/^\u0000["”“]$/u.test(words[comma] as string)
      )
        comma -= 1;
      const closes = comma > 0 && comma > at - 6 && tokens.length - at <= 8 && !words.slice(at + 1).includes('that');
      if (closes) for (const token of tokens.slice(0, comma)) token.attributed = true;
    }
  }
}

/** Two hyphens are a dash. */
const isDash = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.text === '-' && tokens[at - 1]?.text === '-' && tokens[at - 1]?.end === tokens[at]?.start;

function markConditions(tokens: readonly Marked[], words: readonly string[]): void {
  for (const [at, word] of words.entries()) {
    if (!isCondition(word, words[at - 1] ?? '', words[at + 1] ?? '')) continue;
    let end = at + 1;
    while (
      end < tokens.length &&
      words[end] !== '\u0000,' &&
      words[end] !== 'then' &&
      !/^\u0000[.;]$/u.test(words[end] as string)
    )
      end += 1;
    let clauseStart = at;
    while (clauseStart > 0 && words[clauseStart - 1] !== '\u0000;') clauseStart -= 1;
    let clauseEnd = end;
    while (clauseEnd < tokens.length && words[clauseEnd] !== '\u0000;') clauseEnd += 1;
    for (let other = clauseStart; other < clauseEnd; other += 1) {
      const token = tokens[other] as Marked;
      if (other >= at && other < end) token.condition = 'if';
      // "Even if", "as if": the rest holds all the same.
      else if (word === 'if' && /^(?:even|as)$/u.test(words[at - 1] ?? '')) continue;
      else if (token.condition === '' && word !== 'whether' && word !== 'ob') token.condition = 'then';
    }
    return;
  }
}
