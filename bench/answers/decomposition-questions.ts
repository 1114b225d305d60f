// Questions that ask several things, made of real documents by forms of our own: two questions of XQuAD in one breath, comparisons and lists over
// the articles of HotpotQA, and questions of which one half is about nothing that exists. Nothing is drawn from outside a seed.
import type { EvaluatedDocument } from '../../src/evals/system.ts';
import { seededRandom } from '../../testkit/models/hostile-gallery.ts';

/** One part: any of `answers` in the text answers it; none: it has to be named as missing. */
export interface ExpectedPart {
  readonly asks: string;
  readonly answers: readonly string[];
}

export interface DividedCase {
  readonly id: string;
  readonly group: string;
  readonly question: string;
  readonly parts: readonly ExpectedPart[];
  /** Looked at while the rules were written; the other half was not. */
  readonly isSeen: boolean;
}

export interface SingleQuestion {
  readonly text: string;
  readonly answers: readonly string[];
  readonly document: string;
}

const bare = (text: string): string => text.trim().replace(/[\s?.]+$/u, '');
const small = (text: string): string =>
  /^(?:[A-Z][a-z]*\s+[a-z]|W[Hh]|How|In|On|At)/u.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;

const joins: readonly ((a: string, b: string) => string)[] = [
  (a, b) => `${bare(a)}, and ${small(bare(b))}?`,
  (a, b) => `${bare(a)} and ${small(bare(b))}?`,
  (a, b) => `${bare(a)}? ${bare(b)}?`,
  (a, b) => `${bare(a)}? And ${small(bare(b))}?`,
  (a, b) => `${bare(a)}, and also ${small(bare(b))}?`,
  (a, b) => `Please tell me: ${small(bare(a))}; ${small(bare(b))}?`,
  (a, b) => `I have two questions. ${bare(a)}? ${bare(b)}?`,
  (a, b) => `${bare(a)}; and ${small(bare(b))}?`,
];

const begins = /^(?:what|which|who|whom|whose|when|where|why|how|in what|in which|on what)\b/iu;

/** Two questions about different paragraphs in one. */
export function pairedCases(questions: readonly SingleQuestion[], count: number): DividedCase[] {
  const random = seededRandom(20);
  const usable = questions.filter(({ text }) => begins.test(text) && text.length < 140);
  const draw = (): SingleQuestion => usable[Math.floor(random() * usable.length)] as SingleQuestion;
  return Array.from({ length: count }, (_, at) => {
    const first = draw();
    let second = draw();
    while (second.document === first.document) second = draw();
    const join = joins[at % joins.length] as (typeof joins)[number];
    return {
      id: `pair-${at + 1}`,
      group: 'two questions in one',
      question: join(first.text, second.text),
      parts: [first, second].map(({ text, answers }) => ({ asks: text, answers })),
      isSeen: Math.floor(at / 8) % 2 === 0,
    };
  });
}

const nowhere: readonly string[] = [
  'who founded the Zorblatt Institute of Quenby',
  'when was the Harnwick-Oddleby viaduct opened',
  'how many members does the Plimsworth Kestrel Society have',
  'what is the capital of the republic of Tarvenia',
  'which prize did Ludovica Brenthaven win',
];

/** One question that the documents answer, and one about what nobody wrote of. */
export function halfCases(questions: readonly SingleQuestion[], count: number): DividedCase[] {
  const random = seededRandom(21);
  const usable = questions.filter(({ text }) => begins.test(text) && text.length < 140);
  return Array.from({ length: count }, (_, at) => {
    const known = usable[Math.floor(random() * usable.length)] as SingleQuestion;
    const asks = nowhere[at % nowhere.length] as string;
    const isFirst = at % 4 === 3;
    const question = isFirst
      ? `${asks.charAt(0).toUpperCase()}${asks.slice(1)}, and ${small(bare(known.text))}?`
      : `${bare(known.text)}, and ${asks}?`;
    const real = { asks: known.text, answers: known.answers };
    const missing = { asks, answers: [] };
    return {
      id: `half-${at + 1}`,
      group: 'one half nowhere',
      question,
      parts: isFirst ? [missing, real] : [real, missing],
      isSeen: Math.floor(at / 8) % 2 === 0,
    };
  });
}

interface Article {
  readonly title: string;
  readonly value: string;
}

const cleanTitle = (title: string): string => title.replace(/\s*\([^)]*\)$/u, '');

/** What the first sentence of an article says of its subject. */
function articles(documents: readonly EvaluatedDocument[], pattern: RegExp): Article[] {
  const found: Article[] = [];
  for (const { title, text } of documents) {
    const first = text.slice(0, 400);
    const value = pattern.exec(first)?.groups?.['value'];
    const name = cleanTitle(title);
    if (value !== undefined && first.startsWith(name) && name.length > 3 && !/[,:]|\band\b|\bor\b/u.test(name))
      found.push({ title: name, value });
  }
  return found;
}

type Form = readonly [group: string, pattern: RegExp, ask: (a: string, b: string) => string];

const born = /\(born (?:[^)]*?, )?(?:[A-Z][a-z]+ )?\d{0,2},? ?(?:[A-Z][a-z]+ )?(?<value>\d{4})\b/u;
const director =
  /film[^.]*? directed by (?:American |British |Indian )?(?<value>\p{Lu}[\p{L}'-]+(?: \p{Lu}\.)?(?: \p{Lu}[\p{L}'-]+)+)/u;
const year = /is an? (?<value>\d{4}) [^.]*?film/u;
const forms: readonly Form[] = [
  ['comparison', born, (a, b) => `Who is older, ${a} or ${b}?`],
  ['list', born, (a, b) => `When were ${a} and ${b} born?`],
  ['comparison', born, (a, b) => `Which of them was born first, ${a} or ${b}?`],
  ['list', director, (a, b) => `Who directed ${a} and ${b}?`],
  ['comparison', year, (a, b) => `Which film came first, ${a} or ${b}?`],
  ['list', director, (a, b) => `Who directed ${a}, and who directed ${b}?`],
  ['comparison', year, (a, b) => `Compare the year of ${a} and ${b}.`],
  ['comparison', born, (a, b) => `Is ${a} younger than ${b}?`],
];

/** Two articles of one kind side by side. */
export function comparedCases(documents: readonly EvaluatedDocument[], count: number): DividedCase[] {
  const random = seededRandom(22);
  return Array.from({ length: count }, (_, at) => {
    const [group, pattern, ask] = forms[at % forms.length] as Form;
    const found = articles(documents, pattern);
    const draw = (): Article => found[Math.floor(random() * found.length)] as Article;
    const first = draw();
    let second = draw();
    while (second.title === first.title) second = draw();
    return {
      id: `compared-${at + 1}`,
      group,
      question: ask(first.title, second.title),
      parts: [first, second].map(({ title, value }) => ({ asks: title, answers: [value] })),
      isSeen: Math.floor(at / 8) % 2 === 0,
    };
  });
}
