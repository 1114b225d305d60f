// Reads a question: what kind of answer it wants, which of its words must be found, which names and numbers it fixes.
// Rules over the words alone, English first with the question words of German, Chinese and Arabic; the answer type classes
// follow Li & Roth (2002). Pure: the same question always reads the same.

import { declarationAsked } from '../../text/declarations.ts';
import { isPeriodWord } from './account-periods.ts';
import { type Term, termsOf } from './terms.ts';

export const answerTypes = [
  'number',
  'quantity',
  'date',
  'person',
  'place',
  'name',
  'definition',
  'list',
  'yes-no',
  'reason',
  'how-to',
  'other',
] as const;
export type AnswerType = (typeof answerTypes)[number];

export interface Question {
  readonly text: string;
  readonly type: AnswerType;
  /** Distinct content words, in order of first use, without the words that only ask. */
  readonly terms: readonly Term[];
  /** Capitalised runs inside the question and quoted phrases: what it is about. */
  readonly names: readonly string[];
  /**
   * For each of `terms` how much it matters that the evidence holds it, 0..1: a word that only says of what kind the
   * answer is ("which *city* …") need not stand beside it, nor need light verbs.
   */
  readonly emphasis: readonly number[];
  /** For each of `terms`: is it part of a name? */
  readonly named: readonly boolean[];
  /** Digits in the question, normalised (1,000 is 1000). */
  readonly numbers: readonly string[];
  /** True where the question asks for several things or compares some: such answers need more than one claim. */
  readonly several: boolean;
  /** True where a relative clause describes something instead of naming it. */
  readonly nested: boolean;
}

interface Rule {
  readonly type: AnswerType;
  readonly pattern: RegExp;
}

const personNouns =
  'person|people|man|men|woman|women|author|director|actor|actress|king|queen|president|leader|player|scientist|inventor|founder|architect|composer|general|quarterback|scholar|emperor|pope|bishop|poet|artist|singer|philosopher|mathematician|minister|chancellor|governor|coach|writer|engineer|chemist|physicist|monk|explorer|duke|prince|princess|linebacker|musician|rapper|senator|mayor|ceo|chairman|historian|theorist|economist|biologist|astronomer|missionary|khan|ruler';
/** "The name of Hilda's brother" */
const kin =
  'daughters?|sons?|wife|wives|husbands?|spouse|brothers?|sisters?|mother|father|parents|child|children|uncle|aunt|cousin|nephew|niece|grand(?:son|daughter|father|mother)|widow|heir|bride|groom';
const placeNouns =
  'city|cities|town|village|country|countries|state|states|county|region|province|place|location|continent|island|river|lake|sea|ocean|mountains?|valley|street|area|district|nation|building|stadium|venue|university|school|capital|neighborhood|territory|park';
const measures =
  'percent|percentage|proportion|share|fraction|amount|distance|height|length|width|depth|weight|mass|temperature|speed|price|cost|rate|population|revenue|salary|score|size|ratio|age|budget|frequency|voltage|pressure|port|threshold|fees?|fine|fare|rent|wages?|commission|deposit|discount';

