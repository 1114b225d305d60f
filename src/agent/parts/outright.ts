// Sentences and lines of a document that say outright what a part asks of whom the document is about: how many there are of something, when something was done to it,
// who signed or audited it. Invariant: only the form is looked for here; each claim was read back and verified like any other.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import { readPieces } from '../../answer/extract/readings.ts';
import { termSet, termsOf } from '../../answer/question/terms.ts';
import type { Evidence } from '../../core/search.ts';
import { bareOf } from '../plan/phrases.ts';
import { isByline } from './fit/bylines.ts';
import { ownersIn } from './owned.ts';
import { claimsAt, type FormReading } from './read-claims.ts';
import { lackOfTime } from './told-time.ts';

const longestPassage = 20_000;
const mostReads = 6;
/** A passage that begins so near the start of its document has its title, and who wrote it. */
const mostBeforeTitle = 40;
const mostLinesOfTitle = 10;

interface Place {
  readonly start: number;
  readonly end: number;
}
/** Finds its places in a passage. */
type Form = (text: string, isStart: boolean) => readonly Place[];

/** The form in which a part's answer would stand; undefined where it asks for none of these. */
export function formAsked(question: string): Form | undefined {
  const bare = bareOf(question);
  return (
    countForm(bare) ?? eventForm(bare) ?? founderForm(bare) ?? signedForm(bare) ?? bylineForm(bare) ?? doneByForm(bare)
  );
}

/** In the words in which a document says it of itself. */
export function wordsOfForm(question: string): string {
  const bare = bareOf(question);
  if (whoSigned.test(bare))
    return 'signature: has duly caused this report to be signed on its behalf by the undersigned';
  const verb = whenDone.exec(bare)?.groups?.['verb']?.toLowerCase();
  return verb === undefined ? question : `We were ${verb} in; the company was ${verb} in`;
}

/** Claims of the first places that hold, of reports that say that they are signed alone unless `isLast`; `evidence`: of documents about whom the part asks of. Throws what the reader throws. */
export async function outrightClaims(
  question: string,
  evidence: readonly Evidence[],
  { isLast = false, ...reading }: FormReading,
): Promise<readonly VerifiedClaim[]> {
  const form = formAsked(question);
  if (!form) return [];
  const isSigned = whoSigned.test(bareOf(question));
  // What certifies a report is signed, too; the report itself says that it is.
  const read = isSigned && !isLast ? evidence.filter(({ text }) => selfSigned.test(text)) : evidence;
  const places = read.flatMap((from) =>
    form(from.text.slice(0, longestPassage), from.start <= mostBeforeTitle).flatMap((place) => {
      const text = from.text.slice(place.start, place.end);
      return lackOfTime(question, { text, columns: '', over: '', before: '' }) ? [] : [{ from, place }];
    }),
  );
  places.sort((a, b) => Number(selfSigned.test(b.from.text)) - Number(selfSigned.test(a.from.text)));
  for (const { from, place } of places.slice(0, mostReads)) {
    const claims = await claimsAt(from, place, reading);
    if (claims.length > 0) return claims;
  }
  return [];
}

const selfSigned = /\bduly (?:caused|authorized)\b/iu;

const sentencesThat = (
  text: string,
  holds: (sentence: string) => boolean,
  isKind = (kind: string): boolean => kind === 'sentence',
): readonly Place[] =>
  readPieces(text)
    .filter(({ kind, start, end }) => isKind(kind) && holds(text.slice(start, end).replace(/\s+/gu, ' ')))
    .map(({ start, end }) => ({ start, end }));

const howMany =
  /^how many (?<what>\p{Ll}[\p{L} -]{1,40}?) (?:do|does|did|has|have|had|are|were|is|was|works?) (?<rest>.{1,200})$/iu;
