// Words that weaken, qualify or attribute a statement: modality ("may", "must", "will"), quantifiers and frequencies
// ("some", "usually"), attribution ("said that"), conditions ("if") and modifiers that take their noun or verb back
// ("former", "tried to"). English and German. Only the word classes; scopes are the caller's.

/** 1 ability, 2 probable, 3 possible: what is said with a higher number may not be claimed with a lower one. */
const doubt = new Map<string, number>();
for (const [words, level] of [
  ['can kann können capable', 1],
  [
    'probably likely presumably apparently seemingly evidently appear appears appeared seem seems seemed tend tends tended expected estimated believed thought considered assumed suspected wahrscheinlich vermutlich scheinbar anscheinend scheint scheinen',
    2,
  ],
  [
    'may might could possibly perhaps maybe potentially conceivably suggest suggests suggested suggesting hypothesise hypothesize hypothesised hypothesized speculated speculate proposed unclear uncertain könnte könnten möglicherweise vielleicht eventuell dürfte mag',
    3,
  ],
] as const)
  for (const word of words.split(' ')) doubt.set(word, level);

export type Modality = 'must' | 'should' | 'will' | 'would';
const modal = new Map<string, Modality>();
for (const [words, kind] of [
  ['must muss müssen musste', 'must'],
  ['should ought soll sollen sollte sollten recommended', 'should'],
  ['will shall wird werden', 'will'],
  ['would würde würden', 'would'],
] as const)
  for (const word of words.split(' ')) modal.set(word, kind);

/** 0 plain, 1 ability, 2 probable, 3 possible. `word` in lower case. */
export function doubtOf(word: string): number {
  return doubt.get(word) ?? 0;
}

/** The obligation or future that `word` (lower case, with the next word) expresses. */
export function modalityOf(word: string, next: string): Modality | undefined {
  if ((/^(?:ha[sd]|have|needs?|needed)$/u.test(word) && next === 'to') || (word === 'required' && next === 'to'))
    return 'must';
  if (word === 'going' && next === 'to') return 'will';
  if (word === 'werden' || word === 'wird') return undefined;
  return modal.get(word);
}

export interface Quantifier {
  /** Words of one scale and rank are interchangeable. */
  readonly scale: 'amount' | 'frequency' | 'few' | 'seldom' | 'only' | 'degree';
  /** 4 all, 3 most, 2 many, 1 some. */
  readonly rank: number;
}
const quantifiers = new Map<string, Quantifier>();
for (const [words, scale, rank] of [
  ['all every each everyone everybody everything entire alle jeder jede jedes sämtliche', 'amount', 4],
  ['most majority meisten', 'amount', 3],
  ['many numerous viele', 'amount', 2],
  ['some several certain any various einige manche mehrere', 'amount', 1],
  ['few wenige minority', 'few', 1],
  ['always invariably constantly immer stets', 'frequency', 4],
  [
    'usually generally typically normally commonly mostly mainly largely primarily chiefly predominantly meist meistens gewöhnlich hauptsächlich',
    'frequency',
    3,
  ],
  ['often frequently regularly oft häufig', 'frequency', 2],
  ['sometimes occasionally manchmal gelegentlich', 'frequency', 1],
  ['rarely seldom hardly scarcely infrequently selten kaum', 'seldom', 1],
  ['only solely exclusively merely nur ausschließlich lediglich', 'only', 1],
  [
    'completely entirely fully totally wholly absolutely definitely certainly undoubtedly proven vollständig völlig',
    'degree',
    4,
  ],
  [
    'partly partially somewhat slightly almost nearly virtually practically roughly approximately approx circa teilweise fast beinahe',
    'degree',
    1,
  ],
] as const)
  for (const word of words.split(' ')) quantifiers.set(word, { scale, rank });

export function quantifierOf(word: string): Quantifier | undefined {
  return quantifiers.get(word);
}

const said =
  /^(?:sa(?:id|ys?|ying)|claim(?:s|ed|ing)?|argu(?:e|es|ed|ing)|believ(?:e|es|ed|ing)|think(?:s|ing)?|thought|alleg(?:e|es|ed|ing)|assert(?:s|ed|ing)?|contend(?:s|ed)?|insist(?:s|ed)?|maintain(?:s|ed)?|stat(?:es|ed|ing)|report(?:s|ed)|announce(?:s|d)?|declar(?:e|es|ed)|predict(?:s|ed|ing)?|speculat(?:e|es|ed)|hypothesi[sz](?:e|es|ed)|suppos(?:e|es|ed)|assum(?:e|es|ed)|imagin(?:e|es|ed)|accus(?:e|es|ed)|told|tells?|warn(?:s|ed)?|fear(?:s|ed)?|hop(?:e|es|ed)|den(?:y|ies|ied)|doubt(?:s|ed)?|promis(?:e|es|ed)|pretend(?:s|ed)?|wonder(?:s|ed)?|ask(?:s|ed)?|dream(?:s|ed|t)?|wish(?:es|ed)?|guess(?:es|ed)?|sagte|sagt|behauptet|behauptete|glaubt|glaubte|meint|meinte|vermutet)$/u;
const opinions =
  /^(?:claims?|idea|notion|belief|theory|myth|rumou?rs?|allegations?|hypothes[ie]s|view|assumption|suggestion|possibility|opinion|fear|hope|argument|accusations?|legend|conspiracy|suspicion|prediction|speculation)$/u;

/** True for verbs that hand a statement to somebody without vouching for it. */
export function isReportingVerb(word: string): boolean {
  return said.test(word);
}

/** True for nouns whose "that" clause is not vouched for ("the myth that …"). */
export function isOpinionNoun(word: string): boolean {
  return opinions.test(word);
}

/** Adverbs and phrases that attribute the whole clause. */
export function isAttribution(word: string, next: string): boolean {
  return (
    /^(?:reportedly|allegedly|supposedly|purportedly|ostensibly|angeblich|laut)$/u.test(word) ||
    (word === 'according' && next === 'to')
  );
}

/** Words that make the rest depend on something. */
export function isCondition(word: string, previous: string, next: string): boolean {
  if (word === 'if' || word === 'falls') return true;
  if (word === 'provided' || word === 'providing' || word === 'assuming' || word === 'supposing')
    return next === 'that' || word === 'assuming';
  return (
    word === 'unless' ||
    word === 'whether' ||
    word === 'sofern' ||
    word === 'wenn' ||
    word === 'ob' ||
    (word === 'case' && previous === 'in' && next !== 'of')
  );
}
