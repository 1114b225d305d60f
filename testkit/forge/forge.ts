// Makes forged and faithful pairs of claim and quote from sentences, from a seed. A forgery really changes what is said
// (guards leave out swaps that mean the same); a faithful rewrite says the same in other words. The generator shares no
// code with the verifier, so that a mistake there does not hide itself here.
import { type ForgeSentence, type Mutation, randomFrom } from './forge-words.ts';
import { forgeries } from './forgeries.ts';
import { rewrites } from './rewrites.ts';

export { type ForgeSentence, forgeries, randomFrom, rewrites };

export interface ForgedPair {
  readonly kind: string;
  readonly claim: string;
  readonly quote: string;
}

export interface ForgeOptions {
  readonly count: number;
  readonly seed: number;
  readonly kinds: Readonly<Record<string, Mutation>>;
}

/**
 * `count` pairs, as many of each kind as the sentences allow; the quote is the untouched sentence, in a quarter of the
 * cases with its neighbours around it.
 */
export function forgePairs(sentences: readonly ForgeSentence[], options: ForgeOptions): ForgedPair[] {
  const random = randomFrom(options.seed);
  const pairs: ForgedPair[] = [];
  const kinds = Object.entries(options.kinds);
  const barren = new Set<string>();
  for (let turn = 0; pairs.length < options.count && barren.size < kinds.length; turn += 1) {
    const [kind, mutate] = kinds[turn % kinds.length] as [string, Mutation];
    if (barren.has(kind)) continue;
    let made: ForgedPair | undefined;
    for (let tries = 0; tries < 2_000 && !made; tries += 1) {
      const at = Math.floor(random() * sentences.length);
      const sentence = sentences[at] as ForgeSentence;
      const claim = mutate(sentence, random, sentences);
      if (claim === undefined || claim.trim() === sentence.text) continue;
      const around = random() < 0.25 ? [sentences[at - 1], sentences[at + 1]] : [];
      const quote = [around[0], sentence, around[1]]
        .flatMap((item) => (item && item.language === sentence.language ? [item.text] : []))
        .join(' ');
      // A forgery that a neighbour happens to say is none.
      if (options.kinds === forgeries && folded(quote).includes(folded(claim))) continue;
      made = { kind, claim, quote };
    }
    if (made) pairs.push(made);
    else barren.add(kind);
  }
  return pairs;
}

const folded = (text: string): string => text.replace(/\s+/gu, ' ').trim();
