// Two statements that are the same word for word but for one name, where only one name can stand: who holds a role, who did what is done once, where
// something happened. Invariant: it errs towards silence. What any number of people may do or be ("works in", "is a member of") contradicts nothing, and
// both must speak of the same thing by a name or a figure that they share. Pure.
import type { Token } from '../support/tokens.ts';

interface Worded {
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** Names are so long at most. */
const longestName = 4;
/** Without a name or figure in common so many words have to agree. */
const leastUnanchored = 6;
const leastShared = 2;

const role =
  '(?:CEO|CFO|CTO|chief executive(?: officer)?|chief investment officer|president|vice president|chancellor|prime minister|king|queen|pope|mayor|governor|chair(?:man|woman|person)?|head coach|captain|champions?|winners?|runners?-up|director|capital)';
const done =
  '(?:directed|written|founded|invented|discovered|composed|painted|designed|acquired|owned|bought|purchased|won|led|portrayed|played|hosted|published|created|developed|built|authored|contested)';
const happened =
  '(?:held|played|takes? place|took place|taken place|located|situated|born|died|headquartered|based|hosted|stands?|stood|lies|lay|buried|signed|stadium)';
/** Before the one name: "CEO ", "directed by ", "was held at Raymond James Stadium in ", "is awarded to the novelist ". */
const beforeOne = new RegExp(
  String.raw`\b(?:${role}(?:\s(?:is|was|are|were|of\s[^.;]{1,40}\s(?:is|was)))?[:,]?|${done}\sby|(?:awarded|given|went|goes|presented)\sto(?:\sthe\s\p{Ll}{1,20})?|${happened}\b[^.;]{0,60}\s(?:in|at|to)|(?:moved?|moving)\b[^.;]{0,80}\s(?:in|at|to)|roles?\sof)\s*$`,
  'iu',
);
/** After it, where it does or is what one alone does or is. */
const afterOne = new RegExp(
  String.raw`^(?:,[^,.;]{1,60},)?\s?(?:,\s(?:the\s|its\s|their\s)?${role}\b|(?:is|was|were|are|became|becomes|remains|has\sbeen)\s(?:now\s)?the\s|(?:was|were|is|are)\s(?:cast|elected|re-elected|appointed|named|awarded|chosen|crowned)\b[^.]{0,80}\bthe\b|(?:has\s|have\s)?(?:won|wins|clinched|clinches)\b|(?:defeat(?:s|ed)|beats?)\b[^.]{0,120}\b(?:final|title|championships?|win)\b|(?:co-)?(?:directed|founded|invented|discovered|composed|wrote|painted|acquired|bought|designed|hosted|leads|led)\b|made\s(?:a\sbid\sto\s(?:buy|acquire)|history)\b|plays\s\p{Lu}|(?:won|hosts?)\b)`,
  'u',
);
/** What one alone does, wherever the name stands in the sentence. */
const anywhere = /^(?:was|were|is|are)\s(?:cast|elected|re-elected|appointed|named|awarded|chosen|crowned)\b/u;

const isNameLike = ({ text, type, lower, quantity, date }: Token): boolean =>
  type === 'word' &&
  quantity === undefined &&
  date === undefined &&
  (/^\p{Lu}/u.test(text) || /^(?:of|de|van|von|der|la|al|bin)$/u.test(lower));

/** The first of the words that both share, where one name stands for another; undefined where that contradicts nothing. */
export function swappedName(left: Worded, right: Worded): readonly Token[] | undefined {
  const [mine, theirs] = [left.tokens, right.tokens];
  const most = Math.min(mine.length, theirs.length);
  let from = 0;
  while (from < most && mine[from]?.lower === theirs[from]?.lower) from += 1;
  let behind = 0;
  while (behind < most - from && mine[mine.length - 1 - behind]?.lower === theirs[theirs.length - 1 - behind]?.lower)
    behind += 1;
  const [own, other] = [mine.slice(from, mine.length - behind), theirs.slice(from, theirs.length - behind)];
  if (!isName(own) || !isName(other)) return undefined;
  if (own.some(({ lower }) => other.some((one) => one.lower === lower))) return undefined;
  const before = mine.slice(0, from);
  const after = mine.slice(mine.length - behind);
  const shared = [...before, ...after].filter(({ content, type }) => content && type !== 'mark');
  const isAnchored = shared.some(({ name, quantity, date }) => name || quantity !== undefined || date !== undefined);
  if (shared.length < (isAnchored ? leastShared : leastUnanchored)) return undefined;
  const [first, last] = [own[0] as Token, own.at(-1) as Token];
  const said = left.text.slice(Math.max(0, first.start - 160), first.start);
  const next = left.text.slice(last.end, last.end + 240).trimStart();
  // Behind other words the name may be the object of what they say, or one of several.
  const isSubject = before.every(({ content, date }) => !content || date !== undefined);
  if (beforeOne.test(said) || anywhere.test(next) || (isSubject && afterOne.test(next))) return shared;
  return undefined;
}

const isName = (tokens: readonly Token[]): boolean =>
  tokens.length > 0 &&
  tokens.length <= longestName &&
  tokens.every(isNameLike) &&
  /^\p{Lu}/u.test(tokens[0]?.text ?? '');
