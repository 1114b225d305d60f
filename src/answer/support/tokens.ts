// Reads a sentence into the tokens that the support check compares: words with their inflection keys, quantities and dates
// as one token each, characters of scripts without spaces, and punctuation. `markScopes` (scopes.ts) says what each
// token stands under. Linear in the length of the text.

import { type DateMention, findDates } from '../../text/quantities/dates.ts';
import { findQuantities, type Quantity } from '../../text/quantities/quantities.ts';
import { cacheTexts } from '../../text/tokens/text-cache.ts';
import { type Quantifier, quantifierOf } from '../../text/words/hedges.ts';
import { inflectionKeys, lightStem } from '../../text/words/inflect.ts';
import { isAcronym } from '../../text/words/names.ts';
import { longForms } from '../../text/words/synonyms.ts';

export interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly lower: string;
  readonly type: 'word' | 'number' | 'date' | 'character' | 'mark';
  readonly keys: readonly string[];
  /** Takes part in coverage and order. */
  readonly content: boolean;
  /** Written as a name: capitalised inside a sentence, or an acronym. */
  readonly name: boolean;
  readonly possessive: boolean;
  readonly quantity: Quantity | undefined;
  readonly date: DateMention | undefined;
  readonly quantifier: Quantifier | undefined;
  /** It denies: "not", "never", "failed" (unless both sides have it). */
  readonly negates: boolean;
  /** Number of negations it stands under. */
  readonly negations: number;
  /** Sum of the doubts it stands under: 0 plain, 1 ability, 2 probable, 3 possible. */
  readonly doubt: number;
  readonly modality: string;
  readonly condition: '' | 'if' | 'then';
  readonly attributed: boolean;
  readonly asked: boolean;
}

export type Language = 'en' | 'de' | 'other';

export interface Reading {
  readonly text: string;
  readonly language: Language;
  readonly tokens: readonly Token[];
}

const english = new Set(
  (
    'a an the this that these those it its it’s he him his she her hers they them their theirs we us our ours you your i me my mine one ones who whom whose which what where when why how there here ' +
    'is am are was were be been being do does did done doing have has had having get gets got gotten will would shall should can could may might must ought need ' +
    'and or but nor so yet if then than as because while whereas although though since until till unless whether ' +
    'of in on at by for from to into onto with within without about against between among amid across through throughout during before after whilst amongst amidst above below over under near toward towards around along via per upon beside besides beyond behind despite except like unlike versus concerning regarding ' +
    'also too however thus therefore hence moreover furthermore additionally meanwhile still even just very quite rather such same own other another else ever again well e g i e eg ie etc ' +
    'not no never neither n’t cannot say namely indeed both either so-called itself himself herself themselves ourselves myself yourself thereby therein thereof whereby wherein s t d ll re ve m'
  ).split(' '),
);
const german = new Set(
  (
    'der die das den dem des ein eine einer einem einen eines und oder aber doch sondern denn als wie wenn weil dass daß ob da so dann auch noch schon nur sehr hier dort es er sie wir ihr ihm ihn ihnen ich du mich mir uns euch sich sein seine seiner seinem seinen seines ihre ihrer ihrem ihren unser mein dein ' +
    'ist sind war waren wird werden wurde wurden worden bin bist sei seien hat haben hatte hatten habe kann können konnte konnten muss müssen soll sollen sollte will wollen darf dürfen könnte könnten ' +
    'in im an am auf aus bei beim mit nach seit von vom vor zu zum zur für durch über unter zwischen gegen ohne um bis während wegen trotz innerhalb außerhalb ab nicht kein keine keinen keiner keinem nie niemals weder dieser diese dieses diesem diesen jener welche welcher welches man etwa so'
  ).split(' '),
);
const arabic = new Set(
  'في من على إلى الى عن أن ان إن هذا هذه التي الذي الذين و أو ثم كان كانت هو هي هم مع ما لا لم لن قد كل بعد قبل بين حتى كما ذلك تلك'.split(
    ' ',
  ),
);
const quietDoubt =
  /^(?:probably|likely|possibly|perhaps|maybe|potentially|presumably|apparently|seemingly|seems?|seemed|appears?|appeared|conceivably|reportedly|allegedly|supposedly|wahrscheinlich|vermutlich|möglicherweise|vielleicht)$/u;

