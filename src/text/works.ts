// Questions about a work itself, such as who wrote it, when it came out and what it is about, and the lines of its first pages that say so: title pages,
// notices of copyright, bylines, abstracts and introductions (subjects.ts). Running text seldom does. The forms are those of printed books, articles,
// papers and mails. Pure; they rank passages, they do not verify claims.
import { subjectAsked, subjectPages, tellsSubject } from './subjects.ts';

export interface AskedOfWork {
  readonly what: 'author' | 'date' | 'subject';
  /** As the question names it. */
  readonly work: string;
  /** The question names a work of that kind by a part of its title: "the Attention paper". */
  readonly isPart?: true;
}

const kind = String.raw`(?:(?:the|this|that)\s)?(?:(?:book|paper|article|report|document|essay|study|novel|thesis|post|guide|manual)\s)?(?:(?:called|titled|entitled|named)\s)?`;
const asksAuthor = [
  new RegExp(String.raw`^\s{0,4}who\s(?:wrote|authored|co-authored)\s${kind}([^?]{2,120}?)[\s?]{0,8}$`, 'iu'),
  new RegExp(
    String.raw`^\s{0,4}(?:who|what|which)\s(?:is|are|was|were)\s(?:the\s)?(?:(?:names?|list)\sof\s)?(?:the\s)?(?:main\s|lead\s|first\s)?(?:authors?|writers?)\sof\s${kind}([^?]{2,120}?)[\s?]{0,8}$`,
    'iu',
  ),
  new RegExp(
    String.raw`^\s{0,4}(?:by\swhom|who)\s(?:is|was)\s${kind}([^?]{2,120}?)\s(?:written|authored)(?:\sby)?[\s?]{0,8}$`,
    'iu',
  ),
];
const asksDate = [
  new RegExp(
    String.raw`^\s{0,4}(?:when|(?:in\s)?(?:what|which)\syear)\s(?:was|were|is|did)\s${kind}([^?]{2,120}?)\s(?:first\s)?(?:published|released|written|issued|come\sout|appear|copyrighted)[\s?]{0,8}$`,
    'iu',
  ),
  new RegExp(
    String.raw`^\s{0,4}what\s(?:is|was)\sthe\s(?:publication|release)\s(?:date|year)\sof\s${kind}([^?]{2,120}?)[\s?]{0,8}$`,
    'iu',
  ),
];

