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
  /\bin the end\b|\bafter all\b|\b(?:finally|eventually|ultimately|at last|am ende|schließlich)\b|\bchang(?:e|ed|ing) (?:my|our|his|her|their) minds?\b|\b(?:how|wie) (?:often|frequently|oft|häufig)\b|\b(?:did|have|had) (?:i|we|you) (?:ever |first |last )?(?:write|written|complain(?:ed)?|grumbled?|joked?)\b(?= (?:about|of|to)\b)|\b(?:come|came|bring|brought) up\b|\bend(?:ed)? up\b|(?<=\b(?:i|we) )still\b|\bany ?more\b|\bhow (?:do|did) (?:i|we) feel\b|\b(?:do|did) (?:i|we) think\b|\b(?:stay|stick|stuck) with\b|(?<=\b(?:i|we) )(?:keep|kept)\b|\b(?:my|our) (?:opinion|view|stance)\b/giu;

const termsOf = (words: string): ReadonlySet<string> => new Set(analyzeText(words, { language: 'en' }));
const silent = termsOf(speaking);
const weightless = new Set([...silent, ...termsOf(deciding), ...termsOf(asking)]);

/** What is asked of a thing more often than it is said of it: "what was wrong with my knee?". They find, and hardly weigh. */
const light = termsOf(
  'get gets got gotten getting go goes went gone going take takes taking making doing having giving feeling looking finding keeping staying playing putting coming take took taken make made do did done have had use used want wanted need needed try tried put come came give gave given feel felt ' +
    'look find found keep kept stay stayed play played call called name wrong matter problem issue thing things stuff way kind type sort busy bring brought break broke broken ' +
    'fast quick slow long old big large tall high far heavy loud deep wide late early hurt ache ' +
    'work worked help helped fix fixed solve solved turn turned think thought like liked know knew',
);
export const isLight = (term: string): boolean => light.has(term);

export const isWeightless = (term: string): boolean => weightless.has(term);

/** What is a word for speaking behind a person is a thing behind an article. */
const isOfThings = /^(?:talks?|speech|chat|mention|start|beginning|agreement|settlement)$/iu;

const articles = 'an?|the|my|our|your|his|her|their|this|that';
const behindArticle = new RegExp(String.raw`\b(?:${articles})\s$`, 'iu');
const wordWithArticle = new RegExp(String.raw`(?:\b(?:${articles})\s)?[\p{L}\p{N}'’-]+`, 'giu');

/** "My talk" is a thing, "did I talk" is not. */
export const isThing = (word: string, before: string): boolean =>
  isOfThings.test(word) && behindArticle.test(before.slice(-8));

const saysSomething = (text: string): boolean => analyzeText(text, { language: 'en' }).length > 0;

/** The question without words that only speak of speaking (`deciding`: and of deciding), unless nothing else is in it. */
export function withoutSpeaking(question: string, { deciding: isDeciding = false } = {}): string {
  const left = isDeciding ? weightless : silent;
  const bare = question.replace(phrases, ' ');
  const rest = (saysSomething(bare) ? bare : question)
    .replace(wordWithArticle, (found) => {
      const word = found.replace(/^\S+\s/u, '');
      if (isThing(word, found.slice(0, -word.length))) return found;
      const [term] = analyzeText(word, { language: 'en' });
      return term !== undefined && left.has(term) ? '' : found;
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
