// Whether what a question asks of one person is somebody else's word: then it is not answered from theirs.
import type { ArchiveMessage } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';
import { guessLanguage } from '../../text/language/language.ts';
import { isOfSpeaker, namedAuthors } from './asked.ts';
import type { Explored } from './explore.ts';
import { weightIn } from './topic.ts';

const ofSelf = /\b(?:i|i'm|i've|my|me|we|our)\b/iu;
const ofTheOther = /\b(?:you|your|you're|you've)\b/iu;
/**
 * What of its weight a message keeps: who answers somebody repeats their words. Chosen, as `clearly`, on conversations 26 and 30 of LoCoMo
 * (npm run bench locomo-chat).
 */
const keeps = { self: 1, both: 0.8, neither: 0.9, theOther: 0.4 };
/** Another's word stands so far above that of the person who is asked for. */
const clearly = 1.2;
/** Who says so much of what others say of it spoke of it, whoever it is about. */
const saysAsMuch = 1;

/** The question names one who speaks in what was read, and what it asks for is somebody else's word. */
export function isOfAnother(
  question: string,
  { turns, words, asked }: Pick<Explored, 'turns' | 'words' | 'asked'>,
): boolean {
  const messages = turns.flatMap((turn) => turn.messages);
  const authors = new Set(messages.flatMap(({ author }) => author ?? []));
  const { speaker } = asked;
  // Somebody who says nothing here, and whom nobody names where they speak of it.
  if (speaker !== undefined && isAbsent(speaker, messages, words)) return true;
  const named = namedAuthors(question, turns);
  const [only] = named;
  if (only === undefined || named.size > 1) return false;
  // Whoever is spoken to is named, too.
  const names = new Set([...authors].flatMap((author) => analyzeText(author)));
  const telling = words.filter(({ terms }) => terms.isDisjointFrom(names));
  const best = { own: 0, other: 0 };
  const plain = { own: 0, other: 0 };
  for (const { author, text } of messages) {
    if (author === undefined) continue;
    const [self, theOther] = [ofSelf.test(text), ofTheOther.test(text)];
    const kept = self ? (theOther ? keeps.both : keeps.self) : theOther ? keeps.theOther : keeps.neither;
    const weight = weightIn(telling, new Set(analyzeText(text, { language: guessLanguage(text.slice(0, 500)) })));
    const side = author === only ? 'own' : 'other';
    best[side] = Math.max(best[side], weight * kept);
    plain[side] = Math.max(plain[side], weight);
  }
  // "What did Ana say about the budget?" is answered by her words on it.
  if (speaker !== undefined && isOfSpeaker(only, speaker)) {
    if (telling.length > 0 && plain.own === 0) return true;
    if (plain.own > 0 && plain.own >= saysAsMuch * plain.other) return false;
  }
  return best.other > clearly * best.own;
}

function isAbsent(speaker: string, messages: readonly ArchiveMessage[], words: Explored['words']): boolean {
  const termsOf = (text: string) => new Set(analyzeText(text, { language: guessLanguage(text.slice(0, 500)) }));
  const tellsOf = (text: string): boolean => text.toLowerCase().includes(speaker) && weightIn(words, termsOf(text)) > 0;
  return messages.every(({ author, text }) => !isOfSpeaker(author, speaker) && !tellsOf(text));
}
