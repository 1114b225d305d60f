// Whether a question can only be asked when the one before it is known: it speaks of something that it does not name. Pure.
import { findNames } from '../../text/words/names.ts';
import { isAskedOf } from '../intent/asked-of.ts';

/** Pronouns; "this edict" names what it speaks of. */
const reference =
  /(?<![\p{L}\p{M}])(?:he|she|him|her|his|hers|it|its|they|them|their|theirs|there|er|sie|ihn|ihr|sein|seine)(?![\p{L}\p{M}])|(?<![\p{L}\p{M}])(?:this|that|these|those)(?=[\s?.!]*$)/iu;
/** "Is there", "there are": nothing is meant by it. */
const existential = /\b(?:is|are|was|were|be|been|exist) there\b|\bthere (?:is|are|was|were|any|an?)\b/iu;

/** Whether a question speaks of something that it does not name. */
export function refersBack(query: string): boolean {
  if (/^(?:what|how) about\b/iu.test(query)) return true;
  const found = reference.exec(query.replace(existential, ''));
  if (!found) return query.split(/\s+/u).length <= 2;
  if (isAskedOf(query, found.index)) return true;
  // A pronoun behind a name of the same question stands for that name.
  return !findNames(query.slice(0, found.index)).some(({ initial }) => !initial);
}
