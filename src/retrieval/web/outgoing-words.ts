// Which words of a query may leave for a search of the web. Queries are written by people, and by models and steps that have read documents
// meanwhile. Invariant: a word that stands in a passage that was found for the request, and that its person did not write, never leaves.

export interface OutgoingWords {
  /** What was found is known from now on. */
  read(texts: readonly string[]): void;
  /** The query as it may leave: as it is where it holds no such word, and the question itself where nothing else would be left. */
  of(query: string): string;
}

const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Written without spaces: what is a word there is told by pairs of characters. */
const spaceless = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

function* partsOf(word: string): Generator<string> {
  const lower = word.toLowerCase();
  if (!spaceless.test(lower) || lower.length < 2) yield lower;
  else for (let at = 0; at + 1 < lower.length; at += 1) yield lower.slice(at, at + 2);
}

const addTo = (parts: Set<string>, text: string): void => {
  for (const word of wordsIn(text)) for (const part of partsOf(word)) parts.add(part);
};

export function createOutgoingWords(question: string): OutgoingWords {
  const said = new Set<string>();
  addTo(said, question);
  const unread: string[] = [];
  const inDocuments = new Set<string>();
  const isSaid = (word: string): boolean => [...partsOf(word)].every((part) => said.has(part));
  const isOpen = (word: string): boolean =>
    [...partsOf(word)].every((part) => said.has(part) || !inDocuments.has(part));
  return {
    read: (texts) => void unread.push(...texts),
    of(query) {
      const words = wordsIn(query);
      if (words.every(isSaid)) return query;
      // Passages are taken apart only where somebody else than the person wrote the query.
      for (const text of unread.splice(0)) addTo(inDocuments, text);
      if (words.every(isOpen)) return query;
      const left = words.filter(isOpen);
      return left.length === 0 ? question : left.join(' ');
    },
  };
}
