// Fits a softmax over named signs, drawn to zero. Naive Bayes' log ratios say how far each weight may go, and the softmax says how far it does
// (Wang and Manning, 2012), which teaches more than either where questions are short and few. Nesterov's descent. Deterministic.

export interface LabelledSigns {
  readonly label: number;
  readonly signs: ReadonlyMap<string, number>;
}

export interface SoftmaxOptions {
  readonly labels: number;
  /** A sign that fewer rows show teaches nothing. */
  readonly leastSeen?: number;
  readonly ridge?: number;
  readonly rounds?: number;
  /** How much a rare sign is believed beside what all rows show. */
  readonly doubt?: number;
  /** A sign is dropped where no label's weight is greater. */
  readonly leastKept?: number;
  /** Weights are whole numbers of this part of one. */
  readonly unit: number;
}

export interface FittedSoftmax {
  readonly bias: readonly number[];
  /** By name, in the order of their letters. */
  readonly signs: ReadonlyMap<string, readonly number[]>;
}

const at = (values: ArrayLike<number>, place: number): number => values[place] as number;

interface Rows {
  readonly size: number;
  readonly labels: readonly number[];
  /** Where the weights of each sign that a row shows begin, and what it counts; the bias is the last. */
  readonly places: readonly Int32Array[];
  readonly values: readonly Float64Array[];
}

function ratiosOf({ size, labels, places }: Rows, length: number, doubt: number): Float64Array {
  const counts = new Float64Array(length);
  const totals = new Float64Array(size);
  for (const [row, label] of labels.entries()) {
    totals[label] = at(totals, label) + 1;
    for (const place of places[row] as Int32Array) counts[place + label] = at(counts, place + label) + 1;
  }
  const ratios = new Float64Array(length).fill(1);
  // The bias has no ratio of its own.
  for (let place = 0; place < length - size; place += size) {
    let all = 0;
    for (let label = 0; label < size; label += 1) all += at(counts, place + label);
    for (let label = 0; label < size; label += 1) {
      const [own, of] = [at(counts, place + label), at(totals, label)];
      const share = of / labels.length;
      const inside = (own + doubt * share) / (of + doubt);
      const outside = (all - own + doubt * (1 - share)) / (labels.length - of + doubt);
      ratios[place + label] = Math.log(inside / outside);
    }
  }
  return ratios;
}

function gradientOf({ size, labels, places, values }: Rows, weights: Float64Array, ratios: Float64Array): Float64Array {
  const gradient = new Float64Array(weights.length);
  const errors = new Float64Array(size);
  for (const [row, label] of labels.entries()) {
    const [own, counted] = [places[row] as Int32Array, values[row] as Float64Array];
    errors.fill(0);
    for (let sign = 0; sign < own.length; sign += 1)
      for (let kind = 0, place = at(own, sign); kind < size; kind += 1, place += 1)
        errors[kind] = at(errors, kind) + at(weights, place) * at(ratios, place) * at(counted, sign);
    const most = Math.max(...errors);
    let all = 0;
    for (let kind = 0; kind < size; kind += 1) all += errors[kind] = Math.exp(at(errors, kind) - most);
    for (let kind = 0; kind < size; kind += 1) errors[kind] = at(errors, kind) / all - (kind === label ? 1 : 0);
    for (let sign = 0; sign < own.length; sign += 1)
      for (let kind = 0, place = at(own, sign); kind < size; kind += 1, place += 1)
        gradient[place] = at(gradient, place) + at(errors, kind) * at(ratios, place) * at(counted, sign);
  }
  return gradient;
}

export function fitSoftmax(
  rows: readonly LabelledSigns[],
  { labels: size, leastSeen = 2, ridge = 0.5, rounds = 120, doubt = 0.5, leastKept = 0, unit }: SoftmaxOptions,
): FittedSoftmax {
  const seen = new Map<string, number>();
  for (const { signs } of rows) for (const sign of signs.keys()) seen.set(sign, (seen.get(sign) ?? 0) + 1);
  const names = [...seen].flatMap(([sign, count]) => (count >= leastSeen ? [sign] : []));
  const placeOf = new Map(names.map((sign, number) => [sign, number * size]));
  const bias = names.length * size;
  const known = rows.map(({ signs }) => [...[...signs].filter(([sign]) => placeOf.has(sign)), ['', 1] as const]);
  const data: Rows = {
    size,
    labels: rows.map(({ label }) => label),
    places: known.map((signs) => Int32Array.from(signs, ([sign]) => placeOf.get(sign) ?? bias)),
    values: known.map((signs) => Float64Array.from(signs, ([, value]) => value)),
  };
  const ratios = ratiosOf(data, bias + size, doubt);
  // Steps that are sure to go down: signs of a row count five together, and ratios are squared.
  const steepest = 2.25 * rows.length + ridge;
  let weights = new Float64Array(bias + size);
  let ahead = weights;
  let pace = 1;
  for (let round = 0; round < rounds; round += 1) {
    const gradient = gradientOf(data, ahead, ratios);
    const next = ahead.map((weight, place) => {
      const drawn = place < bias ? ridge * weight : 0;
      return weight - (at(gradient, place) + drawn) / steepest;
    });
    const after = (1 + Math.sqrt(1 + 4 * pace * pace)) / 2;
    const [last, push] = [weights, (pace - 1) / after];
    ahead = next.map((weight, place) => weight + push * (weight - at(last, place)));
    weights = next;
    pace = after;
  }
  const rowOf = (from: number): number[] => {
    const row = Array.from({ length: size }, (_, kind) => at(weights, from + kind) * at(ratios, from + kind));
    // What is added to all labels changes none: most weights of a row become nothing.
    const middle = at(
      row.toSorted((left, right) => left - right),
      size >> 1,
    );
    return row.map((weight) => Math.round((weight - middle) / unit) + 0);
  };
  const kept = names
    .map((sign, number) => [sign, rowOf(number * size)] as const)
    .filter(([, row]) => row.some((weight) => Math.abs(weight) * unit > leastKept))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return { bias: rowOf(bias), signs: new Map(kept) };
}