/** "C++", "C#" and "A+" are words with their signs. */
const wordForm =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Hangul}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Hangul}])[\p{L}\p{M}\p{N}])+(?:(?:['’.](?=\p{L}\p{L}?(?!\p{L}))|['’](?=\p{L})|[.,:](?=\d)(?<=\d.))[\p{L}\p{M}\p{N}]+)*(?:\.|(?:\+{1,2}|(?<=(?<![\p{L}\p{N}])\p{L})#)(?![\p{L}\p{N}+#]))?|[^\s\p{L}\p{M}\p{N}]/gu;
const characterForm =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Hangul}]$/u;

const tellsEnglish = new Set('the of and is was were to are by with that for from has have it not on at as'.split(' '));
const tellsGerman = new Set(
  'der die das und ist nicht von mit den dem ein eine wurde wird sich auf für im zu des als auch am bei nach sind war waren vom zum zur eines einer oder kein keine durch über laut'.split(
    ' ',
  ),
);

/** English, German or neither, from the function words. */
export function languageOf(text: string): Language {
  let en = 0;
  let de = 0;
  for (const match of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const word = match[0];
    if (tellsEnglish.has(word)) en += 1;
    else if (tellsGerman.has(word) || /[äöüß]/u.test(word)) de += 1;
    if (en + de > 60) break;
  }
  if (de > en) return 'de';
  if (en === 0 && !/[a-z]/iu.test(text)) return 'other';
  return 'en';
}

/** Digits and punctuation that only differ in script, one for one, so that offsets stay. */
export function plainMarks(text: string): string {
  const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  let out = text.replace(/[’‘ʼ]/gu, "'").replace(/[‐‑]/gu, '-');
  if (wide) out = out.replace(/[０-９Ａ-Ｚａ-ｚ％．]/gu, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0));
  return out
    .replace(/[٠-٩]/gu, (char) => String.fromCharCode(char.charCodeAt(0) - 0x660 + 48))
    .replace(/[۰-۹]/gu, (char) => String.fromCharCode(char.charCodeAt(0) - 0x6f0 + 48));
}

