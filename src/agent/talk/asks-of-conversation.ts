// Tells a question about the conversation itself from one about documents, and what of the conversation it asks for. Patterns over the user's own
// message alone, each linear. Pure.
import { readNumberWords } from '../../text/quantities/number-words.ts';
import { termSet } from '../../text/terms.ts';

export interface AskedOfConversation {
  /** What was asked, what was answered, or both. */
  readonly of: 'questions' | 'answers' | 'both';
  /** All of them, or one: 2 is the second, -1 the last, -2 the one before it. */
  readonly which: 'all' | number;
  /** Terms that the turns have to speak of; empty: of anything. */
  readonly topic: readonly string[];
}

const patterns: readonly { readonly of: AskedOfConversation['of']; readonly pattern: RegExp }[] = [
  {
    of: 'both',
    pattern:
      /\b(?:summari[sz]e|sum up|recap|recapitulate|(?:give|write)(?: me)? an? (?:summary|recap|overview) of)\s+(?:(?:to )?me\s+)?(?:briefly\s+)?(?:(?:all|everything|what) (?:that )?(?:we|i|you)(?: have|'ve| had)?\b|(?:this|our|the) (?:conversation|discussion|chat|session|talk)\b|(?:it|us) so far\b)/iu,
  },
  {
    of: 'both',
    pattern:
      /\bwhat (?:have|did|had|were) we (?:just |already |been )?(?:said|say|saying|talk|talked|talking|discuss|discussed|discussing|cover|covered|go over|gone over)\b/iu,
  },
  {
    of: 'both',
    pattern: /\bwhat (?:is|was) (?:this|our|the) (?:conversation|discussion|chat|session)(?: so far)? about\b/iu,
  },
  {
    of: 'questions',
    pattern:
      /\bwhat (?:have|did|had) i (?:just |already )?(?:ask|asked|say|said|want|wanted) (?:you|first|last|before|earlier|so far|about)\b|\bwhat (?:have|did|had) i (?:just |already )?(?:ask|asked)[\s?]*$|\bwhat (?:was|were) my (?:very )?(?:(?:first|last|previous|earlier) ){0,2}(?:question|questions|message|messages)\b/iu,
  },
  {
    of: 'answers',
    pattern:
      /\bwhat (?:have|did|had|was) (?:you|your) (?:just |already )?(?:say|said|tell|told|answer|answered|(?:first|last|previous) answer)\b/iu,
  },
];

/** Words of the asking itself. */
const metaWords =
  /\b(?:summari[sz]e|sum|up|recap|recapitulate|summary|overview|briefly|conversation|discussion|chat|session|talk(?:ed|ing)?|said|say|saying|tell|told|answer(?:ed)?|ask(?:ed)?|discuss(?:ed|ing)?|cover(?:ed)?|go|gone|over|question|questions|message|messages|first|last|previous|earlier|before|already|just|far|please|everything|all|want(?:ed)?|give|write|today|here|know|very)\b/giu;

/** Undefined: it asks of documents. */
export function askedOfConversation(content: string): AskedOfConversation | undefined {
  if (content.length > 400) return undefined;
  const { text, nth } = withoutOrdinals(content.replaceAll('’', "'").split(/\s+/u));
  const found = patterns.find(({ pattern }) => pattern.test(text));
  if (!found) return undefined;
  const which = /\b(?:last|previous)\b/iu.test(text) ? -(nth ?? 1) : (nth ?? 'all');
  const topic = [...termSet(text.replace(metaWords, ' '))];
  return { of: found.of, which, topic };
}

/** What an ordinal that tells the place of a turn stands before; nothing at the end ("What did I ask first?"). "The second floor" is none. */
const placed = /^(?:(?:last |previous )?(?:question|message|answer)s?\b|about\b|$)/u;

/** The message with `first` for the ordinal that tells the place of a turn ("second", "3rd", "twenty first"), and its value. */
function withoutOrdinals(words: readonly string[]): { readonly text: string; readonly nth: number | undefined } {
  const bare = words.map((word) => word.toLowerCase().replace(/[?!.,;:]$/u, ''));
  for (const [at, word] of bare.entries()) {
    const [figures] = /^\d+(?=(?:st|nd|rd|th)$)/u.exec(word) ?? [];
    const read =
      figures === undefined
        ? readNumberWords(bare.slice(at))
        : ({ kind: 'ordinal', value: Number(figures), words: 1 } as const);
    if (read?.kind !== 'ordinal' || !placed.test(bare.slice(at + read.words).join(' '))) continue;
    return { text: [...words.slice(0, at), 'first', ...words.slice(at + read.words)].join(' '), nth: read.value };
  }
  return { text: words.join(' '), nth: undefined };
}
