// Finds proper names in text written with capitals: runs of capitalised words joined by "of", "van", "&" …, and tells which words
// an acronym abbreviates. A sentence-initial word alone is reported as `initial`, since its capital proves nothing.
// German capitalises every noun: there a mention is a noun phrase, not necessarily a name. Linear time.
import type { SourceSpan } from '../../core/document.ts';

export interface NameMention extends SourceSpan {
  readonly text: string;
  /** The capitalised words, as written. */
  readonly words: readonly string[];
  readonly acronym: boolean;
  /** A single capitalised word at the start of a sentence: perhaps no name. */
  readonly initial: boolean;
}

const joining = new Set(
  'of the de da di del della der den des van von du la le el al bin ibn and & y e zu zur'.split(' '),
);
const strong = new Set('of de da di del della der van von du la le el al bin ibn & zu zur'.split(' '));
const openers = new Set(
  (
    'the a an this that these those it he she they we you i his her its their our my your there here in on at by for from with as after before during when while where what who whose whom which why how if although though because since however but and or so yet nor then thus therefore hence moreover furthermore additionally also meanwhile all both each some many most several few no not one two three other another such under over between among according to of into unless despite until about more less only even just once finally later first second third today now never always often sometimes perhaps maybe every any none neither either both ' +
    'der die das den dem ein eine einer einem eines es er sie wir ihr im am auf aus bei mit nach seit von zum zur für und oder aber doch auch als wenn weil da dies diese dieser dieses nur so dann danach'
  ).split(' '),
);
const word = /[\p{L}\p{M}][\p{L}\p{M}\d]*(?:[.'’-](?=[\p{L}\d])[\p{L}\p{M}\d]+)*\.?/gu;

/** True for words that look like acronyms: NASA, U.S. and CPCs are; GmbH, I and A are not. */
export function isAcronym(text: string): boolean {
  const letters = text.replace(/[.'’]/gu, '');
  return /^(?=(?:.*\p{Lu}){2})[\p{Lu}\d&-]{2,}s?$/u.test(letters) || /^(?:\p{Lu}\.){2,}$/u.test(text);
}

/** Names in `text`, in order, never overlapping. Offsets are UTF-16 code units. */
export function findNames(text: string): NameMention[] {
  const found: NameMention[] = [];
  let run: { start: number; end: number; words: string[]; initial: boolean } | undefined;
  let pending = -1;
  const close = (): void => {
    if (run && run.words.length > 0) {
      const single = run.words.length === 1;
      const alone = run.words[0] as string;
      const initial = run.initial && single && !isAcronym(alone);
      if (!(initial && openers.has(alone.toLowerCase())))
        found.push({
          start: run.start,
          end: run.end,
          text: text.slice(run.start, run.end),
          words: run.words,
          acronym: single && isAcronym(alone),
          initial,
        });
    }
    run = undefined;
    pending = -1;
  };
  let previousEnd = 0;
  for (const match of text.matchAll(word)) {
    let token = match[0];
    const start = match.index;
    const gap = text.slice(previousEnd, start);
    const sentenceStart =
      previousEnd === 0 || /[.!?。！？:;\n"“”«»()]/u.test(gap) || /[.!?]$/u.test(text.slice(0, previousEnd).slice(-1));
    if (token.endsWith('.') && !/^(?:\p{Lu}\.)+$|^(?:Dr|Mr|Mrs|Ms|St|Prof|Jr|Sr)\.$/u.test(token))
      token = token.slice(0, -1);
    const end = start + token.length;
    previousEnd = end;
    const lower = token.toLowerCase();
    const capital = /^\p{Lu}/u.test(token) || (/^\p{Ll}\p{Lu}/u.test(token) && token.length > 2);
    if (run && gap !== ' ' && gap !== '\u00a0' && gap !== ' & ') close();
    if (capital && !(sentenceStart && openers.has(lower)) && !(lower === 'i' && token.length === 1)) {
      const bare = token.replace(/['’]s$/u, '');
      if (run) {
        run.end = start + bare.length;
        run.words.push(bare);
        pending = -1;
      } else run = { start, end: start + bare.length, words: [bare], initial: sentenceStart };
      if (bare.length < token.length) close();
    } else if (run && pending < 0 && strong.has(lower)) pending = start;
    else if (!(run && pending >= 0 && joining.has(lower))) close();
  }
  close();
  return found;
}

const fold = (acronym: string): string =>
  acronym
    .replace(/[^\p{L}\d]/gu, '')
    .replace(/(?<=\p{Lu})s$/u, '')
    .toUpperCase();

/** True if the letters of `acronym` are the first letters of `words`, small joining words optional. */
export function isInitialism(acronym: string, words: readonly string[]): boolean {
  const letters = fold(acronym);
  if (letters.length < 2 || words.length < 2) return false;
  const initial = (part: string): string => (part[0] ?? '').toUpperCase();
  if (initial(words[0] as string) !== letters[0]) return false;
  const full = words.map(initial).join('');
  if (full === letters) return true;
  return (
    words
      .filter((part) => !joining.has(part.toLowerCase()) && !/^(?:for|in|on|to|with)$/iu.test(part))
      .map(initial)
      .join('') === letters
  );
}
