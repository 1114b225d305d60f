// Resolves a follow-up against the turns before it, deterministically: a pronoun takes the name last spoken of, and whatever else refers back or leaves out
// what it is about is searched with the question before it. What cannot be resolved is left as it is and says so.
import type { Turn } from '../../core/conversation.ts';
import { guessLanguage } from '../../text/language/language.ts';
import { termsOf } from '../../text/terms.ts';
import { findNames } from '../../text/words/names.ts';
import { isAskedOf } from './asked-of.ts';
import patterns from './refers-back.json' with { type: 'json' };

export interface FollowUp {
  /** A question that can be searched on its own. */
  readonly resolved: string;
  readonly reason: string;
}

/** What of a turn a follow-up may refer to. */
export interface EarlierTurn extends Pick<Turn, 'resolvedQuestion'> {
  readonly answer: { readonly claims: readonly { readonly text: string }[] };
}

const more =
  /^(?:(?:please\s+)?(?:tell me|say|give me)\s+)?(?:more|more details?|more about (?:it|that|this)|go on|continue|elaborate|explain(?: that| this| more)?)[.!?\s]*$/iu;
const personal = /\b(?:he|she|him|her|his|hers|himself|herself)\b/giu;
const impersonal = /\b(?:it|its|itself|they|them|their|theirs)\b/giu;
const possessive = /^(?:his|its|their|theirs|hers)$/iu;
/** A question of so few words that mean something, and no name, leaves out what it is about. */
const fewTerms = 2;

const trimMark = (question: string): string => question.trim().replace(/(?<![\s?!.。？！])[\s?!.。？！]+$/u, '');

/** `turns` oldest first. Total: content that stands alone comes back unchanged. */
export function resolveFollowUp(content: string, turns: readonly EarlierTurn[]): FollowUp {
  const previous = turns.at(-1);
  if (previous === undefined) return { resolved: content, reason: 'the first question of the session' };
  if (more.test(content.trim()))
    return { resolved: previous.resolvedQuestion, reason: 'asks for more on the previous question' };
  for (const [pattern, isPerson] of [
    [personal, true],
    [impersonal, false],
  ] as const) {
    const found = wordIn(content, pattern);
    const name = found && !isOfName(content, found.index) ? antecedent(turns, isPerson) : undefined;
    if (found && name !== undefined)
      return { resolved: withName(content, found, name), reason: `“${found[0]}” taken as ${name}` };
  }
  if (!refersBack(content, previous.resolvedQuestion)) return { resolved: content, reason: 'stands alone' };
  // The question before it in brackets: its words count, and the own ones more (passages/frame.ts).
  const before = trimMark(previous.resolvedQuestion.replace(/ \([^()]*\)\??$/u, ''));
  return {
    resolved: `${content.trim()} (${before})`,
    reason: 'refers to the previous question, which was added',
  };
}

/** By language. */
const referring = new Map(
  Object.entries(patterns).map(([language, pattern]) => [language, new RegExp(pattern, 'giu')]),
);

/** The first match that is no name: IT, CI and ER are none of the words that they are spelt like, unless all is written so. */
function wordIn(content: string, pattern: RegExp): RegExpExecArray | undefined {
  const isLoud = content === content.toUpperCase();
  return content.matchAll(pattern).find(([said]) => isLoud || !/^\p{Lu}{2,}$/u.test(said));
}

function refersBack(content: string, previous: string): boolean {
  const language = guessLanguage(content, [guessLanguage(previous)]);
  const pattern = referring.get(language) ?? referring.get('en');
  if (pattern && wordIn(content.trim(), pattern)) return true;
  return (
    termsOf(content).length <= fewTerms && !/\p{L}\p{Lu}|[\p{L}\p{N}][_./-][\p{L}\p{N}]|(?<=\s)\p{Lu}/u.test(content)
  );
}

/** A pronoun after a name of the same sentence refers to that name. */
const isOfName = (content: string, at: number): boolean =>
  !isAskedOf(content, at) && findNames(content.slice(0, at)).length > 0;

/** "Fjord 4" is another thing than Fjord. */
const versionBehind = /^ v?\p{Nd}{1,4}(?:\.\p{Nd}{1,4}){0,3}(?![\p{L}\p{N}.,]|\.\p{Nd})/u;
const namesIn = (text: string): readonly string[] =>
  findNames(text).map(({ start, end }) => `${text.slice(start, end)}${versionBehind.exec(text.slice(end))?.[0] ?? ''}`);

/** The name that a pronoun stands for: one of the question before, and of a person one that its first claim gave, too. A "who" was answered by a person. */
function antecedent(turns: readonly EarlierTurn[], isPerson: boolean): string | undefined {
  for (const { resolvedQuestion, answer } of turns.toReversed()) {
    const asked = namesIn(resolvedQuestion);
    const told = namesIn(answer.claims[0]?.text ?? '').filter(
      (name) => !resolvedQuestion.toLowerCase().includes(name.toLowerCase()),
    );
    const persons = /^\s*who/iu.test(resolvedQuestion)
      ? told.filter((name) => /^\p{Lu}\S*(?: \p{Lu}\S*){1,2}$/u.test(name))
      : [];
    const [name] = isPerson ? [...persons, ...asked, ...told] : asked;
    if (name !== undefined) return name;
  }
  return undefined;
}

function withName(content: string, found: RegExpExecArray, name: string): string {
  const [said] = found;
  const rest = content.slice(found.index + said.length);
  const isOwner = possessive.test(said) || (/^her$/iu.test(said) && /^\s+\p{L}/u.test(rest));
  return `${content.slice(0, found.index)}${isOwner ? `${name}’s` : name}${rest}`;
}