export function askedOfWork(question: string): AskedOfWork | undefined {
  const workBy = (forms: readonly RegExp[]): string | undefined =>
    forms
      .map((form) => form.exec(question)?.[1])
      .find((work) => work !== undefined)
      ?.replace(/^["“„'‘]|["”“'’]$/gu, '')
      .trim();
  const written = workBy(asksAuthor);
  if (written !== undefined) return { what: 'author', work: written };
  const published = workBy(asksDate);
  if (published !== undefined) return { what: 'date', work: published };
  const subject = subjectAsked(question);
  return subject && { what: 'subject', ...subject };
}

/** A document that may be the work: "tracemonkey.pdf" is called by its file's name as well. */
export interface NamedDocument {
  readonly title: string;
  readonly uri: string;
}

/** Is the document the work that is asked about, by its title or its file's name? */
export function isWork({ title, uri }: NamedDocument, asked: Pick<AskedOfWork, 'work' | 'isPart'>): boolean {
  if (isTitleOf(title, asked)) return true;
  const file = uri.slice(uri.lastIndexOf('/') + 1).replace(/\.[a-z\d]{1,5}$/iu, '');
  return isTitleOf(file.replaceAll(/[_+-]|%20/gu, ' '), asked);
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const leastShare = 0.6;

/** Does a title name the work? All words of the question's name stand in it, and they are most of its main part where the question does not say that it is a work. */
export function isTitleOf(title: string, { work, isPart }: Pick<AskedOfWork, 'work' | 'isPart'>): boolean {
  const [named, main] = [wordsOf(work), wordsOf(title.split(/[:–—|]/u)[0] ?? title)];
  const all = new Set(wordsOf(title));
  if (named.length === 0 || main.length === 0 || !named.every((word) => all.has(word))) return false;
  return isPart === true || new Set(named).intersection(new Set(main)).size >= leastShare * new Set(main).size;
}

const name = String.raw`(?<![\p{L}\p{M}])\p{Lu}[\p{L}\p{M}.'’-]{0,30}(?:\s(?:(?:de|von|van|der|la|bin|al)\s)?\p{Lu}[\p{L}\p{M}.'’-]{0,30}){1,3}`;
const authored = new RegExp(
  String.raw`(?:©|\([cC]\)|\b[Cc]opyright(?:\s(?:©|\([cC]\)))?)\s(?:\d{4}\s)?(?:by\s)?${name}|\b(?:[Ww]ritten|[Aa]uthored|[Ee]dited)\sby\s${name}|^(?:[Bb]y|BY)\s${name}|\s/\s?${name}\.?$|^[Aa]uthors?:\s\S`,
  'u',
);
const dated =
  /(?:©|\(c\)|\bcopyright(?=\s(?:©|\(c\)|\d{4})))\s[^\n]{0,60}?\b(?:1[5-9]|20)\d\d\b|\b(?:first\s)?(?:published|released|issued|posted|submitted|printed)\b[^.\n]{0,60}?\b(?:1[5-9]|20)\d\d\b|^(?:date|published|posted|released|updated)\b[^\n]{0,30}\d{4}|\barXiv:\S{4,20}[^\n]{0,30}\b20\d\d\b/iu;
const aName = new RegExp(name, 'gu');
const organisation =
  /\b(?:University|Institute|Research|Inc|Corp|Corporation|Press|Lab|Labs|Laboratory|Department|College|School|Group|Street|Avenue|Foundation|Ltd|GmbH|Abstract|Company|Co|Times|Services|Media|Corporation)\b/u;
/** Where a work speaks of itself, in UTF-16 code units from the beginning: title pages and notices, and bylines before that. */
export const firstPages = 16_000;
const titlePage = 3_000;
const longestByline = 600;
/** "Google Brain, Google Research" are no people. */
const mostRepeated = 0.25;
/** What is told of others' works. */
const ofOthers = /\b(?:excerpt|reprint(?:ed)?|permission)\b/iu;

/** Names and nothing else, as under the title of a paper. */
function isByline(line: string): boolean {
  if (line.length > longestByline || organisation.test(line) || /[@.!?;]\s*$/u.test(line) || line.includes('@'))
    return false;
  const plain = line.replace(/[^\p{L}\p{M}\s.'’-]+/gu, ' | ');
  const names = plain.match(aName) ?? [];
  const words = names.flatMap((one) => one.split(/\s+/u));
  const letters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;
  return (
    names.length >= 1 &&
    words.length >= 2 &&
    new Set(words).size >= (1 - mostRepeated) * words.length &&
    words.every((word) => /\p{Ll}/u.test(word) || word.length <= 2) &&
    letters(names.join('')) >= 0.9 * letters(line)
  );
}

/** Where the lines stand that say what is asked, in UTF-16 code units from the beginning. */
export const pagesOf = (what: AskedOfWork['what']): number => (what === 'subject' ? subjectPages : firstPages);

/** Does a line say what is asked of its work? `at`: where it begins in the document, in UTF-16 code units. */
export function saysOfWork(line: string, { what, work }: Pick<AskedOfWork, 'what' | 'work'>, at: number): boolean {
  if (what === 'subject') return tellsSubject(line, work, at);
  const folded = line.replace(/\s+/gu, ' ').trim();
  if (at >= firstPages || ofOthers.test(folded)) return false;
  if (what === 'date') return dated.test(folded);
  return (authored.test(folded) && !organisation.test(folded)) || (at < titlePage && isByline(folded));
}
