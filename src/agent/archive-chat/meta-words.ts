// Words that speak of the archive and not of what is sought in it: "when did I first talk about", "what did we decide in the end". They neither find
// nor weigh.
import { analyzeText } from '../../text/analyze.ts';

const speaking =
  'talk talked talking speak spoke spoken mention mentioned discuss discussed discussing say said tell told ask asked chat chatted conversation ' +
  'conversations remember recall first last latest earliest time times ever originally recently lately begin began begun start started';
const deciding =
  'decide decided deciding decision decisions choose chose chosen agree agreed conclude concluded conclusion settle settled happen happened';

/** "How many" asks for a number; whoever tells it does not say "many". */
const asking = 'many much often';

/** What is asked of the topic, in several words. */
const phrases =
  /\bin the end\b|\bafter all\b|\b(?:finally|eventually|ultimately|at last|am ende|schließlich)\b|\bchang(?:e|ed|ing) (?:my|our|his|her|their) minds?\b|\b(?:how|wie) (?:often|frequently|oft|häufig)\b|\b(?:come|came|bring|brought) up\b|\bend(?:ed)? up\b|(?<=\b(?:i|we) )still\b|\bany ?more\b|\bhow (?:do|did) (?:i|we) feel\b|\b(?:do|did) (?:i|we) think\b|\b(?:stay|stick|stuck) with\b|(?<=\b(?:i|we) )(?:keep|kept)\b|\b(?:my|our) (?:opinion|view|stance)\b/giu;

const termsOf = (words: string): ReadonlySet<string> => new Set(analyzeText(words, { language: 'en' }));
const silent = termsOf(speaking);
const weightless = new Set([...silent, ...termsOf(deciding), ...termsOf(asking)]);

export const isWeightless = (term: string): boolean => weightless.has(term);

const saysSomething = (text: string): boolean => analyzeText(text, { language: 'en' }).length > 0;

/** The question without words that only speak of speaking (`deciding`: and of deciding), unless nothing else is in it. */
export function withoutSpeaking(question: string, { deciding: isDeciding = false } = {}): string {
  const left = isDeciding ? weightless : silent;
  const bare = question.replace(phrases, ' ');
  const rest = (saysSomething(bare) ? bare : question)
    .replace(/[\p{L}\p{N}'’-]+/gu, (word) => {
      const [term] = analyzeText(word, { language: 'en' });
      return term !== undefined && left.has(term) ? '' : word;
    })
    .replace(/\s+/gu, ' ')
    .trim();
  return saysSomething(rest) ? rest : question;
}

/** The telling words of a query, as people are shown what is searched for. */
export function shownQuery(query: string): string {
  const words = query.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu) ?? [];
  const telling = words.filter((word) => {
    const [term] = analyzeText(word, { language: 'en' });
    return term !== undefined && !weightless.has(term);
  });
  return telling.length > 0 ? telling.join(' ') : query;
}