/** Tried in order on the clause that asks; the first that fits decides. */
const rules: readonly Rule[] = [
  {
    type: 'number',
    pattern:
      /^how (?:many|often)\b|^(?:what|which) (?:(?:is|was|are|were) the )?(?:\w+ )?number\b(?! of the)|^wie ?(?:viele|oft)\b|多少(?:个|次|名|位|人)|几(?:个|次|名|位|人)|كم عدد|^كم\b/iu,
  },
  {
    type: 'quantity',
    pattern: new RegExp(
      `^how (?:much|long|far|tall|old|fast|large|big|high|deep|wide|heavy|hot|cold|close|small)\\b|^(?:what|which) (?:${measures})\\b|^what (?:is|was|are|were) the (?:[\\p{L}-]+ ){0,3}(?:${measures})\\b|^wie (?:viel|lange?|weit|hoch|groß|alt|schnell|schwer)\\b|多(?:少|大|长|高|远|久|重)`,
      'iu',
    ),
  },
  {
    type: 'date',
    pattern:
      /^when\b|^(?:what|which) (?:\w+ ){0,2}(?:years?|dates?|day|month|decade|century|centuries)\b|^(?:what|which) (?:time|season|era|period)\b|^what (?:is|was) the (?:\w+ ){0,2}(?:date|year|day)\b|^wann\b|^(?:welche[mns]|in welchem) jahr|什么时候|何时|哪一?年|متى|في أي عام/iu,
  },
  {
    type: 'reason',
    pattern:
      /^why\b|^what (?:(?:is|was|are|were) the )?(?:\w+ )?(?:reasons?|causes?|caused|led to|motivated|prompted)\b|^warum\b|^weshalb\b|^wieso\b|为什么|为何|لماذا/iu,
  },
  {
    type: 'how-to',
    pattern:
      /^how (?:do|can|should|would|could|may) (?:i|you|we|one)\b|^how to\b|^wie kann (?:ich|man)\b|如何|怎么|怎样|كيف/iu,
  },
  {
    type: 'person',
    pattern: new RegExp(
      `^who(?:m|se|'s)?\\b|^(?:what|which) (?:\\w+ ){0,2}(?:${personNouns})\\b|^what (?:is|was|are|were) the (?:full )?names? of (?:the (?:\\w+ ){0,2}(?:${personNouns})|[^?]{1,60}\\b(?:${kin}))\\b|^we(?:r|m|n|ssen)\\b|谁|哪(?:位|个人)|^من\\s`,
      'iu',
    ),
  },
  {
    type: 'place',
    pattern: new RegExp(
      `^where\\b|^(?:what|which) (?:[\\p{L}-]+ ){0,2}(?:${placeNouns})\\b|^wo(?:her|hin)?\\b|哪里|哪儿|在哪|أين`,
      'iu',
    ),
  },
  {
    type: 'list',
    pattern:
      /^(?:list|name|enumerate) (?:all|some|the|two|three|four|five|several|\d)\b|^(?:what|which) (?:are|were) (?:all |some |the |examples )|^(?:what|which) (?:two|three|four|five|six)\b|^was sind\b|^welche\b.*\bsind\b|哪些|ما هي/iu,
  },
  {
    type: 'definition',
    pattern:
      /^(?:what|who) (?:is|are|was|were) (?:an? )?[\p{L}\p{N}'-]+(?: [\p{L}\p{N}'-]+)?\s*(?:\?+\s*)?$|^what does .{1,60} (?:mean|stand for)\b|^define\b|\bdefinition of\b|^was (?:ist|bedeutet)\b|是什么|什么是|^ما هو|ما معنى/iu,
  },
  {
    type: 'yes-no',
    pattern:
      /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)\b|^(?:ist|sind|war|waren|hat|haben|kann|können|wird|werden|darf|muss)\b|吗[？?]?\s*$|^هل\s/iu,
  },
  { type: 'name', pattern: /^(?:which|what|name)\b|^welche[rsnm]?\b|什么|哪|(?:^|\s)(?:أي|ما)\s/iu },
];

/** "Who is Mary Orr?" asks what she is, not for a name. */
const knownPerson =
  /^[Ww]ho (?:is|was) (?:(?:[Dd]r|[Mm]rs?|[Pp]rof)\.? )?\p{Lu}[\p{L}.'’-]{0,40}(?: (?:(?:de|von|van|der|la|bin|al) )?\p{Lu}[\p{L}.'’-]{0,40}){0,3}\s?\?{0,3}$/u;

