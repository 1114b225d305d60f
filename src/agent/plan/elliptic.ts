// Questions that lean on the one before them: "who founded X, when, and in what city?", "which versions does each support?", "who makes them?".
// Invariant: what is filled in are words of the same question.
import { findNames } from '../../text/words/names.ts';
import { auxiliary, prepositions, question, questionWord, withoutLead, withoutMark } from './phrases.ts';

const asksAlone = 'when|where|why|how|by whom|since when|until when|by when|till when';
/** Without a verb of its own: "in what city", "for how long", "with which optimizer". */
const measured = String.raw`${prepositions} (?:what|which) \p{Ll}[\p{L}-]*(?: \p{Ll}[\p{L}-]*)?|(?:for |by )?how (?:long|often|much|far)|since when|at what (?:price|age)`;
const bareWord = new RegExp(`^(?:and )?(?:who|${asksAlone}|${measured})$`, 'iu');
const trailingWord = new RegExp(`^(?<head>.{8,400}[^,]), (?<word>${asksAlone})$`, 'iu');
/** "On what hardware was X trained": what is asked ends before the auxiliary. */
const inverted = new RegExp(
  `^(?:${questionWord})(?: (?!(?:${auxiliary})\\b)[\\p{L}\\p{N}'’-]+){0,4} (?<rest>(?:${auxiliary}) .+)$`,
  'iu',
);
const opened = new RegExp(`^(?:${questionWord})(?! (?:many|much|long|often|far|old|large)\\b) (?<rest>.+)$`, 'iu');
/** "How many shows of the new revue are booked": what is counted may have many words. */
const countedBy = /^how (?:many|much) (?<what>[^,]{1,80}?) (?<verb>is|are|was|were) (?<done>[^,]{1,120})$/iu;

/** Whether nothing but the question word is said, which goes on with what stands before it. */
export const isBareWord = (text: string): boolean => bareWord.test(withoutMark(withoutLead(text)));

/** "How many of them may be carried over?", behind a question about days of leave. */
const ofThem = /^(how many|how much) of (?:them|these|those|it)\b/iu;
const countedIn = new RegExp(
  `^(?:how (?:many|much)|which|what) (?<things>\\p{Ll}[^,;:]{1,60}?) (?:${auxiliary})\\b`,
  'iu',
);

/** "Who founded X, when, and where?", "Who founded X? When?": question words that go on with the words of the question before them. */
export function goneOn(clauses: readonly string[]): readonly string[] {
  let predicate = '';
  let counted = '';
  return clauses.flatMap((clause, at) => {
    const bare = withoutMark(withoutLead(clause)).replace(ofThem, (_, word: string) =>
      counted === '' ? _ : `${word} ${counted}`,
    );
    counted = countedIn.exec(bare)?.groups?.['things'] ?? counted;
    const trailing = trailingWord.exec(bare)?.groups;
    const head = trailing?.['head'] ?? bare;
    const words = [...(trailing?.['word'] === undefined ? [] : [trailing['word']])];
    if (bareWord.test(bare)) {
      // "By what date and by whom was it signed?": what is asked stands behind both.
      const rest = predicate === '' ? predicateOf(withoutMark(clauses[at + 1] ?? '')) : predicate;
      return rest === '' ? [clause] : [question(`${bare} ${rest}`)];
    }
    predicate = predicateOf(head);
    if (words.length === 0 || predicate === '')
      return [ofThem.test(clause) && counted !== '' ? question(bare) : clause];
    return [question(head), ...words.map((word) => question(`${word} ${predicate}`))];
  });
}

/** "Who founded X": "was X founded". */
const actively =
  /^(?:who|what|which \p{Ll}[\p{L}-]*) (?<verb>\p{L}{2,20}ed|wrote|built|made|won|led|began|sold|bought|found|drew|sang) (?<object>[^,]{1,120})$/iu;
const participles: Readonly<Record<string, string>> = {
  wrote: 'written',
  began: 'begun',
  drew: 'drawn',
  sang: 'sung',
};

function predicateOf(asked: string): string {
  const { verb, object } = actively.exec(asked)?.groups ?? {};
  if (verb !== undefined && object !== undefined) {
    const small = verb.toLowerCase();
    return `was ${object} ${participles[small] ?? small}`;
  }
  const rest = (inverted.exec(asked) ?? opened.exec(asked))?.groups?.['rest'];
  // "Who has to write to them, and by when": whoever has to.
  if (rest !== undefined) return rest.replace(/^(?:has|have) to /iu, 'must one ');
  const { what, verb: is, done } = countedBy.exec(asked)?.groups ?? {};
  return what === undefined ? '' : `${is} ${what} ${done}`;
}

const each = /\b(?:each|both)(?: of (?:them|these|those|the two))?\b/iu;
const they = /\b(?:they|them|their)\b/iu;
/** Of all of them together: no question for each. */
const together =
  /\b(?:between|together|each other|one another|in common|relationship|share|differ|compare|same|more|less|most|least|first|last|\p{L}{2,20}er than)\b/iu;
const one: Readonly<Record<string, string>> = { are: 'is', were: 'was', do: 'does', have: 'has' };

/** "Which versions does each support?", behind several things: a question for each; undefined where it does not speak of them one by one. */
export function ofEveryOne(text: string, things: readonly string[]): readonly string[] | undefined {
  const bare = withoutMark(withoutLead(text));
  if (things.length < 2 || together.test(bare)) return undefined;
  const said = each.exec(bare) ?? they.exec(bare);
  if (!said) return undefined;
  const before = bare.slice(0, said.index);
  // "Their" behind a name of the same clause is that one's.
  if (they.test(said[0]) && findNames(before).some(({ initial }) => !initial)) return undefined;
  const behind = bare.slice(said.index + said[0].length);
  const singular = before.replace(/\b(are|were|do|have) $/iu, (_, verb: string) => `${one[verb.toLowerCase()]} `);
  return things.map((thing) => question(`${singular}${/^their$/iu.test(said[0]) ? `${thing}'s` : thing}${behind}`));
}