/** Who works for somebody is counted under several names. */
const staff = /\bemploy|\bworkers?\b|\bstaff\b/iu;
const staffWords: ReadonlySet<string> = termSet('employees people associates persons colleagues workers teammates');
/** Whose documents speak of themselves. */
const ownSubject = /\b(?:we|our|the company|it|its)\b/iu;
const counted =
  /(?<![\p{L}\p{N}.,-])(?!(?:19|20)\p{Nd}{2} )\p{Nd}[\p{Nd},]*(?:\.\p{Nd}+)?(?: (?:thousand|million|billion))?(?<things>(?: [\p{Ll}-]+){1,5})/gu;
const emptyTerms: ReadonlySet<string> = termSet(
  'have has had employ employed operate operated own owned run total currently there end year time number as of',
);

function countForm(bare: string): Form | undefined {
  const { what, rest = '' } = howMany.exec(bare)?.groups ?? {};
  if (what === undefined) return undefined;
  const isStaff = staff.test(bare);
  const nouns = isStaff
    ? staffWords
    : new Set(
        termsOf(what)
          .slice(-1)
          .map(({ term }) => term),
      );
  const owners = termSet(ownersIn(bare).join(' '));
  const wanted = termSet(`${isStaff ? '' : what.split(' ').slice(0, -1).join(' ')} ${rest.replace(/\p{Nd}{4}/gu, '')}`)
    .difference(emptyTerms)
    .difference(owners)
    .difference(staffWords);
  return (text) =>
    sentencesThat(text, (sentence) => {
      const isOwn = ownSubject.test(sentence) || !owners.isDisjointFrom(termSet(sentence));
      const isCounted = [...sentence.matchAll(counted)].some(
        ({ groups }) => !nouns.isDisjointFrom(termSet(groups?.['things'] ?? '')),
      );
      return isOwn && isCounted && wanted.isSubsetOf(termSet(sentence));
    });
}

const whenDone =
  /^(?<asks>when|where|in (?:what|which) (?:year|state|country|city)) (?:was|were) .{1,120}? (?<verb>incorporated|founded|established|formed|organized|organised|created|acquired|completed|elected|appointed)(?: (?:in|by|as) .{1,60})?$/iu;

const tellsYear = /^.{0,60}\b(?:in|on|since) (?:\p{L}+ )?(?:\p{Nd}{1,2}, )?\p{Nd}{4}\b/iu;
const tellsPlace = /^.{0,30}\b(?:in|at) (?:the state of )?\p{Lu}/u;

function eventForm(bare: string): Form | undefined {
  const { verb: written, asks = '' } = whenDone.exec(bare)?.groups ?? {};
  if (written === undefined) return undefined;
  const verb = written.toLowerCase();
  const told = /^(?:when|in (?:what|which) year)$/iu.test(asks) ? tellsYear : tellsPlace;
  const owners = termSet(ownersIn(bare).join(' '));
  return (text) =>
    sentencesThat(text, (sentence) => {
      const small = sentence.toLowerCase();
      const at = small.indexOf(` ${verb} `);
      if (at < 0) return false;
      const before = sentence.slice(0, at);
      // "Incorporated by reference", "the agreement was completed": of something else.
      const isOwn = /^(?:we|it|the company)\b/iu.test(before) || owners.isSubsetOf(termSet(before));
      return isOwn && before.length <= 100 && told.test(sentence.slice(at + verb.length + 1));
    });
}

const whoFounded =
  /^(?:who (?:first |originally )?(?:founded|established|started|set up|formed|created)|by whom (?:is|was|were) .{1,120} (?:founded|established|started|set up|formed|created)$)\b/iu;
const foundedBy =
  /^(?<subject>[^,;:()]{1,100}?)(?:, [^,]{1,60},)? (?:is|was|were|has been) (?:first |originally )?(?:founded|established|started|set up|formed|created)\b[^.;:]{0,60}? by \p{L}/iu;

/** "It was set up in 1978 by eleven fishing families", in what is about whom the part asks of. */
function founderForm(bare: string): Form | undefined {
  if (!whoFounded.test(bare)) return undefined;
  const owners = termSet(ownersIn(bare).join(' '));
  return (text) =>
    sentencesThat(text, (sentence) => {
      const subject = foundedBy.exec(sentence)?.groups?.['subject'];
      if (subject === undefined) return false;
      return (
        /^(?:we|it|the (?:company|firm|organi[sz]ation))$/iu.test(subject) ||
        (owners.size > 0 && owners.isSubsetOf(termSet(subject)))
      );
    });
}

