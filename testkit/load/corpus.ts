// What bench/load/load.ts asks and about what: one document of one chunk for each lighthouse, its facts in sentences of their own, so that
// a model that copies has three claims for each question. Deterministic: document `i` of a seed is always the same.
import { createSpeedCorpus } from '../engine-corpus.ts';

export interface LoadCorpus {
  /** A line of the JSONL file that is ingested. */
  record(index: number): { readonly id: string; readonly title: string; readonly text: string };
  /** Answered by three sentences of document `index`. */
  question(index: number): string;
  /** The document that a question is about; undefined for any other text. */
  indexOf(question: string): number | undefined;
}

/** Words of the prose around the facts. */
const filler = { sentences: 8, words: 11 };

export function createLoadCorpus(seed: number, documents: number): LoadCorpus {
  const prose = createSpeedCorpus(seed, documents);
  const nameOf = (index: number): string => {
    const letters = 'bdfgklmnprstvz';
    const vowels = 'aeiou';
    let rest = (index + 1) * 7919;
    let name = '';
    for (let syllable = 0; syllable < 4; syllable++) {
      name +=
        (letters[rest % letters.length] ?? 'b') + (vowels[Math.floor(rest / letters.length) % vowels.length] ?? 'a');
      rest = Math.floor(rest / 3) + 31 * index;
    }
    return `${name.charAt(0).toUpperCase()}${name.slice(1)}${index}`;
  };
  return {
    record(index) {
      const name = nameOf(index);
      const words = prose.chunk(index).split(' ');
      const sentences = Array.from({ length: filler.sentences }, (_, at) => {
        const some = words.slice(at * filler.words, (at + 1) * filler.words).join(' ');
        return some === '' ? '' : `${some.charAt(0).toUpperCase()}${some.slice(1)}.`;
      }).filter((sentence) => sentence !== '');
      const facts = [
        `The lighthouse of ${name} is ${20 + (index % 60)} metres tall.`,
        `The lighthouse of ${name} was built in ${1700 + (index % 300)}.`,
        `The lamp of the lighthouse of ${name} is seen from ${5 + (index % 25)} kilometres.`,
      ];
      const half = Math.floor(sentences.length / 2);
      return {
        id: `light-${index}`,
        title: `The lighthouse of ${name}`,
        text: [...sentences.slice(0, half), ...facts, ...sentences.slice(half)].join(' '),
      };
    },
    question: (index) =>
      `How tall is the lighthouse of ${nameOf(index)}, when was it built and from how far is its lamp seen?`,
    indexOf(question) {
      const found = /lighthouse of [A-Z][a-z]*?(\d+),/u.exec(question)?.[1];
      return found === undefined ? undefined : Number(found);
    },
  };
}
