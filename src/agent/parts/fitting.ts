// Whether what is said can be the answer to a part at all: an amount where one is asked for, a name for "who", the word of what is asked for, the thing and the
// time that were named. Words that merely meet are no answer. Rules over the forms of questions; whatever has no such form lacks nothing here. Pure.
import { analyzeQuestion } from '../../answer/question/question.ts';
import { likeness, termSet, termsOf } from '../../answer/question/terms.ts';
import { thingsCounted, typeFit } from '../../answer/question/typed-spans.ts';
import { lackedCode } from '../../text/codes.ts';
import { definedIn, definitionFit, onlySpeaks } from '../../text/definitions.ts';
import { findQuantities } from '../../text/quantities/quantities.ts';
import { findNames } from '../../text/words/names.ts';
import { amountAsked, saysAmount } from './amounts.ts';
import { isByline } from './fit/bylines.ts';
import { deedAsked, saysDeed, saysDoer } from './fit/deeds.ts';
import { isPriceOfAnother } from './fit/prices.ts';
import { tellsWhen } from './fit/when.ts';
import { asksName, givesName } from './fit/which.ts';
import type { Lack, Told } from './told.ts';
import { lackOfTime, withoutDates } from './told-time.ts';

/** So much of a claim is looked at. */
const mostLooked = 2_000;

/** What is known by its own form, or by its word. */
const fields: readonly { readonly asks: RegExp; readonly gives: RegExp; readonly name: string }[] = [
  {
    asks: /\blicen[cs]es?\b/iu,
    gives: /\blicen[cs]\w{0,8}|\bMIT\b|\bApache\b|\b[AL]?GPL|\bBSD\b|\bcopyright\b|\bpublic domain\b/iu,
    name: 'license',
  },
  { asks: /\b(?:phone|telephone|fax) number\b/iu, gives: /\d[\d ().-]{5,20}\d/u, name: 'number to call' },
  { asks: /\be-?mail address\b/iu, gives: /\w@\w/u, name: 'address' },
  {
    asks: /\b(?:trading|ticker|stock) symbols?\b|\bticker\b/iu,
    gives: /\b(?:symbols?|tickers?|NASDAQ|NYSE)\b/iu,
    name: 'symbol',
  },
  {
    asks: /\bexchange\b.{1,80}\b(?:listed|traded|registered)\b|\b(?:listed|traded) on (?:which|what) exchange\b/iu,
    gives: /\b(?:stock )?(?:exchange|market)\b|\bNASDAQ\b|\bNYSE\b/iu,
    name: 'exchange',
  },
  { asks: /\bauditors?\b/iu, gives: /\baudit\w*|\baccounting firm\b|\bLLP\b/iu, name: 'auditor' },
  {
    asks: /\b(?:stable release|(?:current|latest|stable|newest) version|version number)\b/iu,
    gives: /\p{Nd}\.\p{Nd}/u,
    name: 'version',
  },
];

const asksCost = /^(?:how much|what) (?:do|does|did|will|would|can) .{1,200} costs?\b|^for how much\b/iu;
const givesMoney = /[$€£¥₹]|\b(?:free|no charge|dollars?|euros?|pounds?|cents?|USD|EUR|GBP|price[ds]?|costs?)\b/iu;

const asksIncorporated = /^(?:when|where|in (?:what|which) .{1,20}) (?:is|was|were) .{1,200} incorporated\b/iu;
const cameAbout = /\b(?:incorporat\w*|formed|formation|founded|organi[sz]ed|established)\b/iu;
const byReference =
  /\bincorporat\w{1,4} (?:\p{Ll}+ )?(?:by reference|into|herein)\b|\bincorporates? .{1,60}\breference\b/iu;

