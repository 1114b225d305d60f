// A part of a question that speaks of what the part before it named: a pronoun takes that name. Pure.
import { findNames } from '../../text/words/names.ts';
import { isAskedOf } from './asked-of.ts';

export interface AskedBefore {
  /** As it was searched. */
  readonly question: string;
  readonly claims: readonly { readonly text: string }[];
}

const personal = /\b(?:he|she|him|her|his|hers|himself|herself)\b/giu;
const impersonal = /\b(?:it|its|itself|they|them|their|theirs)\b/giu;
const possessive = /^(?:his|its|their|theirs|hers)$/iu;

/** `parts` oldest first; undefined where there is no pronoun, or nothing that it stands for. */
export function withNameBefore(query: string, parts: readonly AskedBefore[]): string | undefined {
  for (const [pattern, isPerson] of [
    [personal, true],
    [impersonal, false],
  ] as const) {
    const found = wordIn(query, pattern);
    const name = found && !isOfName(query, found.index) ? antecedent(parts, isPerson) : undefined;
    if (found && name !== undefined) return withName(query, found, name);
  }
  return undefined;
}

/** The first match that is no name: IT, CI and ER are none of the words that they are spelt like, unless all is written so. */
function wordIn(content: string, pattern: RegExp): RegExpExecArray | undefined {
  const isLoud = content === content.toUpperCase();
  return content.matchAll(pattern).find(([said]) => isLoud || !/^\p{Lu}{2,}$/u.test(said));
}

/** A pronoun after a name of the same sentence refers to that name. */
const isOfName = (content: string, at: number): boolean =>
  !isAskedOf(content, at) && findNames(content.slice(0, at)).length > 0;

/** "Fjord 4" is another thing than Fjord. */
const versionBehind = /^ v?\p{Nd}{1,4}(?:\.\p{Nd}{1,4}){0,3}(?![\p{L}\p{N}.,]|\.\p{Nd})/u;
const namesIn = (text: string): readonly string[] =>
  findNames(text).map(({ start, end }) => `${text.slice(start, end)}${versionBehind.exec(text.slice(end))?.[0] ?? ''}`);

/** The name that a pronoun stands for: one of the question before, and of a person one that its first claim gave, too. A "who" was answered by a person. */
function antecedent(parts: readonly AskedBefore[], isPerson: boolean): string | undefined {
  for (const { question, claims } of parts.toReversed()) {
    const asked = namesIn(question);
    const told = namesIn(claims[0]?.text ?? '').filter((name) => !question.toLowerCase().includes(name.toLowerCase()));
    const persons = /^\s*who/iu.test(question)
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