/** The clause that asks: from the question word on, so that "when" in a side clause does not make it a question of time. */
function askingClause(text: string): string {
  const trimmed = text.trim().replace(/^["'“¿]+/u, '');
  const lead =
    /^(?:(?:in|at|on|for|from|to|by|of|with|about|during|under|until|since|approximately|around)\s+)?(?=(?:what|which|who|whom|whose|when|where|why|how)\b)/iu.exec(
      trimmed,
    );
  if (lead) return trimmed.slice(lead[0].length);
  if (
    /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must|list|name|define|enumerate)\b/iu.test(
      trimmed,
    )
  )
    return trimmed;
  // "… was released in which year?": what, which and how outside relative clauses come before who, when and where.
  const inner = /\b(?:what|how|why)\b|(?<!,\s)\bwhich\b|\bwhom?\b|\bwhen\b|\bwhere\b/giu;
  const found = [...trimmed.matchAll(inner)];
  const chosen =
    found.find((match) => /^(?:what|which|how)$/i.test(match[0])) ?? found.at(-1) ?? /,\s(?=which\b)/iu.exec(trimmed);
  return chosen?.index === undefined ? trimmed : trimmed.slice(chosen.index).replace(/^,\s/, '');
}

/** Words that only ask or only frame the asking; they are in no answer. */
const askingWords = new Set(
  'name list define definition call mean stand kind type sort many much describe explain tell give long thing term refer know example'.split(
    ' ',
  ),
);

/** The same in German, which English would take for other words ("art", "name"). */
const germanAskingWords = new Set(
  'viel art lautet nam nennt genannt hiess heisst heiss bezeichnet bezeichn wen wem wess wozu wofur womit weshalb wodurch woran worin woraus laut gibt gab beispiel'.split(
    ' ',
  ),
);

/** Words that are of the form of a question, in their place: "how often", "why is … needed". Nothing that answers it has to say them. */
const frames: readonly RegExp[] = [
  /\bhow\s{1,4}(often|frequently|regularly)\b/diu,
  /\bwie\s{1,4}(oft|häufig)\b/diu,
  /^\W{0,4}why\s{1,4}(?:is|are|was|were)\s[^?]{1,120}\s(needed|necessary|important|useful|required|helpful|essential|used)\s{0,4}\?{0,3}\s{0,4}$/diu,
  /^\W{0,4}why\s{1,4}(?:is|was)\s{1,4}it\s{1,4}(necessary|important|useful|helpful|essential)\s{1,4}(?:to|that|for)\b/diu,
];

const isFraming = (text: string, { start, end }: Term): boolean =>
  frames.some((frame) => {
    const [from, to] = frame.exec(text)?.indices?.[1] ?? [0, 0];
    return start >= from && end <= to;
  });

/** Reads the question, its words as `language` writes them (default: detected). An empty or wordless one is of type `other` without terms. */
export function analyzeQuestion(text: string, language?: string): Question {
  const clause = askingClause(text);
  const form = knownPerson.test(clause) ? 'definition' : rules.find((rule) => rule.pattern.test(clause))?.type;
  // Code has no address, and many files speak of one declaration.
  const isOfCode = form === 'place' && declarationAsked(text) !== undefined;
  const type = isOfCode ? 'other' : (form ?? 'other');
  const seen = new Set<string>();
  const all = termsOf(text, language).filter((term) => {
    if (seen.has(term.term)) return false;
    seen.add(term.term);
    return true;
  });
  const asking = language === 'de' ? germanAskingWords : askingWords;
  const informative = all.filter((term) => !asking.has(term.term) && !isFraming(text, term));
  const terms = informative.length > 0 ? informative : all;
  const names = namesOf(text);
  return {
    text,
    type,
    terms,
    names,
    emphasis: emphasisOf(text, terms),
    named: terms.map((term) => names.some((name) => name.includes(text.slice(term.start, term.end)))),
    numbers: all.map((term) => term.term).filter((term) => /^\d/.test(term)),
    several: asksForSeveral(text, type),
    nested: /\b(?:that|who|whose|whom|which|where)\b/iu.test(
      text.replace(/^\W*(?:\w+\s+)?(?:what|which|who|whom|whose|where|when)\b/iu, ''),
    ),
  };
}

/** Verbs and adjectives so common that answers put them in other words. */
const lightWords = new Set(
  'like want tri make made get got use happen occur take took give gave come came go went know known believ consid say said state find found becom becam caus includ involv refer relat specif certain other main typic usual current origin exact actual approxim general particular famous import histor himself herself itself themselv sometim often realli toward behind topic pertain classifi categor inform general illustr signifi express repres show shown think thought saw seen seek prior previous variou instanc sever one'.split(
    ' ',
  ),
);
/** Kinds of answers that are hardly ever named beside the answer. */
const kindWords = new Set(
  'year date day month decad centuri time number percentag percent amount countri citi person peopl man woman place locat person group bodi figur entiti aspect factor featur thing item word titl nicknam topic subject area field role posit purpos reason'.split(
    ' ',
  ),
);

function emphasisOf(text: string, terms: readonly Term[]): number[] {
  const focus = focusOf(text);
  return terms.map(({ term, start, end }) => {
    const isFocus =
      focus !== undefined && start >= focus.start && start < focus.end && !/^\p{Lu}/u.test(text.slice(start));
    if (isFocus) return kindWords.has(term) ? 0.15 : 0.4;
    if (isPeriodWord(text.slice(start, end))) return 0.15;
    // "One" is a number in "one of them" as little as in "who was one maker".
    if (lightWords.has(term) || /^one$/iu.test(text.slice(start, end))) return 0.5;
    return 1;
  });
}

/** Where the words stand that say what kind of thing is asked for: after "what", "which", "how many". */
function focusOf(text: string): { start: number; end: number } | undefined {
  const match =
    /\b(?:what|which|how many|how much)\s+(?:(?:is|was|are|were)\s+(?:the|an?)\s+)?((?:[\p{L}'’-]+\s+){0,3}?[\p{L}'’-]+)(?=\s+(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must|of|that|which|who|for|in|on|to|from|by|at)\b)/iu.exec(
      text,
    );
  if (match?.[1] !== undefined) {
    const start = match.index + match[0].length - match[1].length;
    return { start, end: start + match[1].length };
  }
  const word = /\b(?:what|which|how many|how much)\s+(?:(?:is|was|are|were)\s+(?:the|an?)\s+)?([\p{L}'’-]+)/iu.exec(
    text,
  );
  if (word?.[1] === undefined) return undefined;
  const start = word.index + word[0].length - word[1].length;
  return { start, end: start + word[1].length };
}

const comparison =
  /\b(?:both|either|respectively|compared? (?:to|with)|difference between|differ from|in common|same|versus|vs\.?)\b|\b(?:older|younger|larger|bigger|longer|earlier|later|taller|higher|more|first|better|smaller)\b.{0,60}(?:\bor\b|,)|\bsowohl\b|\bunterschied\b/iu;

function asksForSeveral(text: string, type: AnswerType): boolean {
  if (type === 'list' || type === 'how-to') return true;
  return comparison.test(text);
}

/** Runs of capitalised words (not the first word of a sentence alone) and quoted phrases. */
function namesOf(text: string): string[] {
  const names: string[] = [];
  for (const match of text.matchAll(/["“„«]([^"”“»]{2,80})["”“»]/gu)) if (match[1]) names.push(match[1]);
  const run =
    /\p{Lu}[\p{L}\p{M}\p{N}'’.&-]*(?:\s+(?:(?:of|the|de|von|van|der|la)\s+){0,2}(?:\p{Lu}[\p{L}\p{M}\p{N}'’.&-]*|\d+))*/gu;
  for (const match of text.matchAll(run)) {
    const name = match[0].replace(/(?<![.'’-])[.'’-]+$/u, '');
    const opening = match.index === text.search(/\S/u);
    const words = name.split(/\s+/);
    const rest =
      opening &&
      /^(?:what|which|who|whom|whose|when|where|why|how|in|on|at|the|a|an|is|are|was|were|do|does|did|if|of|for|from|to|name|according|by|after|before|during|as|with|along|besides|has|have|had|can|could|will|would|should|what's|who's|list|was|welche[nmrs]?|wer|wen|wem|wessen|wann|wo|warum|wieso|wie|an|am|im|bei|zu|der|die|das|den|dem|ein|eine|ist|sind|hat|haben|kann)$/iu.test(
        words[0] ?? '',
      )
        ? words.slice(1)
        : opening && words.length === 1
          ? []
          : words;
    const named = withoutUnits(rest);
    while (named.length > 0 && joiner.test(named[0] ?? '')) named.shift();
    while (named.length < rest.length && joiner.test(named.at(-1) ?? '')) named.pop();
    if (named.length > 0) names.push(named.join(' '));
  }
  return [...new Set(names)];
}

const joiner = /^(?:of|the|de|von|van|der|la|and)$/;

/** "Q2 of FY2024" is nobody's name, and neither is "FY 2023" or "USD". */
const withoutUnits = (words: readonly string[]): string[] =>
  words.filter(
    (word, at) => !isPeriodWord(word) && !currency.test(word) && !(words[at - 1] === 'FY' && /^\d{4}$/u.test(word)),
  );
const currency = /^(?:USD|EUR|GBP|CHF|JPY|CNY|CAD|AUD|INR|SEK|NOK|DKK)$/u;