const roles: readonly (readonly [asks: RegExp, gives: RegExp])[] = [
  [/\b(?:CEO|chief executive(?: officer)?)\b/iu, /\bCEO\b|\bchief executive\b/iu],
  [/\b(?:CFO|chief financial officer)\b/iu, /\bCFO\b|\bchief financial\b/iu],
  [/\b(?:COO|chief operating officer)\b/iu, /\bCOO\b|\bchief operating\b/iu],
  [/\b(?:CTO|chief technology officer)\b/iu, /\bCTO\b|\bchief technology\b/iu],
  [/\bpresident\b/iu, /\bpresident\b/iu],
  [/\b(?:chair|chairman|chairwoman|chairperson)\b/iu, /\bchair\w{0,8}/iu],
];
const seats = /^where\b.{1,200}\b(?:headquarter(?:s|ed)|offices?|based)\b/iu;
const givesSeat = /\boffices?\b|\bheadquarter|\bbased in\b|\blocated\b|\baddress\b/iu;
const asksPlace =
  /^where (?:is|are|was|were) .{1,200} (?:incorporated|based|headquartered|located|founded|born|established|registered)\b/iu;

const asksAuthor = /^who (?:wrote|authored|has written|penned)\b|^who (?:is|are|was|were) (?:the |its )?authors?\b/iu;
const givesAuthor =
  /\bby \p{Lu}|©|\/ \p{Lu}\p{Ll}|\b[Cc]opyright\b|\b[Aa]uthors?\b|\b(?:wrote|written|writes|penned|published|composed|posted|edited)\b|\p{Lu}\p{Ll}+['’]s\b/u;

/** How long, without a figure. */
const tellsLength =
  /\b(?:until|till|since|from .{1,80} to|during|throughout|for ?ever|permanent\w*|indefinite\w*|unlimited|always|overnight|life(?:time|long)?|(?:hour|day|night|week|month|season|year|decade|centur)\p{L}{0,4}|generations?)\b/iu;

const figure = /\p{Nd}/u;
const spelled =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|billions?|half|third|quarter|dozens?|once|twice|both|none|double|single)\b/iu;
/** "Three hundred and eighty pounds". */
const isMeasured = (text: string): boolean =>
  findQuantities(text).some(
    ({ unit }) => unit !== undefined && unit.dimension !== 'time' && unit.dimension !== 'months',
  );

/** Names that no other word can be taken for: of code, of articles in a list. */
const identifier =
  /(?<![\p{L}\p{N}_-])(?:(?=[\p{L}\p{N}]{0,40}_)[\p{L}\p{N}_]{3,80}|\p{Lu}{2,12}-?\p{Nd}{2,12}|\p{Ll}{2,30}\p{Lu}[\p{L}\p{N}]{1,60})(?![\p{L}\p{N}_])/gu;

/** Undefined where nothing is wanting. `asked`: a question that asks one thing. */
export function lackOf(asked: string, told: Told): Lack | undefined {
  const text = told.text.slice(0, mostLooked);
  const question = asked.replace(/\s+/gu, ' ').trim();
  if (addsNothing(question, text)) return { isWithout: true, reason: 'only names it' };
  if (speaksOfNothing(question, { ...told, text })) return { isWithout: true, reason: 'says nothing of it' };
  return (
    lackOfName(question, { ...told, text }) ??
    lackOfForm(question, { ...told, text }) ??
    lackOfAmount(question, { ...told, text })
  );
}

/** No word and no figure that the question does not hold: a heading, a label. */
function addsNothing(question: string, text: string): boolean {
  const own = termSet(text);
  return (
    own.size > 0 &&
    !/^(?:is|are|was|were|do|does|did|has|have|can)\b/iu.test(question) &&
    own.isSubsetOf(termSet(question))
  );
}

/** No word of what is asked of what is named: it only stands where that is spoken of. Who did something is said in many words. */
function speaksOfNothing(question: string, { text, columns, over }: Told): boolean {
  const names = findNames(question).filter(({ initial }) => !initial);
  if (names.length === 0 || /^(?:by )?who/iu.test(question)) return false;
  const wanted = termSet(question).difference(termSet(names.map((name) => name.text).join(' ')));
  return wanted.size > 1 && wanted.isDisjointFrom(termSet(`${text}\n${columns}\n${over}`));
}

