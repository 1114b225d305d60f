// Which sentences are about the thing of a section: by their own words, else by the sentence before them in their passage, else by the nearest heading
// over it that names one. Invariant: a sentence that names another thing is never the subject's alone. Pure.
import { termSet } from '../../text/terms.ts';

export interface Thing {
  readonly name: string;
  /** Others that are set beside it. */
  readonly others: readonly string[];
}

/** `own`: it is about the thing. `beside`: it names the thing and another. `other`: it is about something else. */
export type Standing = 'own' | 'beside' | 'other';
/** Of each sentence of a passage, under the headings over it. */
export type StandingsOf = (sentences: readonly string[], heads: readonly string[]) => readonly Standing[];

/** A title names its thing before the first mark: "Acme Robotics: annual report". */
const nameOfTitle = (title: string): string => (title.split(/[:|–—(]| - |\.\p{L}{2,5}$/u, 1)[0] ?? '').trim();

const spaced = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;

/** Things without a capital in their names, such as a market, are told by all of their words, in any order. */
function createNames(name: string): (text: string) => boolean {
  if (/\p{Lu}|[^\p{Script=Latin}\P{L}]/u.test(name)) return (text) => spaced(text).includes(spaced(name));
  const wanted = termSet(name);
  return (text) => wanted.isSubsetOf(termSet(text));
}

/** `titles`: of all that was found; they tell what other things are called. */
export function createStandings({ name, others }: Thing, titles: readonly string[]): StandingsOf {
  const isNamed = createNames(name);
  const own = spaced(name);
  const apart = [...new Set([...others, ...titles.map(nameOfTitle)].map(spaced))].filter(
    (one) => one.trim() !== '' && (!isNamed(one) || (one.startsWith(own) && one !== own)),
  );
  /** Undefined: it names none of them. */
  const read = (text: string): Standing | undefined => {
    // "Acme Foods" does not name "Acme".
    const rest = apart.reduce((left, one) => left.replaceAll(one, ' | '), spaced(text));
    const hasOther = rest.includes('|');
    if (!isNamed(hasOther ? rest : text)) return hasOther ? 'other' : undefined;
    return hasOther ? 'beside' : 'own';
  };
  return (sentences, heads) => {
    let ground = heads.toReversed().flatMap((head) => read(head) ?? [])[0] ?? 'other';
    return sentences.map((sentence) => {
      const named = read(sentence);
      ground = named ?? (ground === 'beside' ? 'other' : ground);
      return ground;
    });
  };
}
