// A collection made for one question: does a query by one name find what is written under the other? Notes on machines that each
// have a long name and a short form; a third of the notes gives both, a third each only one. Drawn by a seed; short forms may
// mean two machines, as they do in life, and a share of the queries names none.
import type { EvaluationQuery } from '../../src/evals/datasets.ts';
import type { Judgments } from '../../src/evals/metrics.ts';
import type { EvaluatedDocument } from '../../src/evals/system.ts';

export interface AcronymCorpus {
  readonly documents: readonly EvaluatedDocument[];
  readonly queries: readonly EvaluationQuery[];
  readonly judgments: ReadonlyMap<string, Judgments>;
  /** Short forms that mean more than one machine. */
  readonly ambiguous: number;
}

const firsts =
  'adaptive balanced central digital elastic forward gated hybrid inverse joint linear mobile narrow open passive rapid static thermal upper variable'.split(
    ' ',
  );
const seconds =
  'air batch coolant drain exhaust filter grain heat intake load mixing network oil pressure quench ring steam torque vacuum water'.split(
    ' ',
  );
const lasts =
  'array bench control drive engine feeder gauge hopper inverter junction lift monitor nozzle pump regulator separator turbine unit valve winder'.split(
    ' ',
  );
const aspects =
  'alignment budget calibration delivery failure inspection lubrication noise operator replacement safety training'.split(
    ' ',
  );
const places = 'Aldern Brackwater Corvel Dunmere Eastholt Farrow Greyford Hollin'.split(' ');
const remarks = [
  'The shift lead signed the report before noon.',
  'Nothing else was found that needed attention.',
  'A second visit is planned for the coming quarter.',
  'Parts were taken from the store on the ground floor.',
  'The weather had no influence on the work.',
  'Two colleagues from the night shift were present.',
  'All figures were entered into the ledger by hand.',
  'The old drawings are kept in the archive.',
];

/** mulberry32. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function makeAcronymCorpus({ seed = 1, machines = 160 } = {}): AcronymCorpus {
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const documents: EvaluatedDocument[] = [];
  const queries: EvaluationQuery[] = [];
  const judgments = new Map<string, Map<string, number>>();
  const shorts = new Map<string, Set<string>>();
  const ask = (id: string, text: string, relevant: readonly string[]): void => {
    queries.push({ id, text, metadata: {} });
    judgments.set(id, new Map(relevant.map((one) => [one, 1])));
  };
  const write = (subject: string, aspect: string): string => {
    const id = `note-${documents.length + 1}`;
    const place = pick(places);
    const body = [`The ${aspect} of the ${subject} in ${place} was looked at again.`, pick(remarks), pick(remarks)];
    if (random() < 0.5) body.reverse();
    documents.push({ id, title: `Note ${documents.length + 1} from ${place}`, text: body.join(' ') });
    return id;
  };
  const names = new Set<string>();
  while (names.size < machines) names.add(`${pick(firsts)} ${pick(seconds)} ${pick(lasts)}`);
  for (const [number, long] of [...names].entries()) {
    const short = long
      .split(' ')
      .map((word) => word[0]?.toUpperCase())
      .join('');
    shorts.set(short, (shorts.get(short) ?? new Set()).add(long));
    for (const aspect of [aspects[number % aspects.length], aspects[(number + 5) % aspects.length]]) {
      if (aspect === undefined) continue;
      const styles = [`${long} (${short})`, long, short];
      const relevant = Array.from({ length: 5 }, () => write(pick(styles), aspect));
      ask(`${number}-${aspect}-short`, `${aspect} of the ${short}`, relevant);
      ask(`${number}-${aspect}-long`, `${aspect} of the ${long}`, relevant);
    }
  }
  // Machines that nobody shortens, and questions about them.
  for (let number = 0; number < machines / 2; number++) {
    const subject = `${pick(seconds)} ${pick(lasts)}`;
    const aspect = pick(aspects);
    ask(`plain-${number}`, `${aspect} of the ${subject}`, [write(subject, aspect), write(subject, aspect)]);
  }
  return { documents, queries, judgments, ambiguous: [...shorts.values()].filter((longs) => longs.size > 1).length };
}
