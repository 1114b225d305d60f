// Tells whether a piece of text says what something is: "X is a …", "X (Y) refers to …", "… called X", "a new architecture, the X". The forms are those by
// which definitions are found in running text (Hearst 1992; Saggion 2004); they rank candidates, they do not verify claims.
import { joinLineEndHyphens } from './line-end-hyphens.ts';
import { cacheTexts } from './tokens/text-cache.ts';

/** What a question wants to have defined, as it names it; undefined where it asks otherwise. */
const wanted =
  /^\s{0,4}(?:what|who)(?:\s{1,4}(?:is|are|was|were)|['’]s)\s{1,4}(?:(?:an?|the)\s{1,4})?([\p{L}\p{N}_'’.-]{1,60}(?:\s[\p{L}\p{N}_'’.-]{1,60}){0,3}?)(?:\s{1,4}in\s{1,4}[^?]{1,60})?[\s?]{0,8}$|^\s{0,4}what\s{1,4}does\s{1,4}([^?\s][^?]{0,60}?)\s{1,4}(?:mean|stand\s{1,4}for)\b|^\s{0,4}define\s{1,4}(?:an?\s{1,4}|the\s{1,4})?([^?.]{1,60})/iu;

/** A question is looked at by each step that ranks, once for each list. */
const readDefined = cacheTexts(
  (question): { readonly name: string | undefined } => {
    const found = wanted.exec(question);
    const name = (found?.[1] ?? found?.[2] ?? found?.[3])?.trim();
    // "What is X about?" asks for no definition.
    return { name: name !== undefined && /\sabout$/iu.test(name) ? undefined : name };
  },
  { characters: 20_000 },
);

export const definedIn = (question: string): string | undefined => readDefined(question).name;

/** What may stand between a name and what is said of it: "(TM)", ", sometimes called Y,". */
const between = String.raw`["”’']?(?:\s?\([^()]{1,40}\))?(?:,\s[^,.;:]{3,60},|,?\s(?:sometimes|also|often|formerly)\s(?:called|known\sas|referred\sto\sas)\s[^,.;:]{2,40}?)?\s`;
const copula = String.raw`(?:(?:now|often|also|usually|typically|essentially|simply|basically|really|just)\s)?(?:an?|the|one|any|our|his|her|their)\s`;
const says = new RegExp(
  String.raw`^${between}(?:(?:is|are)\s${copula}|(?:is|are)\s(?:defined|described|known)\s|means\s|refers?\sto\s|denotes?\s|stands?\sfor\s|consists?\sof\s|can\sbe\s(?:described|thought\sof|defined|seen)\sas\s)`,
  'iu',
);
/** "Is the fastest engine on 9 of 26 tests", "is the most used": how it compares, not what it is. */
const compared =
  /^["”’']?(?:\s?\([^()]{1,40}\))?\s(?:is|are|was|were)\s(?:\p{Ll}{3,12}ly\s|still\s|now\s|also\s)?(?:(?:the|an?)\s|one\sof\sthe\s|among\sthe\s)?(?:second-|third-)?(?:most|least|best|worst|(?!(?:west|north|east|south|for|inter|re|t|gu|pri|pro|har|ch|qu|mani|hon|mod|conqu|nor|lat|arr|v|b|cr)est\b)\p{Ll}{2,12}est)\s/u;
/** Where it comes first is told by a figure: "on 9 of the 26 benchmarks". */
const counted = /\s(?:on|in|of|for|among|at|by)\s(?:(?:about|over|all|the|its)\s){0,2}\p{Nd}/u;
const said = new RegExp(String.raw`^${between}(?:was|were)\s${copula}`, 'iu');
const roles =
  'professor|president|director|founder|co-founder|author|editor|chair|chairman|chairwoman|head|chief|ceo|cto|lawyer|lecturer|researcher|minister|mayor|senator|engineer|scientist|physician|journalist|artist|composer|singer|actor|actress|writer|poet|inventor';
const apposed = new RegExp(
  String.raw`^["”’']?(?:\s{0,2}\([^()]{1,40}\))?,\s(?:(?:an?|the|one of|our)\s|(?:\p{Ll}{2,20}\s){0,3}(?:${roles})\s(?:of|at|in|and|for|on)\s)`,
  'iu',
);
/** "Stanford law professor Lawrence Lessig". */
const roleBefore = new RegExp(String.raw`\b(?:\p{L}{2,20}\s){1,3}(?:${roles})\s$`, 'iu');
/** "Retrieval-Augmented Generation (RAG) is a …": the name in brackets, and what it is short for before them. */
const bracketed = /\p{L}[\p{L}\p{N}’'-]{0,40}\s?\(\s?["“]?$/u;
const closing = /^["”]?\s?\)/u;
const emerged = /^(?:,[^,]{1,60},)?\s(?:(?:has|have)\s)?(?:emerged|become|became|serves?|acts?|aims?)\s(?:as|to)\s/iu;
const glossed = /^["”’'*_]{0,3}\s?(?::|—|–|\s-)\s\p{L}/u;
const does =
  /^["”’']?\s{1,2}(?:provides?|lets?|allows?|enables?|makes?|helps?|offers?|combines?|works?|gives?|contains?|describes?)\s/iu;
const introduced =
  /\b(?:called|termed|named|dubbed|known\sas|proposes?d?|introduced?s?|present(?:s|ed)?|defined?s?|we\scall(?:\s(?:this|it|them|these))?)\s(?:(?:an?|the|our|new|novel|simple)\s){0,3}["“‘'*_]{0,3}$/iu;
const appositionOf = /\b(?:an?|our|the\sfirst)\s[^.,;:]{3,80},\s(?:the\s)?["“‘'*_]{0,3}$/iu;
/** What stood in apposition ends there. */
const closed = /^["”’'*_]{0,3}(?:[,.;)]|$)/u;
/** "Microsoft Corporation". */
const restOfName =
  /^\s(?:Corporation|Corp\.|Company|Inc\.?|Ltd\.?|Limited|LLC|GmbH|AG|plc|Foundation|Institute)(?=[\s,])/u;
const subjectFirst = /^(?:[\d.\s#*•-]{0,8})(?:an?|the|our|this)?\s?["“‘'*_]{0,3}$/iu;
/** "We call the resulting machine X". */
const named =
  /\b(?:we|they|authors|people|is|are)\s(?:call|called|name|named|term|termed)\s(?:the|this|our|its|these)\s[^.,;:]{2,60}(?<!\s(?:of|in|for|to|by|with|at|on))\s["“‘'*_]{0,3}$/iu;
/** What is introduced is no longer name: "a project named X Protection". */
const longer = /^\s\p{Lu}/u;
/** Nothing but the long form stands before the brackets. */
const opensWithName = /^[\d.\s#*•-]{0,8}(?:\p{L}[\p{L}\p{N}’'-]{0,40}\s){0,6}\p{L}[\p{L}\p{N}’'-]{0,40}\s?\(\s?["“]?$/u;
const longestBefore = 90;
/** A piece that fits no better only speaks of it. */
const leastDefinition = 0.9;
const longestAfter = 70;
/** Fit of a piece that speaks of what is asked for, and does not say what it is. */
export const onlySpeaks = 0.2;
/** Fit of one that tells how it compares with its like: better than none. */
const comparison = 0.6;
/** Pieces of at most so many characters are read whole. */
const wholePiece = 600;
/** Lines end in a word after so many of its letters at least. */
const shortestSyllable = 3;
const reach = { before: 200, after: 160 };

/** 0..1: how plainly the piece says what `defined` (of `definedIn`) is; 0.2 where it only speaks of it. */
export function definitionFit(defined: string, piece: string): number {
  const subject = defined.toLowerCase();
  let best = onlySpeaks;
  // Most pieces speak of something else, and so many letters of a word stand together wherever a line ends.
  const [opening = ''] = subject.slice(0, shortestSyllable).split(/\s/u);
  if (!piece.toLowerCase().includes(opening)) return best;
  for (const { start, end } of around(subject, piece)) {
    const written = joinLineEndHyphens(piece.slice(start, end), piece).replace(/\s+/gu, ' ');
    best = Math.max(best, fitWithin(subject, written, start === 0));
  }
  return best;
}

/** Where the piece speaks of the subject, with what stands around it: a passage is read in no other place. */
function around(subject: string, piece: string): readonly { readonly start: number; readonly end: number }[] {
  if (piece.length <= wholePiece) return [{ start: 0, end: piece.length }];
  const text = piece.toLowerCase().replace(/\s/gu, ' ');
  const found: { start: number; end: number }[] = [];
  // The end of a line may stand within it.
  const sought = subject.slice(0, shortestSyllable);
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + sought.length)) {
    if (/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ')) continue;
    const [start, end] = [Math.max(0, at - reach.before), at + subject.length + reach.after];
    const last = found.at(-1);
    if (last && start <= last.end) last.end = end;
    else found.push({ start, end });
  }
  return found;
}

// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
function fitWithin(subject: string, written: string, isBeginning: boolean): number {
  const text = written.toLowerCase();
  let best = onlySpeaks;
  for (let at = text.indexOf(subject); at >= 0; at = text.indexOf(subject, at + subject.length)) {
    const end =
      at +
      subject.length +
      (/^(?:e?s)\b/u.exec(text.slice(at + subject.length, at + subject.length + 4))?.[0].length ?? 0);
    if (/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ') || /[\p{L}\p{N}-]/u.test(text[end] ?? ' ')) continue;
    const before = written.slice(Math.max(0, at - longestBefore), at);
    const rest = written.slice(end, end + longestAfter);
    const isShort = bracketed.test(before) && closing.test(rest);
    const after = (isShort ? rest.replace(closing, '') : rest).replace(restOfName, '');
    const isFirst =
      isBeginning && at < longestBefore && (subjectFirst.test(before) || (isShort && opensWithName.test(before)));
    if (compared.test(after)) best = Math.max(best, counted.test(after) ? onlySpeaks : comparison);
    else if (says.test(after)) best = Math.max(best, isFirst ? 1 : 0.9);
    else if (glossed.test(after) && isFirst) best = Math.max(best, 1);
    else if ((introduced.test(before) || named.test(before)) && !longer.test(rest)) best = Math.max(best, 0.95);
    else if (appositionOf.test(before) && closed.test(rest)) best = Math.max(best, 0.95);
    else if (apposed.test(after)) best = Math.max(best, isFirst ? 0.95 : 0.8);
    else if (isShort && emerged.test(after)) best = Math.max(best, isFirst ? 0.95 : 0.8);
    else if (roleBefore.test(before)) best = Math.max(best, 0.8);
    else if (said.test(after)) best = Math.max(best, isFirst ? 0.9 : 0.7);
    else if (isFirst && does.test(after)) best = Math.max(best, 0.7);
  }
  return best;
}

/** Does the piece say what is asked for? */
export const isDefinition = (defined: string, piece: string): boolean =>
  definitionFit(defined, piece) >= leastDefinition;