function lackOfForm(question: string, { text, columns, over }: Told): Lack | undefined {
  const said = `${text}\n${columns}\n${over}`;
  const field = fields.find(
    ({ asks }) => /^(?:(?:on|under|at|to) )?(?:what|which|under|who)\b/iu.test(question) && asks.test(question),
  );
  if (asksName.test(question) && !isRow(text) && !givesName(question, text))
    return { isWithout: true, reason: 'names none' };
  if (field && !field.gives.test(said)) return { isWithout: true, reason: `names no ${field.name}` };
  if (asksCost.test(question) && !givesMoney.test(`${text}\n${columns}`))
    return { isWithout: true, reason: 'tells no price' };
  if (asksIncorporated.test(question) && (byReference.test(text) || !cameAbout.test(text)))
    return { isWithout: true, reason: 'does not say that it was incorporated' };
  if (seats.test(question) && !givesSeat.test(text)) return { isWithout: false, reason: 'tells of no office' };
  const asks = analyzeQuestion(question);
  if (asksPlace.test(question) && asks.type === 'place' && typeFit(asks, text) < 1)
    return { isWithout: false, reason: 'names no place' };
  const untimed = lackOfSpan(question, asks, text);
  if (untimed) return untimed;
  // "What is the commission?" asks for the one that applies, not for what a commission is.
  const asksWhat = asks.type === 'definition' && !/^what (?:is|was|are|were) (?:the|its|their)\b/iu.test(question);
  const defined = asksWhat ? definedIn(question) : undefined;
  if (defined !== undefined && definitionFit(defined, text) <= onlySpeaks)
    return { isWithout: false, reason: 'only speaks of it' };
  return lackOfPerson(question, asks, { text, columns, over });
}

/** No time for "when", no length of time for "how long". */
function lackOfSpan(question: string, asks: ReturnType<typeof analyzeQuestion>, text: string): Lack | undefined {
  if (/^when\b/iu.test(question) && asks.type === 'date' && typeFit(asks, text) === 0 && !tellsWhen(question, text))
    return { isWithout: false, reason: 'tells no time' };
  if (/^how long\b/iu.test(question) && !figure.test(text) && !spelled.test(text) && !tellsLength.test(text))
    return { isWithout: false, reason: 'tells no length of time' };
  return undefined;
}

/** Nobody for "who", or nobody of that role. */
function lackOfPerson(
  question: string,
  asks: ReturnType<typeof analyzeQuestion>,
  { text, columns, over }: Pick<Told, 'text' | 'columns' | 'over'>,
): Lack | undefined {
  const said = `${text}\n${columns}\n${over}`;
  if (asksAuthor.test(question) && !isRow(text) && !givesAuthor.test(text) && !isByline(text))
    return { isWithout: true, reason: 'names no author' };
  if (!/^(?:in |at |by |to )?who(?:m)?\b/iu.test(question) || asks.type !== 'person') return undefined;
  const deed = deedAsked(question);
  const others = (written: string): string => withoutNames(question, withoutTitles(withoutDates(written)));

  // Whom a title names is said of a deed by a pronoun alone.
  const people = deed && !isRow(text) && !meansSomebody.test(text) ? `${text}\n${columns}` : said;
  const fit = typeFit(asks, others(people));
  const isDone = deed === undefined || isByline(text) || saysDeed(deed, said);
  if (fit === 0 && deed && isDone && saysDoer(text)) return undefined;
  if (fit === 0) return { isWithout: people === said || typeFit(asks, others(said)) === 0, reason: 'names nobody' };
  if (!isDone) return { isWithout: false, reason: `does not say who ${deed.verb} it` };
  const role = roles.find(([pattern]) => /^who (?:is|was|are|were)\b/iu.test(question) && pattern.test(question));
  if (role && !role[1].test(`${text}\n${columns}`)) return { isWithout: false, reason: 'does not speak of that role' };
  const isNamed = typeFit(asks, others(text)) > 0;
  return role && !isNamed ? { isWithout: true, reason: 'names nobody' } : undefined;
}

const meansSomebody = /\b(?:he|she|they|his|her|their|we|our|i|my)\b/iu;
/** What is written with capitals and is nobody's name: titles of people, of filings, and whole headings. */
const titles =
  /\b(?:Chief (?:Executive|Financial|Operating|Technology) Officers?|CEO|CFO|COO|CTO|Annual Report|Form \d+-\p{L}|(?:\p{Lu}\p{Ll}+ ){1,3}Act|Board of Directors|Exhibit|Certifications?|Section|Sarbanes-Oxley|Vice President|President|Company|Rules?)\b|(?<!\p{L})(?:\p{Lu}{2,40} ){2,30}\p{Lu}{2,40}(?!\p{L})/gu;
