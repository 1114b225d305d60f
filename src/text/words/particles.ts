// Small words that are written in one with the word behind them: and, the, in, as, to, from, that in Hebrew, and some of them in Arabic. A word
// with its particles is a term as a whole, and what is left without them is one, too, so that each finds the other. Which letters are a
// particle nobody can tell by the form: too many rests are given rather than one too few. Pure.

const hebrew = /^[\u05d0-\u05ea]{4,40}$/u;
const hebrewParticles = 'והבכלמש';
/** At most three stand before a word of at least so many letters. */
const [mostParticles, shortestRest] = [3, 3];

/** Those that the stemmer of Arabic leaves: and or so before the article, and to before a word. */
const arabic = /^(?:[\u0648\u0641](?=\u0627\u0644)|\u0644(?!\u0644))(\p{Script=Arabic}{3,40})$/u;

/** What is left of a normalised word without what may be a particle before it, longest first. */
export function withoutParticles(word: string): readonly string[] {
  const code = word.charCodeAt(0);
  if (code < 0x590 || code > 0x6ff) return [];
  const rest = arabic.exec(word)?.[1];
  if (rest !== undefined) return [rest];
  if (!hebrew.test(word)) return [];
  const rests: string[] = [];
  for (let at = 1; at <= mostParticles && word.length - at >= shortestRest; at++) {
    if (!hebrewParticles.includes(word.charAt(at - 1))) break;
    rests.push(word.slice(at));
  }
  return rests;
}
