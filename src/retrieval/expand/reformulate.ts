// Other ways to put a query, by rules alone: the words that carry it without those that only ask or thank, and its parts where it
// joins several questions. Invariant: no word stands in a reformulation that does not stand in the query.
import { analyzeText } from '../../text/analyze.ts';
import { guessLanguage } from '../../text/language/language.ts';
import { stopWords } from '../../text/language/stop-words.ts';

export interface Reformulation {
  readonly text: string;
  /** Of a word; the parts of a query weigh the same together, however long each is. */
  readonly weight: number;
}

/** Openings and courtesies that are no stop words; what they ask for follows them. */
const asking: Readonly<Record<string, string>> = {
  en: `please kindly thanks thank hello hi tell show explain describe give find list name know want like need help wonder
wondering ask asking question information info detail details article articles paper papers deal deals dealing discuss
discusses concern concerned concerning regarding interested example examples`,
  de: `bitte danke hallo sag sage sagen zeig zeige zeigen erkläre erklären beschreibe beschreiben nenne nennen gib geben
finde finden weiß wissen möchte brauche frage fragen information informationen bezüglich beispiel beispiele`,
  fr: `merci bonjour dis dites montre montrez explique expliquez décris décrivez donne donnez trouve trouvez cherche veux
voudrais question information informations concernant exemple exemples`,
  es: `gracias hola favor di dime muestra explica explique describe da dame busca encuentra quiero quisiera necesito
pregunta información informaciones ejemplo ejemplos`,
};
const askingWords = new Map(
  Object.entries(asking).map(([language, words]) => [language, new Set(words.split(/\s+/u))]),
);

/** Where a query turns to its next question. */
const joints: Readonly<Record<string, RegExp>> = {
  en: /[;?？；\n]+|,?(?<!\s)\s+(?:and|as well as)\s+/iu,
  de: /[;?？；\n]+|,?(?<!\s)\s+(?:und|sowie)\s+/iu,
  fr: /[;?？；\n]+|,?(?<!\s)\s+(?:et|ainsi que)\s+/iu,
  es: /[;?？；\n]+|,?(?<!\s)\s+(?:y|así como)\s+/iu,
};

const most = 4;

/**
 * At most one variant of key words and four parts, without those that say what the query says. `weight`: of each word of the
 * variant, and of the mean word of the parts.
 */
export function reformulate(query: string, weight: number, given?: string): readonly Reformulation[] {
  const language = given ?? guessLanguage(query);
  const stops = stopWords(language);
  const drop = askingWords.get(language) ?? new Set<string>();
  const keywords = (text: string): string =>
    text
      .split(/\s+/u)
      .filter((word) => {
        const plain = word.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '').toLowerCase();
        return plain !== '' && !stops.has(plain) && !drop.has(plain);
      })
      .join(' ');
  const sizeOf = (text: string): number => analyzeText(text, { language }).length;
  const whole = sizeOf(query);
  const variant = keywords(query);
  const found: Reformulation[] = [];
  if (sizeOf(variant) > 0 && sizeOf(variant) < whole) found.push({ text: variant, weight });
  const parts = query
    .split(joints[language] ?? /[;?？；\n]+/u)
    .map(keywords)
    .filter((part) => sizeOf(part) > 0);
  if (parts.length < 2 || parts.length > most) return found;
  const mean = parts.reduce((sum, part) => sum + sizeOf(part), 0) / parts.length;
  return [...found, ...parts.map((part) => ({ text: part, weight: (weight * mean) / sizeOf(part) }))];
}
