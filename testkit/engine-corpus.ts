// A synthetic corpus for speed: words by a Zipf-Mandelbrot curve over a large vocabulary, each chunk about one of many topics,
// function words in between. Deterministic: chunk `i` of a seed is always the same text, so nothing has to be kept on disk.

export interface SpeedCorpus {
  chunk(index: number): string;
  /** Queries of 5 to 10 content words of one chunk each; natural ones have 3 to 5 function words more. */
  query(index: number, kind: 'content' | 'natural'): string;
}

const vocabularySize = 200_000;
const topicCount = 2000;
const topicWords = 60;
/** Commoner words say little and are not asked for: with them a query would match every chunk. */
const commonRanks = 45;
const functionWords =
  'the of and to in is that it was for on are as with his they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know'.split(
    ' ',
  );

function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const onsets =
  'b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sc sh sl sp st str t th tr v w z'.split(' ');
const vowels = 'a e i o u ai ea ee ie oa oo ou'.split(' ');
const codas = ['', '', 'b', 'ck', 'd', 'g', 'l', 'm', 'n', 'nd', 'p', 'r', 'rk', 'rt', 'st', 't', 'x'];

function makeWord(random: () => number): string {
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const syllables = 2 + Math.floor(random() * 2);
  return Array.from({ length: syllables }, () => pick(onsets) + pick(vowels) + pick(codas)).join('');
}

export function createSpeedCorpus(seed: number, chunks: number): SpeedCorpus {
  const random = createRandom(seed);
  const words = new Set<string>();
  while (words.size < vocabularySize) words.add(makeWord(random));
  const vocabulary = [...words];
  // Zipf-Mandelbrot: frequency ~ 1 / (rank + 2.7).
  const cumulative = new Float64Array(vocabularySize);
  let total = 0;
  for (let rank = 0; rank < vocabularySize; rank++) {
    total += 1 / (rank + 2.7);
    cumulative[rank] = total;
  }
  const draw = (next: () => number): number => {
    const wanted = next() * total;
    let low = 0;
    let high = vocabularySize - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cumulative[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const topics = Array.from({ length: topicCount }, () => Array.from({ length: topicWords }, () => draw(random)));

  /** Ranks of the content words of a chunk, and its text. */
  function make(index: number): { ranks: number[]; text: string } {
    const next = createRandom(seed * 7919 + index * 104_729 + 1);
    const topic = topics[Math.floor(next() * topicCount)] ?? [];
    const length = 80 + Math.floor(next() * 81);
    const ranks: number[] = [];
    const text: string[] = [];
    for (let at = 0; at < length; at++) {
      const kind = next();
      if (kind < 0.35) text.push(functionWords[Math.floor(next() ** 2 * functionWords.length)] ?? 'the');
      else {
        const rank = kind < 0.6 ? (topic[Math.floor(next() * topicWords)] ?? 0) : draw(next);
        ranks.push(rank);
        text.push(vocabulary[rank] ?? '');
      }
    }
    return { ranks, text: text.join(' ') };
  }

  return {
    chunk: (index) => make(index).text,
    query(index, kind) {
      const next = createRandom(seed * 15_485_863 + index);
      const ranks = make(Math.floor(next() * chunks)).ranks.filter((rank) => rank >= commonRanks);
      const wanted = 5 + Math.floor(next() * 6);
      const chosen = Array.from(
        { length: wanted },
        () => vocabulary[ranks[Math.floor(next() * ranks.length)] ?? 0] ?? '',
      );
      if (kind === 'content') return chosen.join(' ');
      const extra = 3 + Math.floor(next() * 3);
      for (let at = 0; at < extra; at++)
        chosen.splice(Math.floor(next() * chosen.length), 0, functionWords[Math.floor(next() ** 2 * 40)] ?? 'the');
      return chosen.join(' ');
    },
  };
}
