// Which words may leave for a search of the web. Queries are written by people, and by models and steps that have read documents, memories and
// past conversations meanwhile. Invariant: what leaves is a message of the person, or words of their messages in this session, each as they
// wrote it, in their order and once: neither other words nor spelling, signs, order or number carry anything out.
import { stopWords } from '../../text/language/stop-words.ts';
import { inflectionKeys } from '../../text/words/inflect.ts';

export interface Outgoing {
  readonly query: string;
  /** Words of the query that stay here. */
  readonly withheld: number;
}

export type OutgoingWords = (query: string) => Outgoing;

/** With what stands inside them: "C++", "XR-2040", "2.5". */
const tokensIn = (text: string): readonly string[] =>
  text.match(/[\p{L}\p{M}\p{N}]+(?:[^\s\p{L}\p{M}\p{N}]+[\p{L}\p{M}\p{N}]+)*(?:\+\+|#)?/gu) ?? [];
const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
const onOneLine = (text: string): string => text.trim().split(/\s+/u).join(' ');
/** Written without spaces: what is a word there is a piece of what was said. */
const spaceless = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** `said`: the messages of the person, the one that is asked now first. */
export function createOutgoingWords(said: readonly string[]): OutgoingWords {
  const [question = ''] = said;
  const messages = new Set(said.map(onOneLine));
  const own = new Map<string, string>();
  const inflected = new Map<string, string>();
  for (const message of said) {
    for (const word of [...tokensIn(message), ...wordsIn(message)])
      if (!own.has(word.toLowerCase())) own.set(word.toLowerCase(), word);
    for (const word of wordsIn(message))
      for (const key of inflectionKeys(word.toLowerCase())) if (!inflected.has(key)) inflected.set(key, word);
  }
  const places = new Map([...own.values()].map((word, place) => [word, place]));
  const placeOf = (word: string): number => places.get(word) ?? places.size;
  const isPiece = (word: string): boolean => spaceless.test(word) && said.some((message) => message.includes(word));
  /** As the person wrote it; undefined for what they did not. */
  const ownFormOf = (word: string): string | undefined => {
    const lower = word.toLowerCase();
    const keys = word.length > 3 ? inflectionKeys(lower) : [];
    return own.get(lower) ?? keys.map((key) => inflected.get(key)).find(Boolean) ?? (isPiece(word) ? word : undefined);
  };

  return (query) => {
    if (messages.has(onOneLine(query))) return { query, withheld: 0 };
    const left = new Set<string>();
    const withheld = new Set<string>();
    for (const token of tokensIn(query)) {
      const whole = own.get(token.toLowerCase());
      if (whole !== undefined) left.add(whole);
      else
        for (const word of wordsIn(token)) {
          const form = ownFormOf(word);
          if (form !== undefined) left.add(form);
          else if (!stopWords('en').has(word.toLowerCase())) withheld.add(word);
        }
    }
    const words = [...left].toSorted((one, other) => placeOf(one) - placeOf(other));
    return { query: words.length === 0 ? question : words.join(' '), withheld: withheld.size };
  };
}
