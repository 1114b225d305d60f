// Numbers that name one of several and count nothing: "grade 4", "step 7". Statements that name different ones are of different things, whatever
// else they say ("grade 4 gets 8 weeks", "grade 2 gets 4 weeks").
import type { Token } from '../support/tokens.ts';

interface Labelled {
  readonly tokens: readonly Token[];
  readonly quantities: readonly Token[];
  readonly dates: readonly unknown[];
  readonly versions: readonly string[];
}

/** Words whose number names one of several wherever it stands. */
const numbered: ReadonlySet<string> = new Set(
  (
    'part parts chapter chapters section sections step steps figure table page pages line lines row column item example exercise volume appendix question case phase stage level round ' +
    'lesson unit grade class category tier group zone district ward region area room door floor building gate platform track lane desk seat team squad shift plan option tariff model type ' +
    'series generation season episode article paragraph clause rule point note order invoice ticket contract project task issue site branch route bus bay berth lot batch machine pump'
  ).split(' '),
);

const before = ({ tokens }: Labelled, token: Token): Token | undefined => tokens[tokens.indexOf(token) - 1];

/** It names one of several by the word before it. */
export const isLabel = (statement: Labelled, token: Token): boolean =>
  token.quantity?.unit === undefined && numbered.has(before(statement, token)?.lower ?? '');

/** A whole number straight after a noun and before nothing that it counts: a label, or the value of what the noun names ("port 8080"). */
function mayLabel(statement: Labelled, token: Token): boolean {
  const { tokens } = statement;
  const noun = before(statement, token);
  const after = tokens[tokens.indexOf(token) + 1];
  return (
    /^\d{1,5}$/u.test(token.lower) &&
    token.quantity?.unit === undefined &&
    noun?.content === true &&
    noun.type === 'word' &&
    noun.quantity === undefined &&
    (after === undefined || after.type === 'mark' || !after.content)
  );
}

/** "Pigeonpost 3.0": which one of what is called so. A version that counts as one by what stands before it ("Node.js 18") is what is said, not of whom. */
function namesRelease(statement: Labelled, token: Token): boolean {
  return /^\d+(?:\.\d+)+$/u.test(token.lower) && /^\p{Lu}/u.test(before(statement, token)?.text ?? '');
}

/** Each names another one of what the same word stands before. A number that may be a value counts as a name only where both state another figure. */
export function nameOthers(left: Labelled, right: Labelled): boolean {
  const hasFigures = [left, right].every(({ quantities, dates }) => quantities.length + dates.length > 1);
  const labelsOf = (statement: Labelled): readonly (readonly [noun: string, number: string])[] =>
    statement.quantities
      .filter((token) => !statement.versions.includes(token.lower))
      .filter(
        (token) =>
          isLabel(statement, token) || (hasFigures && (mayLabel(statement, token) || namesRelease(statement, token))),
      )
      .map((token) => [before(statement, token)?.lower ?? '', token.lower]);
  const theirs = labelsOf(right);
  return labelsOf(left).some(([noun, number]) => {
    const same = theirs.filter(([other]) => other === noun);
    return same.length > 0 && same.every(([, other]) => other !== number);
  });
}