const whoSigned = /^who (?:has |have |had )?signed\b/iu;
const whoAudits =
  /^(?:who|which (?:firm|company)) (?:is|are|was|were|audit(?:s|ed)?)\b.{0,120}\b(?:auditors?|audited|accounting firm)\b|^(?:who|which firm) audit(?:s|ed) /iu;
const signature = /\/ ?s ?\/ ?\S/iu;
const firm = /\b(?:LLP|L\.L\.P\.|GmbH|AG)\b/u;
const appointed =
  /\b(?:appoint\w*|ratif\w*|engag\w*|selected?) (?:.{1,80} )?\p{Lu}[\p{L}&]{2,}.{0,60} (?:as|to be) .{0,60}\b(?:accounting firm|auditors?)\b/u;
const mostLinesBehind = 3;

function signedForm(bare: string): Form | undefined {
  if (whoAudits.test(bare))
    return (text) => {
      const signed = linesOf(text).filter(({ said }) => signature.test(said) && firm.test(said));
      return signed.length > 0
        ? signed
        : sentencesThat(
            text,
            (said) => appointed.test(said),
            // What a meeting resolved is numbered.
            (kind) => kind === 'sentence' || kind === 'item',
          );
    };
  return whoSigned.test(bare) ? (text) => signaturesIn(linesOf(text)) : undefined;
}

/** Whether a part asks who wrote something: that stands where a document begins. */
export const asksByline = (question: string): boolean => bylineForm(bareOf(question)) !== undefined;

const whoWrote =
  /^who (?:wrote|authored|has written)\b|^who (?:is|are|was|were) (?:the |its )?authors?\b|^by whom (?:is|was) .{1,120} written$/iu;

/** The lines of names next to each other, where the document begins. */
function bylineForm(bare: string): Form | undefined {
  if (!whoWrote.test(bare)) return undefined;
  return (text, isStart) => {
    const lines = isStart ? linesOf(text).slice(0, mostLinesOfTitle) : [];
    const first = lines.findIndex(({ said }) => isByline(said));
    const start = lines[first]?.start;
    if (start === undefined) return [];
    let last = first;
    while (isByline(lines[last + 1]?.said ?? '', lines[last]?.said.endsWith(','))) last += 1;
    return [{ start, end: lines[last]?.end ?? start }];
  };
}

const whoDid =
  /^(?:who|by whom (?:is|was|were) .{1,120}) (?<verb>prepared|posted|approved|reviewed|issued|published|edited|translated|compiled|written|signed|maintained|audited)\b/iu;

/** "Prepared By: Ada Brook", "Posted by Ada Brook". */
function doneByForm(bare: string): Form | undefined {
  const verb = whoDid.exec(bare)?.groups?.['verb']?.toLowerCase();
  if (verb === undefined) return undefined;
  return (text) =>
    linesOf(text).filter(({ said }) => said.length <= 160 && said.toLowerCase().startsWith(`${verb} by`));
}

/** Lines that are not empty, without the space around them. */
export function linesOf(text: string): readonly (Place & { readonly said: string })[] {
  return [...text.matchAll(/[^\n]+/gu)].flatMap(({ 0: line, index }) => {
    const said = line.trim();
    const start = index + (line.length - line.trimStart().length);
    return said === '' ? [] : [{ start, end: start + said.length, said }];
  });
}

/** A signature with the lines under it that say whose it is. */
function signaturesIn(lines: readonly (Place & { readonly said: string })[]): readonly Place[] {
  return lines.flatMap(({ said, start, end }, at): readonly Place[] => {
    if (!signature.test(said) || firm.test(said)) return [];
    let last = end;
    for (const line of lines.slice(at + 1, at + 1 + mostLinesBehind)) {
      if (signature.test(line.said) || line.said.length > 120) break;
      last = line.end;
    }
    return [{ start, end: last }];
  });
}
