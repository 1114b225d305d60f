// Words that speak of the archive and not of what is sought in it: "when did I first talk about", "what did we decide". They neither find nor weigh.
import { analyzeText } from '../../text/analyze.ts';

const speaking =
  'talk talked talking speak spoke spoken mention mentioned discuss discussed discussing say said tell told ask asked chat chatted conversation ' +
  'conversations remember recall first last latest earliest time times ever originally recently lately begin began start started';
const deciding =
  'decide decided deciding decision decisions choose chose chosen agree agreed conclude concluded conclusion settle settled happen happened';

/** "How many" asks for a number; whoever tells it does not say "many". */
const asking = 'many much often';

const termsOf = (words: string): ReadonlySet<string> => new Set(analyzeText(words, { language: 'en' }));
const silent = termsOf(speaking);
const weightless = new Set([...silent, ...termsOf(deciding), ...termsOf(asking)]);

export const isWeightless = (term: string): boolean => weightless.has(term);

/** The question without words that only speak of speaking, unless nothing else is in it. */
export function withoutSpeaking(question: string): string {
  const rest = question
    .replace(/[\p{L}\p{N}'’-]+/gu, (word) => {
      const [term] = analyzeText(word, { language: 'en' });
      return term !== undefined && silent.has(term) ? '' : word;
    })
    .replace(/\s+/gu, ' ')
    .trim();
  return analyzeText(rest, { language: 'en' }).length > 0 ? rest : question;
}
