// Models that read the prompt as it was sent and write by a script: one copies what a good reader would, others lie, give up or wander.
// Deterministic: the same prompt gives the same answer.
import { foldWithOffsets } from '../../src/answer/write/fold.ts';
import { containsAnswer } from '../../src/evals/judges/matching.ts';
import { segmentPieces } from '../../src/text/sentences.ts';
import type { ModelCase } from './answers-by-model-sets.ts';

/** What a script proposes. */
export interface Proposal {
  readonly text: string;
  readonly quotes: readonly { readonly id: number; readonly quote: string }[];
}

/** Claims in order; none: it says that the passages are insufficient. */
export type Script = (passages: readonly Sentence[], one: ModelCase) => readonly Proposal[];

export interface Sentence {
  readonly id: number;
  readonly text: string;
}

export const insufficient = '{"claims": [], "insufficient": true}';

/** Sentences of the passages in a prompt, in order, without bars. */
export function sentencesIn(prompt: string): Sentence[] {
  return [...prompt.matchAll(/<passage id="(\d+)"[^\n]*\n([\s\S]*?)\n<\/passage>/gu)].flatMap(([, id, body = '']) => {
    const text = body.replace(/^\| /gmu, '');
    return segmentPieces(text, { maxWords: 400 }).map(({ start, end }) => ({
      id: Number(id),
      text: text.slice(start, end),
    }));
  });
}

/** The first question in a prompt, folded as questions are looked up. */
export const questionKey = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
export const questionIn = (prompt: string): string =>
  questionKey((/<question>\n([\s\S]*?)\n<\/question>/u.exec(prompt)?.[1] ?? '').replace(/^\| /gmu, ''));

const folded = (text: string): string => foldWithOffsets(text).lower.trim();
const quoting = (text: string, ...sentences: readonly Sentence[]): Proposal => ({
  text,
  quotes: sentences.map(({ id, text: quote }) => ({ id, quote })),
});

/** The sentences that a good reader would quote of those shown: the set's own, else the first that holds the answer, best in the right text. */
export function goldSentences(shown: readonly Sentence[], one: ModelCase): Sentence[] {
  const wanted = one.supportingTexts.map(folded);
  const supporting = shown.filter(({ text }) => {
    const mine = folded(text);
    return wanted.some((other) => other.includes(mine) || mine.includes(other)) && mine.length > 20;
  });
  const right = one.rightTexts.map(folded);
  const isRight = ({ text }: Sentence): boolean =>
    right.length === 0 || right.some((text_) => text_.includes(folded(text)));
  const holding = shown.filter(({ text }) => one.gold.some((gold) => containsAnswer(text, gold)));
  const holder = holding.find(isRight) ?? holding[0];
  const chosen = new Map<string, Sentence>();
  for (const sentence of [...(holder && (supporting.length === 0 || isRight(holder)) ? [holder] : []), ...supporting])
    chosen.set(folded(sentence.text), sentence);
  return [...chosen.values()];
}

const names = ['Ottokar Brandis', 'Lake Mirrow', 'the Pellworth Company', 'Ysolde Farrant'];

/** Another number, another name or a "not": what is said is not what stands there. */
export function falsify(sentence: string, seed: number): string {
  const numbers = sentence.replace(/\d/gu, (digit) => String((Number(digit) + 3) % 10));
  if (numbers !== sentence && seed % 3 !== 2) return numbers;
  const name = names[seed % names.length] as string;
  const renamed = sentence.replace(/(?<=[\p{Ll},] )\p{Lu}\p{L}{3,}(?: \p{Lu}\p{L}+)*/u, name);
  if (renamed !== sentence && seed % 3 !== 1) return renamed;
  const denied = sentence.replace(/\b(is|are|was|were|had|has)\b/u, '$1 not');
  return denied !== sentence ? denied : `${sentence.replace(/[.\s]+$/u, '')} in 1789, as ${name} says.`;
}

const seedOf = (text: string): number => [...text].reduce((sum, character) => sum + character.charCodeAt(0), 0);

/** Three claims that nothing carries: a changed sentence with its true quote, one that quotes itself, one with another passage's sentence. */
const lies: Script = (shown, one) => {
  const aim = goldSentences(shown, one)[0] ?? shown[0];
  if (!aim) return [];
  const seed = seedOf(one.id);
  const other = shown.find(({ id }) => id !== aim.id) ?? aim;
  const last = Math.max(...shown.map(({ id }) => id));
  const forged = falsify(aim.text, seed + 1);
  return [
    quoting(falsify(aim.text, seed), aim),
    quoting(forged, { id: aim.id, text: forged }),
    quoting(falsify(aim.text, seed + 2), { id: last + 7, text: other.text }),
  ];
};

const copies: Script = (shown, one) => goldSentences(shown, one).map((sentence) => quoting(sentence.text, sentence));

/** True sentences of the passages that do not hold the answer. */
const wanders: Script = (shown, one) =>
  shown
    .filter(({ text }) => text.length > 40 && !one.gold.some((gold) => containsAnswer(text, gold)))
    .slice(0, 2)
    .map((sentence) => quoting(sentence.text, sentence));

export const scripts: Readonly<Record<string, Script>> = {
  'copies well': copies,
  'copies, with wrong ids': (shown, one) =>
    goldSentences(shown, one).map((sentence) => quoting(sentence.text, { id: sentence.id + 1, text: sentence.text })),
  lies,
  'lies and copies': (shown, one) => {
    const [first, second] = lies(shown, one);
    const [true1, ...rest] = copies(shown, one);
    return [first, true1, second, ...rest].flatMap((claim) => claim ?? []);
  },
  'gives up': () => [],
  wanders,
};

/** Asked to judge: a claim is carried where its words stand in one of its quotes, as a careful reader of copies would say. */
export function judge(prompt: string): string {
  const verdicts = [...prompt.matchAll(/<claim id="(\d+)">\n([\s\S]*?)\n<\/claim>/gu)].map(
    ([, id = '', claim = '']) => {
      const parts = [...prompt.matchAll(/<passage claim="(\d+)" part="quote">\n([\s\S]*?)\n<\/passage>/gu)];
      const quotes = parts.flatMap(([, of, quote = '']) => (of === id ? [folded(quote.replace(/^\| /gmu, ''))] : []));
      const said = folded(claim.replace(/^\| /gmu, ''));
      const verdict = quotes.some((quote) => quote.includes(said)) ? 'supported' : 'unsupported';
      return { id: Number(id), verdict, reason: 'read word by word' };
    },
  );
  return JSON.stringify({ verdicts });
}

/** Judging shows claims by number; mending shows one without. */
export const isJudging = (prompt: string): boolean => prompt.includes('<claim id="');

/** The answer as a model writes it. */
export function write(script: Script, prompt: string, one: ModelCase | undefined): string {
  if (!one) return insufficient;
  // Asked to mend a claim, the honest have nothing to add and the liars lie again.
  const claims = script(sentencesIn(prompt), one);
  const proposed = prompt.includes('<claim>') ? claims.slice(0, script === copies ? 0 : 1) : claims;
  return proposed.length === 0 ? insufficient : JSON.stringify({ claims: proposed, insufficient: false });
}