/** Texts that were cut into words set marks apart: "$ 160 million", "12 %", "2007 -- 08", "May 6 , 1975". Read as they are usually written. */
export function tighten(text: string): string {
  if (!/ [,;:!?%'’]|[$£€] \d|\d ?-- ?\d/u.test(text)) return text;
  return text
    .replace(/(?<=[$£€]) (?=\d)/gu, '')
    .replace(/(?<=\d) (?=%)/gu, '')
    .replace(/(?<=\d) ?-- ?(?=\d)/gu, '–')
    .replace(/(?<=\p{L}) (?=['’]s\b)/gu, '')
    .replace(/(?<=[\p{L}\d]) (?=[,;:!?](?:\s|$))/gu, '');
}

const contraction = /^(.*)n't$/u;
const irregularContractions: Readonly<Record<string, readonly string[]>> = {
  "can't": ['can', 'not'],
  "won't": ['will', 'not'],
  "shan't": ['shall', 'not'],
  cannot: ['can', 'not'],
  "ain't": ['is', 'not'],
};

function keysFor(lower: string, language: Language): readonly string[] {
  const script = /[\u0600-\u06FF]/u.test(lower);
  if (script) return [lightStem(lower, 'ar')];
  if (language === 'de')
    return [...new Set([`${lightStem(lower, 'de')}`, ...longForms(lower).map((form) => lightStem(form, 'de'))])];
  const keys = new Set<string>(inflectionKeys(lower));
  for (const form of longForms(lower)) for (const key of inflectionKeys(form)) keys.add(key);
  return [...keys];
}

const noKeys: readonly string[] = [];

/** Sentences are read by one comparison after the other. */
const remembered = cacheTexts((text, language) => readAnew(text, language as Language), { characters: 60_000 });

/** The tokens of `text`, shared with other readers. Quantities and dates become single tokens; the bound words in front of a quantity are part of it. */
export const readTokens = (original: string, language: Language = languageOf(original)): Reading =>
  remembered(original, language);

/** A token that stands under nothing. Each has the same fields in the same order, as comparisons read millions of them; spreading costs several times as much. */
export const unmarked = (text: string, token: Partial<Token> & Pick<Token, 'start' | 'end' | 'type'>): Token => ({
  start: token.start,
  end: token.end,
  text,
  lower: token.lower ?? text.toLowerCase(),
  type: token.type,
  keys: token.keys ?? noKeys,
  content: token.content ?? false,
  name: token.name ?? false,
  possessive: token.possessive ?? false,
  quantity: token.quantity,
  date: token.date,
  quantifier: token.quantifier,
  negates: false,
  negations: 0,
  doubt: 0,
  modality: '',
  condition: '',
  attributed: false,
  asked: false,
});

// oxlint-disable-next-line complexity, house/own-lines -- One rule of language stands after another, over the same words.
function readAnew(original: string, language: Language): Reading {
  const text = plainMarks(original);
  const dates = findDates(text);
  const quantities = findQuantities(text, { language, decimalComma: language === 'de' });
  const tokens: Token[] = [];
  let dateAt = 0;
  let quantityAt = 0;
  let skipTo = 0;
  let sentenceStart = true;
  const functionWords = language === 'de' ? german : english;
  const shouting = !/\p{Ll}{2}/u.test(text);
  const push = (token: Partial<Token> & Pick<Token, 'start' | 'end' | 'type'>): void => {
    const raw = text.slice(token.start, token.end);
    tokens.push(unmarked(raw, token));
  };
  wordForm.lastIndex = 0;
  for (let match = wordForm.exec(text); match !== null; match = wordForm.exec(text)) {
    const start = match.index;
    if (start < skipTo) {
      if (match.index + match[0].length > skipTo) wordForm.lastIndex = skipTo;
      continue;
    }
    while (dateAt < dates.length && (dates[dateAt] as DateMention).end <= start) dateAt += 1;
    while (quantityAt < quantities.length && (quantities[quantityAt] as Quantity).end <= start) quantityAt += 1;
    const date = dates[dateAt];
    const quantity = quantities[quantityAt];
    const bounded =
      quantity !== undefined && start >= quantity.boundStart && start < quantity.start ? quantity : undefined;
    const dateHere = date !== undefined && date.start === start ? date : undefined;
    const quantityHere = quantity !== undefined && (quantity.start === start || bounded) ? quantity : undefined;
    // A number with a unit or a magnitude beats four bare digits; every other date beats the number in it.
    const asDate =
      dateHere &&
      !(
        dateHere.bareYear &&
        quantityHere &&
        (quantityHere.unit || quantityHere.high !== undefined || quantityHere.end > dateHere.end) &&
        !(dates[dateAt + 1] && (dates[dateAt + 1] as DateMention).start < quantityHere.end)
      );
    const boundIsDate =
      bounded &&
      date &&
      date.start <= bounded.start &&
      date.end > bounded.start &&
      !(date.bareYear && (bounded.unit || bounded.end > date.end));
    if (asDate && dateHere) {
      push({
        start,
        end: dateHere.end,
        type: 'date',
        date: dateHere,
        content: true,
        ...(quantityHere && quantityHere.end === dateHere.end ? { quantity: quantityHere } : {}),
      });
      skipTo = dateHere.end;
      sentenceStart = false;
      continue;
    }
    if (quantityHere && !boundIsDate) {
      const pronoun =
        quantityHere.word &&
        quantityHere.value === 1 &&
        quantityHere.bound === 'exact' &&
        !quantityHere.unit &&
        quantityHere.kind === 'cardinal';
      push({
        start: quantityHere.start,
        end: quantityHere.end,
        type: pronoun ? 'word' : 'number',
        ...(pronoun ? {} : { quantity: quantityHere }),
        content: !pronoun,
      });
      skipTo = quantityHere.end;
      sentenceStart = false;
      continue;
    }
    let raw = match[0];
    if (!/[\p{L}\p{N}]/u.test(raw)) {
      push({ start, end: start + raw.length, type: 'mark' });
      if (/[.!?:;"“”•|]/u.test(raw)) sentenceStart = true;
      continue;
    }
    if (raw.length === 1 && characterForm.test(raw)) {
      push({ start, end: start + 1, type: 'character', keys: [raw], content: !/[的了是在和与及、]/u.test(raw) });
      continue;
    }
    // The period belongs to an abbreviation only inside it ("U.S."); elsewhere it is a mark.
    if (raw.endsWith('.')) {
      if (
        !/^(?:\p{L}\.){2,}$/u.test(raw) &&
        !/^(?:\p{Lu}|Dr|Mr|Mrs|Ms|St|Prof|approx|vs|Jr|Sr|Inc|Ltd|Co|Corp|No|Fig|etc|e\.g|i\.e|Dept|Gov|Sen|Gen|Rep|Univ|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|Mt|Ft|Ave|Blvd|Rd|Vol|ca|bzw|z\.B|Nr)\.$/u.test(
          raw,
        )
      ) {
        raw = raw.slice(0, -1);
        wordForm.lastIndex = start + raw.length;
      }
    }
    const end = start + raw.length;
    const bare = raw.replace(/\.$/u, '');
    const lower = bare.toLowerCase();
    const split =
      (Object.hasOwn(irregularContractions, lower) ? irregularContractions[lower] : undefined) ??
      (contraction.test(lower) ? [lower.replace(/n't$/u, ''), 'not'] : undefined);
    if (split) {
      for (const part of split) push({ start, end, type: 'word', lower: part, content: false });
      sentenceStart = false;
      continue;
    }
    const possessive = /'s?$/u.test(lower) && /'/u.test(lower);
    const clitic = /^(?:it|he|she|that|there|what|who|we|they|you|i|let)'(?:s|re|ve|ll|d|m)$/u.exec(lower);
    if (clitic) {
      push({ start, end, type: 'word', lower: lower.split("'")[0] as string });
      if (/'ll$/u.test(lower)) push({ start, end, type: 'word', lower: 'will' });
      else if (/'(?:s|re|m)$/u.test(lower)) push({ start, end, type: 'word', lower: 'is' });
      sentenceStart = false;
      continue;
    }
    const base = lower.replace(/'s?$/u, '').replace(/(?<!\d)\.|\.(?!\d)/gu, '');
    const acronym = isAcronym(bare.replace(/'s$/u, ''));
    const capital = /^\p{Lu}/u.test(bare);
    // "May" and "Will" inside a sentence are names.
    const isFunction =
      (functionWords.has(base) || arabic.has(base) || quietDoubt.test(base)) &&
      !(capital && !sentenceStart && !acronym && (base === 'may' || base === 'will'));
    // German "fast" is almost.
    const quantifier = base === 'fast' && language !== 'de' ? undefined : quantifierOf(base);
    const usAcronym = acronym && base === 'us';
    const content =
      usAcronym ||
      (!quantifier &&
        !(isFunction && !(acronym && (base.length > 2 || !shouting) && !sentenceStart && base !== 'not')) &&
        base !== '');
    push({
      start,
      end,
      type: 'word',
      lower: base,
      possessive,
      content,
      keys: content
        ? acronym && base.length < 4
          ? [base.replace(/(?<=..)s$/u, '')]
          : keysFor(base, language)
        : [base],
      name: content && (acronym || (capital && !sentenceStart && language !== 'de')),
      ...(quantifier ? { quantifier } : {}),
    });
    sentenceStart = false;
  }
  return { text, language, tokens };
}
