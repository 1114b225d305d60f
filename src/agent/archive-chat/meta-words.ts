// Words that speak of the archive and not of what is sought in it: "when did I first talk about", "what did we decide". They neither find nor weigh.
import { analyzeText } from '../../text/analyze.ts';

const speaking =
  'talk talked talking speak spoke spoken mention mentioned discuss discussed discussing say said tell told ask asked chat chatted conversation ' +
  'conversations remember recall first last latest earliest time times ever originally recently lately begin began begun start started';
const deciding =
  'decide decided deciding decision decisions choose chose chosen agree agreed conclude concluded conclusion settle settled happen happened ' +
  'finally eventually mind many much often';

const termsOf = (words: string): ReadonlySet<string> => new Set(analyzeText(words, { language: 'en' }));
const silent = termsOf(speaking);
const weightless = silent.union(termsOf(deciding));

/** These are asked of a thing more often than they are said of it: "what was wrong with my knee?". They find, and hardly weigh. */
const light = termsOf(
  'get gets got gotten getting go goes went gone going take takes taking making doing having giving feeling looking finding keeping staying playing putting coming take took taken make made make do did done have had use used want wanted need needed try tried put come came give gave given feel felt ' +
    'look find found keep kept stay stayed play played call called name wrong matter problem issue thing things stuff way kind type sort busy bring brought break broke broken ' +
    'fast quick slow long old big large tall high far heavy loud deep wide late early hurt ache ' +
    'work worked help helped fix fixed solve solved turn turned think thought like liked know knew',
);
export const isLight = (term: string): boolean => light.has(term);

export const isWeightless = (term: string): boolean => weightless.has(term);

const without = (text: string, left: ReadonlySet<string>): string =>
  (text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu) ?? [])
    .filter((word) => {
      const [term] = analyzeText(word, { language: 'en' });
      return term === undefined || !left.has(term);
    })
    .join(' ');

const saysSomething = (text: string): boolean => analyzeText(text, { language: 'en' }).length > 0;

/** The question without words that only speak of speaking, unless nothing else is in it. */
export function withoutSpeaking(question: string): string {
  const rest = without(question, silent);
  return saysSomething(rest) ? rest : question;
}

/** The telling words of a query, as people are shown what is searched for. */
export const shownQuery = (query: string): string => without(query, weightless) || query;
