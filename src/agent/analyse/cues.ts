// What a sentence says for a section of an analysis, told from its words and the heading over it: "profitable" speaks of a strength, "not
// profitable" of a weakness. Each word has a weight; a sentence belongs to the one section that most of it speaks for. English words. Pure.
import { tokensOf } from './naming.ts';

export type Cue =
  | 'strengths'
  | 'weaknesses'
  | 'opportunities'
  | 'threats'
  | 'competition'
  | 'size'
  | 'customers'
  | 'trends'
  | 'prices';

/** Words by weight; `*` stands for any ending, `_` joins two words. */
const words: Readonly<Record<Cue, Readonly<Record<1 | 2 | 3, string>>>> = {
  strengths: {
    3: 'strength* advantage* award* renowned market_leader outperform* excel excels',
    2: 'strong* leader leading leads largest best highest fastest loyal* profitab* patent* reliab* durab* robust trusted reputation efficien* innovat* exclusive excellen* satisf* retention praise* popular expertise experienced debt_free well_known certified debt-free accurate safest cheapest outsell* surpass* unmatched unrivalled unrivaled',
    1: 'margin* record quality grew growth rose unique skilled own owns ahead reserves lowest_cost low_cost doubled tripled market_share',
  },
  weaknesses: {
    3: 'weakness* disadvantage* drawback* shortcoming* weak* lack* unprofitab* outdated obsolete',
    2: 'slow slower slowest poor* ageing aging debt* loss losses deficit declin* shrank shrinking complain* critici* recall* defect* delay* delays understaffed dependen* depends relies reliant reliance limited expensive costly inefficien* struggl* unreliab* dissatisf* vulnerab* fail* worst lags lag lagging downtime outage* bureaucra* overpriced absent bottleneck* backlog*',
    1: 'fell dropped lost late missing lowest behind only high_cost high_costs small few lower less',
  },
  opportunities: {
    3: 'opportunit* untapped',
    2: 'potential expand* expansion emerging subsid* grant grants partnership* trend* incentive* deregulat* plans new_market new_markets growing_demand rising_demand upcoming',
    1: 'could demand future growing launch* adopt* forecast* expected planned invest* allow* would opens next',
  },
  threats: {
    3: 'threat* lawsuit* litigation price_war',
    2: 'risk* competition regulat* tariff* sued sue sues sanction* inflation recession substitut* entrant* counterfeit* cyber* ban bans banned undercut* volatil* uncertain* disrupt* shortage* strike strikes drought endanger* boycott* investigat* fine fines fined',
    1: 'rival* competitor* compet* cheaper rising_costs rising_cost pressure may attack* new_law',
  },
  competition: {
    3: 'competitor* rival* competition',
    2: 'compet* alternative* versus unlike overtak* undercut* outsell* challenger* cheaper_than faster_than market_share leader leads',
    1: 'compared than share vs against',
  },
  size: {
    3: 'market_size cagr',
    2: 'billion million worth valued revenue* volume* turnover grew growth grow grows shrank shrink* forecast*',
    1: 'sales size share percent rose fell total sold units expected',
  },
  customers: {
    3: 'customer* buyer* consumer*',
    2: 'demand segment* users user client* household* prefer* audience subscriber* commuter* shopper*',
    1: 'buy buys bought use uses want wants need needs older younger families',
  },
  trends: {
    3: 'trend*',
    2: 'shift* increasingly adopt* emerging innovat* technolog* digital* automat* becoming popular*',
    1: 'new more growing rise since',
  },
  prices: {
    3: 'price* pricing',
    2: 'cost* fee fees margin* cheap* expensive discount* subscription* charge*',
    1: 'euro euros dollar dollars usd eur free pay pays paid',
  },
};

/** A heading that is one of these says what stands under it. */
const headings: Readonly<Record<Cue, string>> = {
  strengths: 'strength strengths advantages pros benefits',
  weaknesses: 'weakness weaknesses disadvantages drawbacks limitations cons shortcomings',
  opportunities: 'opportunity opportunities',
  threats: 'threat threats',
  competition: 'competition competitors rivals competitive alternatives',
  size: 'size growth volume',
  customers: 'customers customer demand segments buyers consumers users',
  trends: 'trend trends',
  prices: 'price prices pricing',
};
const headingWeight = 4;

const opposite: Partial<Readonly<Record<Cue, Cue>>> = { strengths: 'weaknesses', weaknesses: 'strengths' };
const negators = new Set(
  "no not never without hardly neither nor cannot can't don't doesn't didn't isn't aren't wasn't won't".split(' '),
);
/** Words between a negation and what it denies. */
const reach = 3;

