// How a thing is named in texts: by its name whole, with or without what companies are registered as, by its first word or its initials where the
// text is about it anyway. Invariant: a longer name that begins alike ("Acme Foods" for "Acme") is another thing's. Pure, linear.

interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** In lower case, without a possessive ending. */
  readonly word: string;
}

export interface Mention {
  readonly start: number;
  readonly end: number;
}

export interface Naming {
  /** Where the thing is named by its whole name. */
  named(text: string): readonly Mention[];
  /** The same by any name that a text about it may use. */
  called(text: string): readonly Mention[];
}

const legalForms = new Set(
  'inc incorporated ltd limited llc llp plc corp corporation co company gmbh ag se sa nv bv ab oy as spa srl kg kgaa group holding holdings'.split(
    ' ',
  ),
);
/** What may stand in capitals behind a name and is no part of it. */
const offices = new Set(
  'ceo cfo cto coo chairman chairwoman chair president chief director founder spokesman spokeswoman'.split(' '),
);
/** Words of titles that name no thing. */
const titleWords = new Set(
  'a an the of on in for to at by from with and about annual quarterly interim report reports overview profile review analysis company corporate business history product products pricing prices price strategy strategic results press release releases news guide manual faq swot market markets industry sector facts sheet factsheet summary brief briefing note notes memo presentation deck study case portrait introduction outlook update updates competitors competition comparison customers customer investor investors relations financial financials statement statements white paper whitepaper research details info information page home wiki readme md txt pdf docx html'.split(
    ' ',
  ),
);
/** First words that many names share. */
const sharedFirst = new Set(
  'the new general united first national international american european royal great north south east west big red blue green black white old'.split(
    ' ',
  ),
);

