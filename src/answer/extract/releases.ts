// Which release of a thing a question is about: "When was Pigeonpost 3.0 released?" is not answered by what is said of Pigeonpost 2.4. Pure.

const release =
  /(\p{Lu}[\p{L}\p{N}]{1,40}(?:\.[\p{L}\p{N}]{1,10})?)\s{1,3}(?:version\s{1,3}|v\.?\s?)?(\d{1,4}(?:\.\d{1,5}){1,4})(?![\d%])/giu;
/** "Version 2.1 of Tern". */
const releaseOf =
  /\b(?:version|release)\s{1,3}(\d{1,4}(?:\.\d{1,5}){1,4})\s{1,3}of\s{1,3}(?:the\s{1,3})?(\p{Lu}[\p{L}\p{N}]{1,40})/giu;
/** What is asked of one release may be told of those beside it. */
export const asksBeside =
  /\b(?:since|after|before|from|between|than|compared?|differ\w*|chang\w*|upgrad\w*|previous|next|last|latest|newer|older|earlier|later)\b/iu;
const asksSeveral = /\b(?:or|and|versus|vs)\b/iu;

type Releases = ReadonlyMap<string, readonly string[]>;

function releasesIn(text: string): Releases {
  const found = new Map<string, string[]>();
  const add = (name: string, number: string): void => {
    if (/^\p{Lu}/u.test(name)) found.set(name.toLowerCase(), [...(found.get(name.toLowerCase()) ?? []), number]);
  };
  for (const [, name = '', number = ''] of text.matchAll(release)) add(name, number);
  for (const [, number = '', name = ''] of text.matchAll(releaseOf)) add(name, number);
  return found;
}

const isOf = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);

/** Whether a piece speaks of another release alone than the one that the question names; undefined where it names none. */
export function ofOtherRelease(question: string): ((piece: string) => boolean) | undefined {
  if (asksBeside.test(question) || asksSeveral.test(question)) return undefined;
  const asked = releasesIn(question);
  if (asked.size === 0) return undefined;
  return (piece) => {
    const told = releasesIn(piece);
    return [...asked].some(([name, wanted]) => {
      const numbers = told.get(name) ?? [];
      return numbers.length > 0 && !numbers.some((number) => wanted.some((one) => isOf(one, number)));
    });
  };
}