interface Entry {
  readonly cue: Cue;
  readonly weight: number;
}

const exact = new Map<string, Entry[]>();
/** Words with any ending, by their first three letters. */
const beginnings = new Map<string, (Entry & { readonly begin: string })[]>();
for (const [cue, byWeight] of Object.entries(words) as [Cue, (typeof words)[Cue]][])
  for (const [weight, list] of Object.entries(byWeight))
    for (const entry of list.split(' ')) {
      const made = { cue, weight: Number(weight) };
      if (entry.endsWith('*')) {
        const begin = entry.slice(0, -1);
        const known = beginnings.get(begin.slice(0, 3)) ?? [];
        beginnings.set(begin.slice(0, 3), [...known, { ...made, begin }]);
      } else exact.set(entry, [...(exact.get(entry) ?? []), made]);
    }

const entriesOf = (word: string): readonly Entry[] => [
  ...(exact.get(word) ?? []),
  ...(beginnings.get(word.slice(0, 3)) ?? []).filter(({ begin }) => word.startsWith(begin)),
];

/** "Has no", "does not support", "comes without": that something is not there. */
const absences: readonly (readonly [first: RegExp, ...then: RegExp[]])[] = [
  [/^(?:has|have|had|offers?|supports?|includes?|provides?|gives?)$/u, /^no$/u],
  [/^(?:does|do|did)$/u, /^not$/u, /^(?:have|offer|support|include|provide)$/u],
  [/^(?:doesn't|don't|didn't)$/u, /^(?:have|offer|support|include|provide)$/u],
  [/^(?:comes?|came|ships?|shipped|sold|delivered|sells)$/u, /^without$/u],
];
const absenceWeight = 2;
/** Of what is not there, the words that tell what it is. */
const absentReach = 4;

/** Whether the sentence says that something is missing which nobody would be glad to be without: "has no warranty", not "has no debt". */
function isWithout(said: readonly string[]): boolean {
  return said.some((_, at) =>
    absences.some((phrase) => {
      if (!phrase.every((one, step) => one.test(said[at + step] ?? ''))) return false;
      const from = at + phrase.length;
      const missing = said.slice(from, from + absentReach).flatMap(entriesOf);
      return (
        said.length > from && missing.every(({ cue }) => cue === 'strengths' || cue === 'customers' || cue === 'size')
      );
    }),
  );
}

/** How much a sentence under its headings speaks for each cue. */
export function cuesIn(said: string, headingPath: readonly string[]): ReadonlyMap<Cue, number> {
  const weights = new Map<Cue, number>();
  const add = (cue: Cue, weight: number): void => {
    weights.set(cue, (weights.get(cue) ?? 0) + weight);
  };
  const tokens = tokensOf(said);
  const seen = new Set<string>();
  for (const [at, { word }] of tokens.entries()) {
    const next = tokens[at + 1];
    const entries = [...entriesOf(word), ...(next ? (exact.get(`${word}_${next.word}`) ?? []) : [])];
    if (entries.length === 0) continue;
    const isDenied = tokens.slice(Math.max(0, at - reach), at).some((token) => negators.has(token.text.toLowerCase()));
    for (const { cue, weight } of entries) {
      // A word said twice says no more.
      if (seen.has(`${cue} ${word}`)) continue;
      seen.add(`${cue} ${word}`);
      if (!isDenied) add(cue, weight);
      else if (opposite[cue]) add(opposite[cue] as Cue, weight);
    }
  }
  if (isWithout(tokens.map(({ text }) => text.toLowerCase()))) add('weaknesses', absenceWeight);
  const over = new Set(headingPath.slice(-2).flatMap((heading) => tokensOf(heading).map(({ word }) => word)));
  for (const [cue, list] of Object.entries(headings) as [Cue, string][])
    if (list.split(' ').some((word) => over.has(word))) add(cue, headingWeight);
  return weights;
}

/** Of these cues the one that the sentence speaks for most; the first of equals. Undefined where it says too little. */
export function strongestCue(
  weights: ReadonlyMap<Cue, number>,
  among: readonly Cue[],
): { readonly cue: Cue; readonly weight: number } | undefined {
  let best: { cue: Cue; weight: number } | undefined;
  for (const cue of among) {
    const weight = weights.get(cue) ?? 0;
    if (weight >= leastWeight && weight > (best?.weight ?? 0)) best = { cue, weight };
  }
  return best;
}

/** One plain word ("grew") does not make a strength. */
const leastWeight = 2;