/** Who founded Stripe is not Stripe. "Who is Ada Brook?" asks for what the name itself stands for. */
function withoutNames(question: string, text: string): string {
  if (/^who (?:is|was|are|were) \p{Lu}/u.test(question)) return text;
  return findNames(question)
    .filter(({ initial }) => !initial)
    .reduce((rest, { text: name }) => rest.replaceAll(name, ' '), text);
}
const withoutTitles = (text: string): string => text.replace(titles, ' ');

const isRow = (text: string): boolean => text.includes(' | ');

/** What a name of its own stands for has to be spoken of; a row is of what it names itself. */
function lackOfName(question: string, { text, columns, over, before }: Told): Lack | undefined {
  const around = `${text}\n${columns}\n${over}\n${isRow(text) ? '' : before}`.toLowerCase();
  const named = [...question.matchAll(identifier)].map(([one]) => one);
  const missing =
    named.find((one) => !around.includes(one.toLowerCase())) ?? lackedCode(question, [text, columns, over, before]);
  return missing === undefined ? undefined : { isWithout: false, reason: `does not speak of ${missing}` };
}

function lackOfAmount(question: string, told: Told): Lack | undefined {
  const { text, columns, over } = told;
  const amount = amountAsked(question);
  const counts = /\bhow many\b(?! times)/iu.test(question);
  if (!counts && amount === undefined && !/^how much\b/iu.test(question)) return undefined;
  const values = withoutDates(text);
  if (!figure.test(values) && !((counts || amount === undefined) && spelled.test(values)) && !isMeasured(values))
    return { isWithout: true, reason: 'gives no figure' };
  const said = `${text}\n${columns}\n${over}`;
  if (amount && /^(?:prices?|costs?|fees?)$/iu.test(amount.noun) && !givesMoney.test(said) && columns === '')
    return { isWithout: true, reason: 'tells no price' };
  if (isPriceOfAnother(question, told)) return { isWithout: false, reason: 'tells the price of something else' };
  if (counts && !isCounted(question, told)) return { isWithout: false, reason: 'counts something else' };
  if (amount && !saysAmount(amount, said))
    return { isWithout: false, reason: `does not say the ${amount.words.join(' ')}` };
  return lackOfTime(question, told);
}

/** "798,000", "$12", "120+": and no "333-145147". */
const countOf = /^[^\p{L}\p{N}]{0,3}\p{Nd}[\p{Nd}.,']*(?:\p{L}{1,2}|%|\+)?[^\p{L}\p{N}-]{0,3}$/u;
/** How many words a figure may stand before what it counts, and behind its label. */
const [mostBefore, mostBehind] = [6, 4];

/** A figure stands beside what is counted; a row leaves it to its table to say what that is. */
function isCounted(question: string, { text, columns, over, before }: Told): boolean {
  const wanted = termsOf(
    thingsCounted(question)
      .map(({ word }) => word)
      .join(' '),
  ).map(({ term }) => term);
  if (wanted.length === 0) return true;
  if (isRow(text) || columns !== '') {
    // A row leaves it to its table to say what it counts: somewhere there it has to be said.
    const held = termsOf(`${text}\n${columns}\n${over}\n${before}`).map(({ term }) => term);
    return wanted.some((one) => held.some((term) => likeness(one, term) >= 0.5));
  }
  const isThing = (word: string): boolean =>
    termsOf(word).some(({ term }) => wanted.some((one) => likeness(one, term) >= 0.5));
  const words = withoutDates(text).split(/\s+/u, 300);
  const isFigure = (word: string | undefined): boolean =>
    word !== undefined && (countOf.test(word) || spelled.test(word));
  return words.some(
    (word, at) =>
      isThing(word) &&
      (words.slice(Math.max(0, at - mostBefore), at + 1).some(isFigure) ||
        words.slice(at + 1, at + 1 + mostBehind).some((next) => figure.test(next))),
  );
}
