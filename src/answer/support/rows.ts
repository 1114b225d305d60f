// Does a row of a table or a record support a claim? Cell by cell: what the row is called by, names of columns each with its value right behind it, and small
// words that only join them. Invariant: a value is accepted under no other column and with no other row, and nothing that the row does not say (a
// comparison, a negation, a doubt) may stand in the claim. What is said in another order is a judge's.
import type { Row } from '../tables/rows.ts';
import { similarity } from './align.ts';
import { type Language, readTokens, type Token } from './tokens.ts';

/** The reason of a claim that was read by columns begins with this. */
export const readByColumns = 'read-by-columns';

const articles = 'the a an der die das den dem des ein eine einer eines'.split(' ');
/** Small words that join a name and its value and say nothing else. */
const joining = new Set([
  ...articles,
  ...'of in at for on is was are were has have had with its s von vom im am bei für auf mit ist war sind waren hat hatte betrug beträgt'.split(
    ' ',
  ),
]);
/** "Depth (m)" over 12, "Revenue (million)" before 4.1: the figure is said with its unit. */
const withUnit = /^(.+?) \(([^()]{1,8})\)$/u;
const joiningMark = /^[,:.;'"’“”()–—-]$/u;
/** The least likeness of two words that are the same but for their ending. */
const sameWord = 0.9;
/** "(2.5)" is negative, "<5" a bound. */
const plainValue = /^[\p{L}\p{N}$€£¥₹+−-]/u;
/** A claim has at most 60 words, and marks between them. */
const mostTokens = 150;

export interface RowVerdict {
  readonly isSupported: boolean;
  /** Which column it was read in, or what is wrong. */
  readonly reasons: readonly string[];
}

/** Whether `claim`, the tokens of one sentence, says of `row` what stands there. */
export function supportOfRow(claim: readonly Token[], row: Row, language: Language): RowVerdict {
  const wordsOf = (text: string): readonly Token[] =>
    readTokens(text, language).tokens.filter(({ type, lower }) => type !== 'mark' && !articles.includes(lower));
  const { name: labelName, called, unitOfRow, cells } = labelledOf(row);
  const labelled = claim.length > mostTokens ? undefined : without(claim, wordsOf(called));
  let left = labelled && (without(labelled, wordsOf(labelName)) ?? labelled);
  const read: string[] = [];
  for (const cell of cells) {
    const isPlain = cell.name !== '' && plainValue.test(cell.value);
    // A name that two columns share says nothing of either.
    if (left === undefined || !isPlain || row.cells.some((other) => other !== cell && other.name === cell.name))
      continue;
    const [, name = cell.name, unit = unitOfRow] = withUnit.exec(cell.name) ?? [];
    const [names, values] = [name, `${cell.value} ${unit}`].map(wordsOf) as [Token[], Token[]];
    const pair = withoutPair(left, names, values);
    // A claim about one cell may say the value before the name, or what the row is called by between them.
    const alone = pair ?? (read.length > 0 ? undefined : without(without(left, names) ?? [], values));
    if (pair === undefined && !(alone && isJoined(alone))) continue;
    read.push(cell.name);
    left = alone;
  }
  return read.length > 0 && left !== undefined && isJoined(left)
    ? { isSupported: true, reasons: [`${readByColumns}: ${read.join(', ')}`.slice(0, 200)] }
    : { isSupported: false, reasons: ['not-in-row: the cells of the row do not say it one by one'] };
}

/** What the row is called by, under which name and with which unit for its figures, and its other cells. */
function labelledOf({ heading, cells: [first, ...others] }: Row) {
  if (heading !== undefined || !first)
    return { name: '', called: heading ?? '', unitOfRow: '', cells: first ? [first, ...others] : [] };
  const [, called = first.value, unitOfRow = ''] = withUnit.exec(first.value) ?? [];
  return { name: first.name, called, unitOfRow, cells: others };
}

const isJoining = ({ type, text, lower, negates }: Token): boolean =>
  !negates && (type === 'mark' ? joiningMark.test(text) : joining.has(lower));
const isJoined = (left: readonly Token[]): boolean =>
  left.every((token) => isJoining(token) || /^(?:and|und)$/u.test(token.lower));

const placeOf = (claim: readonly Token[], words: readonly Token[], from = 0): number =>
  words.length === 0
    ? -1
    : claim.findIndex((_, at) => at >= from && words.every((word, index) => isSame(claim[at + index], word)));

/** The claim without the words where they stand first; undefined where they do not. */
function without(claim: readonly Token[], words: readonly Token[]): readonly Token[] | undefined {
  const at = placeOf(claim, words);
  return at < 0 ? undefined : claim.toSpliced(at, words.length);
}

/** Without a name and its value right behind it. */
function withoutPair(
  claim: readonly Token[],
  names: readonly Token[],
  values: readonly Token[],
): readonly Token[] | undefined {
  const at = placeOf(claim, names);
  let next = at + names.length;
  while (next < claim.length && isJoining(claim[next] as Token) && placeOf(claim, values, next) !== next) next += 1;
  return at >= 0 && placeOf(claim, values, next) === next ? claim.toSpliced(at, next + values.length - at) : undefined;
}

function isSame(token: Token | undefined, word: Token): boolean {
  if (token === undefined || token.negates !== word.negates) return false;
  if (!token.content && !word.content) return token.lower === word.lower;
  // "At least 5" follows from 5, but compares where the row does not.
  return (
    similarity(token, word) >= sameWord && (token.quantity?.bound ?? 'exact') === (word.quantity?.bound ?? 'exact')
  );
}
