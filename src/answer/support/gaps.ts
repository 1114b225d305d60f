// The small words between two words of a claim must be those that stand between them in the quote, and what the claim leaves
// out there must not hold another subject or another figure in the same place. Without this a claim could trade "by" for
// "for", put "which" where a verb stood, or join the subject of one clause with the predicate of the next.
import type { Alignment } from './align.ts';
import type { Token } from './tokens.ts';

const classes = new Map<string, string>();
for (const group of [
  'in on at within inside upon during throughout im am auf',
  'to into onto toward towards',
  'by von durch',
  'for für',
  'from aus',
  'with mit',
  'against gegen',
  'between zwischen',
  'among amongst amid',
  'through via across',
  'after following nach',
  'before vor',
  'since seit',
  'until till bis',
  'despite trotz',
  'like such as wie als',
  'than',
  'because wegen weil',
  'while whereas whilst während',
  'although though obwohl',
  'when wenn',
  'where wo',
  'which who whom whose what',
  'other another else',
  'same',
  'own',
  'about around',
  'over above über',
  'under below beneath unter',
  'near beside besides alongside',
  'per',
  'without ohne',
  'beyond',
  'behind hinter',
  'concerning regarding',
  'he him his er ihm ihn',
  'she her hers',
  'they them their theirs',
  'we us our ours wir uns unser',
  'you your yours',
  'i me my mine ich mich mir mein',
]) {
  const [name, ...rest] = group.split(' ') as [string, ...string[]];
  for (const word of [name, ...rest]) classes.set(word, name);
}
/** Left out between two neighbours of the quote, these change what is said. */
const binding = new Set(
  'by for from with against between after before since until despite than without over under'.split(' '),
);
const modals = new Map<string, string>([
  ['will', 'will'],
  ['shall', 'will'],
  ['would', 'would'],
  ['should', 'should'],
  ['ought', 'should'],
  ['must', 'must'],
]);
const obliging = /^(?:must|have|has|had|need|needs|needed|required)$/u;
const breaks =
  /^(?:,|;|:|—|–|\(|and|or|but|while|whereas|when|where|because|since|although|though|that|which|who|whom|whose|if|as|with|until|so|und|oder|aber|dass|daß|weil|während|wobei|der|die|das)$/u;
const subjects = /^(?:he|she|it|they|we|i|you|there|this|these|those|er|sie|es|wir)$/u;
const passedOver =
  /^(?:is|are|was|were|be|been|being|has|have|had|do|does|did|will|would|can|could|may|might|must|should|shall|not|never|no|also|then|later|still|both|often|ever|n't|ist|sind|war|waren|wird|wurde|wurden|hat|haben|hatte|nicht|auch|sich)$/u;
const listMarks = /^(?:,|;|and|or|&|the|a|an|und|oder|sowie|der|die|das|-)$/u;

const isTimed = (token: Token): boolean => token.type === 'date' || token.type === 'number';
const isName = (token: Token): boolean => token.name || (token.content && /^\p{Lu}/u.test(token.text));

/** Adds what is wrong with the gaps between the aligned words of the claim. */
export function checkGaps(
  claim: readonly Token[],
  quote: readonly Token[],
  alignment: Alignment,
  problems: string[],
): void {
  const add = (problem: string): void => {
    if (!problems.includes(problem)) problems.push(problem);
  };
  let previous = -1;
  let previousThere = -1;
  let highest = -1;
  for (const [at, token] of claim.entries()) {
    if (!token.content) continue;
    const there = alignment.toQuote[at] as number;
    if (there < 0) {
      if (previous === -1) checkLoose(claim.slice(0, at), quote, token, add);
      previousThere = -2;
      previous = at;
      continue;
    }
    highest = Math.max(highest, there);
    if (previous === -1) {
      checkLoose(claim.slice(0, at), quote, token, add);
      const lead = quote.slice(Math.max(0, there - 3), there).filter((other) => !other.content);
      if (lead.some((other) => other.lower === 'than') && !claim.slice(0, at).some((other) => other.lower === 'than'))
        add('relation-changed: than → none');
    }
    if (previousThere >= 0 && previousThere < there) {
      const mine = claim.slice(previous + 1, at);
      const theirs = quote.slice(previousThere + 1, there);
      const reordered = theirs.some((other, index) => other.content && alignment.used[previousThere + 1 + index]);
      if (!reordered) {
        compareGaps(mine, theirs, [token, quote[there] as Token], add);
        const joined = mine.some((other) => /^(?:and|or|but|und|oder|aber)$/u.test(other.lower));
        const found = joined ? namedSubject(theirs, token) : otherSubject(theirs);
        const intruder = mine.some((other) => other.lower === found?.lower) ? undefined : found;
        if (intruder) add(`subject-changed: ${intruder.text} → ${(claim[previous] as Token).text}`);
        const rival = otherFigure(mine, theirs, token);
        if (rival)
          add(
            `${token.type === 'date' ? 'date' : isTimed(token) ? 'number' : 'name'}-changed: ${rival.text} → ${token.text}`,
          );
      }
    }
    previous = at;
    previousThere = there;
  }
  if (previousThere >= 0)
    checkLoose(
      claim.slice(previous + 1),
      previousThere === highest ? quote.slice(previousThere + 1) : quote,
      undefined,
      add,
    );
  checkOne(claim, quote, alignment, add);
  checkTitles(claim, quote, add);
}

const classesOf = (tokens: readonly Token[]): Set<string> => {
  const found = new Set<string>();
  for (const token of tokens) {
    if (token.type !== 'word') continue;
    const name = classes.get(token.lower);
    if (name !== undefined) found.add(name);
  }
  return found;
};

/** Small words in front of the first and behind the last word of the claim. */
function checkLoose(
  mine: readonly Token[],
  quote: readonly Token[],
  next: Token | undefined,
  add: (problem: string) => void,
): void {
  const isTime = next === undefined || isTimed(next) || isName(next);
  const theirs = classesOf(quote);
  for (const token of mine) {
    const name = token.type === 'word' && !token.content ? classes.get(token.lower) : undefined;
    if (name !== undefined && !(name === 'in' && isTime) && !theirs.has(name)) add(`not-in-quote: ${token.text}`);
    const modal = modals.get(token.lower);
    if (
      modal &&
      !quote.some((other) => modals.get(other.lower) === modal || (modal === 'must' && obliging.test(other.lower)))
    )
      add(`modality-added: ${token.text}`);
    const isLoose = token.type !== 'word' || token.content || name !== undefined || beForm.test(token.lower);
    if (!isLoose && /^\p{Ll}/u.test(token.text) && standsForContent(token, quote)) add(`not-in-quote: ${token.text}`);
  }
}

// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
function compareGaps(
  mine: readonly Token[],
  theirs: readonly Token[],
  [next, nextThere]: readonly [Token, Token],
  add: (problem: string) => void,
): void {
  const [here, there] = [classesOf(mine), classesOf(theirs)];
  const skipped = theirs.some((token) => token.content);
  const timed = isTimed(next);
  const loose = (name: string): boolean =>
    (name === 'in' && (timed || !skipped)) ||
    (timed && /^(?:from|to|between|about|until|for)$/u.test(name) && !hasBinding(there)) ||
    (name === 'like' && !skipped) ||
    // "Below 1000" may be read as a year here and as a bounded number there.
    (next.type !== nextThere.type && (nextThere.quantity?.bound ?? 'exact') !== 'exact');
  for (const token of mine) {
    if (token.type !== 'word' || token.content) continue;
    const titled = /^\p{Lu}\p{Ll}/u.test(token.text) && !theirs.some((other) => other.lower === token.lower);
    if (skipped && (titled || standsForContent(token, theirs))) add(`not-in-quote: ${token.text}`);
    const name = classes.get(token.lower);
    const infinitive = name === 'to' && token === mine.at(-1) && /^\p{Ll}/u.test(next.text) && next.type === 'word';
    if (name !== undefined && !there.has(name) && !(infinitive && !hasBinding(there)) && !loose(name))
      add(`not-in-quote: ${token.text}`);
    const modal = modals.get(token.lower);
    if (
      modal &&
      !theirs.some((other) => modals.get(other.lower) === modal || (modal === 'must' && obliging.test(other.lower)))
    )
      add(`modality-added: ${token.text}`);
  }
  const until = theirs.findLastIndex((token) => token.lower === 'to');
  if (
    !timed &&
    until > 0 &&
    theirs[until - 1]?.lower === 'up' &&
    !here.has('to') &&
    !theirs.slice(until).some((token) => token.content)
  )
    add('relation-changed: up to → none');
  const last = theirs.findLastIndex((token) => token.content);
  for (const token of theirs.slice(last + 1)) {
    const name = token.type === 'word' ? classes.get(token.lower) : undefined;
    if (name === undefined || here.has(name) || !binding.has(name)) continue;
    if (timed && /^(?:from|between|for)$/u.test(name)) continue;
    add(`relation-changed: ${token.lower} → ${mine.find((other) => classes.has(other.lower))?.lower ?? 'none'}`);
  }
}

const neutral =
  /^(?:a|an|the|this|that|these|those|and|or|but|of|to|do|does|did|has|have|had|having|also|too|then|thus|therefore|hence|however|moreover|furthermore|still|even|just|very|quite|rather|so|as|s|not|no|der|die|das|den|dem|des|ein|eine|einer|einem|einen|und|oder|aber|auch|dass|hat|haben|hatte|nicht)$/u;
const beForm = /^(?:is|are|was|were|be|been|being|ist|sind|war|waren|wird|wurde|wurden)$/u;

/** A small word where the quote has a content word that the claim left out: "the *several* indicator" for "the engine indicator". */
function standsForContent(token: Token, theirs: readonly Token[]): boolean {
  if (neutral.test(token.lower) || modals.has(token.lower) || /^(?:may|might|can|could)$/u.test(token.lower))
    return false;
  if (beForm.test(token.lower)) return !theirs.some((other) => beForm.test(other.lower) || other.text === ',');
  if (token.quantifier) return !theirs.some((other) => other.quantifier);
  if (classes.has(token.lower)) return false;
  return !theirs.some((other) => other.lower === token.lower);
}

const hasBinding = (names: ReadonlySet<string>): boolean => [...names].some((name) => binding.has(name));

/** The subject of a clause of its own right in front of the later word: "A did x, and *B* did y" gives no "A did y". */
function otherSubject(theirs: readonly Token[]): Token | undefined {
  if (theirs.every((token) => !token.content || isName(token) || isTimed(token)))
    if (theirs.every((token) => token.content || listMarks.test(token.lower))) return undefined;
  let at = theirs.length - 1;
  while (at >= 0) {
    const token = theirs[at] as Token;
    if (token.type === 'word' && (passedOver.test(token.lower) || (/ly$/u.test(token.lower) && !token.name))) at -= 1;
    else break;
  }
  const subject = theirs[at];
  if (!subject || subject.type === 'mark') return undefined;
  const isPronoun = !subject.content && subjects.test(subject.lower);
  const isRelative = !subject.content && /^(?:that|which|who)$/u.test(subject.lower);
  if (!subject.content && !isPronoun && !isRelative) return undefined;
  if (isTimed(subject)) return undefined;
  if (isPronoun || isRelative) return theirs.slice(0, at).some((token) => token.content) ? subject : undefined;
  for (let other = at - 1; other >= 0; other -= 1) {
    if (!breaks.test((theirs[other] as Token).lower)) continue;
    return theirs.slice(0, other).some((token) => token.content) ? subject : undefined;
  }
  return undefined;
}

/** "A won and *B* lost" gives no "A won and lost". */
function namedSubject(theirs: readonly Token[], next: Token): Token | undefined {
  if (next.type !== 'word' || isName(next)) return undefined;
  let at = theirs.length - 1;
  while (at >= 0 && passedOver.test((theirs[at] as Token).lower)) at -= 1;
  const subject = theirs[at];
  return subject && (isName(subject) || (!subject.content && /^(?:he|she|they|er)$/u.test(subject.lower) && at > 1))
    ? subject
    : undefined;
}

/** A date, number or name under the same preposition that stands nearer, with a word of another kind in between. */
function otherFigure(mine: readonly Token[], theirs: readonly Token[], next: Token): Token | undefined {
  if (!(isTimed(next) || next.name)) return undefined;
  const marker = nearestClass(mine, mine.length);
  if (marker === '' || nearestClass(theirs, theirs.length) !== marker) return undefined;
  for (const [at, token] of theirs.entries()) {
    const alike = next.name ? token.name : token.type === next.type;
    if (!alike || nearestClass(theirs, at) !== marker) continue;
    const rest = theirs.slice(at + 1);
    if (rest.some((other) => other.content && !isName(other) && !isTimed(other))) return token;
  }
  return undefined;
}

function nearestClass(tokens: readonly Token[], at: number): string {
  for (let other = at - 1; other >= 0 && other >= at - 3; other -= 1) {
    const token = tokens[other] as Token;
    if (token.type === 'mark' || token.content) return '';
    const name = classes.get(token.lower);
    if (name !== undefined) return name;
  }
  return '';
}

/** "One" is no content word, "at least one" and "one percent" are quantities: the latter may not shrink to the former. */
function checkOne(
  claim: readonly Token[],
  quote: readonly Token[],
  alignment: Alignment,
  add: (problem: string) => void,
): void {
  for (const [at, token] of quote.entries()) {
    if (alignment.used[at] || token.quantity?.value !== 1 || token.quantity.bound === 'exact') continue;
    const follower = quote.findIndex((other, index) => index > at && other.content);
    if (follower < 0 || !alignment.used[follower]) continue;
    const mine = claim.findIndex((_, index) => alignment.toQuote[index] === follower);
    if (claim.slice(Math.max(0, mine - 3), mine).some((other) => /^(?:one|a|an|ein|eine)$/u.test(other.lower)))
      add(`bound-changed: ${token.quantity.bound} ${token.text} → one`);
  }
}

/** "About" in "Mad About You" stays beside "Mad" and "You": small words written as part of a name do not leave it. */
function checkTitles(claim: readonly Token[], quote: readonly Token[], add: (problem: string) => void): void {
  const isTitled = (token: Token | undefined): boolean =>
    token !== undefined && token.type === 'word' && /^\p{Lu}[\p{L}']/u.test(token.text);
  for (const [at, token] of claim.entries()) {
    if (at === 0 || token.content || !isTitled(token) || claim[at - 1]?.type === 'mark') continue;
    const there = [...quote.keys()].filter((other) => (quote[other] as Token).text === token.text);
    const fits = there.some((other) =>
      [-1, 1].every((step) => {
        const neighbour = quote[other + step];
        return !isTitled(neighbour) || neighbour?.lower === claim[at + step]?.lower;
      }),
    );
    if (there.length > 0 && !fits) add(`name-changed: ${token.text}`);
  }
}