const wordPattern = /[\p{L}\p{M}\p{N}]+(?:[.'’&-][\p{L}\p{M}\p{N}]+)*/gu;
const isCapital = (text: string): boolean => /^\p{Lu}/u.test(text);

export function tokensOf(text: string): readonly Token[] {
  return Array.from(text.matchAll(wordPattern), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    text: found,
    word: found.replace(/['’]s?$/u, '').toLowerCase(),
  }));
}

/** File names as words. */
const toWords = (title: string): string => title.replace(/[_/\\-]+/gu, ' ');

const isSame = (word: string, wanted: string, isLast: boolean): boolean =>
  word === wanted || (isLast && wanted.length > 3 && word === `${wanted}s`);

/** Scripts that are written without spaces. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/** `titles`: of the documents that were found, which tell what the thing is called in full. */
export function createNaming(name: string, titles: readonly string[] = []): Naming {
  const words = tokensOf(name).map(({ word }) => word);
  while (words.length > 1 && legalForms.has(words.at(-1) as string)) words.pop();
  if (words.length === 0 || unspaced.test(name)) return literalNaming(name.trim());
  const extension = soleExtension(words, titles);
  const [first = ''] = words;
  const initials = words.map((word) => word.charAt(0)).join('');
  const mentions = (text: string, mayBeShort: boolean): readonly Mention[] => {
    const tokens = tokensOf(text);
    const found: Mention[] = [];
    for (let at = 0; at < tokens.length; at += 1) {
      const whole = wholeAt(tokens, at, words);
      if (whole > 0) {
        const last = tokens[at + whole - 1] as Token;
        if (!isLonger(text, { tokens, at, length: whole }, extension))
          found.push({ start: (tokens[at] as Token).start, end: last.end });
        at += whole - 1;
      } else if (mayBeShort && isShort(text, tokens, at)) {
        const { start, end } = tokens[at] as Token;
        found.push({ start, end });
      }
    }
    return found;
  };
  const isShort = (text: string, tokens: readonly Token[], at: number): boolean => {
    if (words.length < 2) return false;
    const token = tokens[at] as Token;
    if (words.length > 1 && initials.length > 1 && token.text.replace(/['’]s$/u, '') === initials.toUpperCase())
      return true;
    return (
      first.length > 2 &&
      !sharedFirst.has(first) &&
      token.word === first &&
      isCapital(token.text) &&
      !isLonger(text, { tokens, at, length: 1 }, undefined)
    );
  };
  return { named: (text) => mentions(text, false), called: (text) => mentions(text, true) };
}

function literalNaming(name: string): Naming {
  const find = (text: string): readonly Mention[] => {
    const found: Mention[] = [];
    if (name === '') return found;
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
      found.push({ start: at, end: at + name.length });
    return found;
  };
  return { named: find, called: find };
}

/** How many tokens from `at` are the name; 0 where it does not stand there. */
function wholeAt(tokens: readonly Token[], at: number, words: readonly string[]): number {
  const isThere = words.every((word, place) => {
    const token = tokens[at + place];
    return token !== undefined && isSame(token.word, word, place === words.length - 1);
  });
  return isThere ? words.length : 0;
}

interface Place {
  readonly tokens: readonly Token[];
  readonly at: number;
  readonly length: number;
}

/** Whether the name is a piece of a longer one: a word in capitals stands right behind it, or before it within the sentence. */
function isLonger(text: string, { tokens, at, length }: Place, extension: string | undefined): boolean {
  const own = tokens[at] as Token;
  const last = tokens[at + length - 1] as Token;
  if (!isCapital(own.text)) return false;
  const isPossessive = last.text.length > last.word.length && /['’]s?$/u.test(last.text);
  const next = tokens[at + length];
  if (next && !isPossessive && text.slice(last.end, next.start) === ' ' && isCapital(next.text))
    if (!legalForms.has(next.word) && !offices.has(next.word) && next.word !== extension) return true;
  const before = tokens[at - 1];
  if (!before || text.slice(before.end, own.start) !== ' ' || !isCapital(before.text) || /['’]s$/u.test(before.text))
    return false;
  const earlier = tokens[at - 2];
  // The first word of a sentence has a capital anyway.
  return earlier !== undefined && /^[\s,]*$/u.test(text.slice(earlier.end, before.start)) && !offices.has(before.word);
}

/** The word that follows the name in every title that has one behind it: what the thing is called in full. */
function soleExtension(words: readonly string[], titles: readonly string[]): string | undefined {
  const extensions = new Set<string>();
  for (const title of titles) {
    const tokens = tokensOf(toWords(title));
    for (let at = 0; at < tokens.length; at += 1) {
      const next = wholeAt(tokens, at, words) > 0 ? tokens[at + words.length] : undefined;
      if (!next || titleWords.has(next.word) || legalForms.has(next.word) || !/^\p{L}/u.test(next.text)) continue;
      extensions.add(next.word);
    }
  }
  const [only] = extensions;
  return extensions.size === 1 ? only : undefined;
}

/** Whether a title or heading says that what stands under it is about the thing: it names it, and nothing but words of titles before it. */
export function isHeadOf(head: string, { named }: Naming): boolean {
  const words = toWords(head);
  // Titles are written in capitals: what follows the name is no part of it where it is a word of titles.
  const plain = words.replace(wordPattern, (word) => (titleWords.has(word.toLowerCase()) ? word.toLowerCase() : word));
  const [mention] = named(plain);
  if (!mention) return false;
  if (/(?:^|\s)(?:vs\.?|versus|against|or)(?=\s)/iu.test(plain)) return false;
  const behind = plain.slice(mention.end);
  if (/^\s*(?:&|and|,)\s*\p{Lu}/u.test(behind)) return false;
  return tokensOf(plain.slice(0, mention.start)).every(({ word }) => titleWords.has(word));
}

/** The words of a heading that name something. */
export const namingWords = (head: string): readonly string[] =>
  tokensOf(toWords(head)).flatMap(({ text, word }) => (titleWords.has(word) || !isCapital(text) ? [] : [text]));
