// In what a value is measured that a question asks for: "what does it cost" wants money, "how far" a length. Rules over the words, English first
// with those of German. Pure.
import { findQuantities } from '../../text/quantities/quantities.ts';

interface Measure {
  readonly asks: RegExp;
  /** As units name their dimension. */
  readonly dimensions: ReadonlySet<string>;
  /** Words that say it without a number. */
  readonly words?: RegExp;
}

const money = 'usd cents eur gbp jpy cny inr chf cad aud';

const measures: readonly Measure[] = [
  {
    asks: /\b(?:how much (?:do|does|did|will|would) .{1,80} (?:cost|pay|charge|earn)|(?:do|does|did|will|would) .{1,80} cost|(?:prices?|fees?|fare|salary|rent)\b|was kostet|wie teuer|preis|gebühr|miete)\b/iu,
    dimensions: new Set(money.split(' ')),
    words: /\b(?:free|no charge|kostenlos|gratis)\b/iu,
  },
  {
    asks: /^how (?:long|soon|quickly)\b|^wie (?:lange?|schnell)\b|\bnotice period\b|\bkündigungsfrist\b/iu,
    dimensions: new Set(['time', 'months', 'length', 'speed']),
  },
  {
    asks: /^how (?:far|tall|high|wide|deep)\b|^wie (?:weit|hoch|breit|tief)\b/iu,
    dimensions: new Set(['length', 'light', 'time']),
  },
  { asks: /^how heavy\b|\bweighs?\b|^wie schwer\b|\bwiegt\b/iu, dimensions: new Set(['mass']) },
  {
    asks: /^how (?:hot|cold|warm)\b|\btemperatures?\b|\btemperatur\b/iu,
    dimensions: new Set(['celsius', 'fahrenheit', 'kelvin', 'angle']),
  },
  { asks: /^how much (?:storage|memory|disk|space|ram)\b|\bspeicher\b/iu, dimensions: new Set(['data']) },
];

/** Whether a text gives a value in what the question asks for; undefined where the question names no such measure. */
export function askedUnitOf(question: string): ((text: string) => boolean) | undefined {
  const measure = measures.find(({ asks }) => asks.test(question));
  if (!measure) return undefined;
  const { dimensions, words } = measure;
  return (text) =>
    findQuantities(text).some(({ unit }) => unit !== undefined && dimensions.has(unit.dimension)) ||
    words?.test(text) === true;
}
