// Makes tables from a seed, as each kind of parser writes their rows, with claims about one row: true ones, and forged ones that take a cell of
// another row or column, change a figure, a unit or a sign, or say more than the row does. A forgery is never true of the row by chance.
// The generator shares no code with the verifier.
import { pick, type Random, randomFrom } from './forge-words.ts';

/** How a row is written: on one line with names, parted by bars under a header, as Markdown, or line by line. */
export const writings = ['record', 'bars', 'markdown', 'lines'] as const;
export type Writing = (typeof writings)[number];

export interface TableClaim {
  readonly kind: string;
  readonly writing: Writing;
  readonly claim: string;
  /** Text of the whole table, with something before it. */
  readonly text: string;
  /** The quoted row, or that row with its neighbours. */
  readonly start: number;
  readonly end: number;
}

interface Column {
  readonly name: string;
  /** As the header has it, with its unit. */
  readonly title: string;
  readonly unit: string;
  readonly draw: (random: Random) => string;
}

interface Table {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly { readonly label: string; readonly values: readonly string[] }[];
}

const whole =
  (from: number, to: number) =>
  (random: Random): string =>
    String(from + Math.floor(random() * (to - from)));
const decimal =
  (from: number, to: number) =>
  (random: Random): string =>
    (from + random() * (to - from)).toFixed(1);
const oneOf =
  (...words: string[]) =>
  (random: Random): string =>
    pick(words, random);
const dated = (random: Random): string =>
  `20${whole(10, 27)(random)}-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 9)}`;
const column = (name: string, unit: string, draw: Column['draw']): Column => ({
  name,
  unit,
  title: unit === '' ? name : `${name} (${unit})`,
  draw,
});

const subjects: readonly { label: string; labels: readonly string[]; columns: readonly Column[] }[] = [
  {
    label: 'Station',
    labels: ['Q350', 'Q351', 'Q360', 'Q412', 'Q377', 'R20', 'R21'],
    columns: [
      column('Salinity', '', decimal(2, 9)),
      column('Depth', 'm', whole(10, 90)),
      column('Oxygen', 'mg', decimal(10, 19)),
      column('Basin', '', oneOf('Northern', 'Southern', 'Arkona', 'Gotland')),
      column('Sampled', '', dated),
    ],
  },
  {
    label: 'Product',
    labels: ['Harbour lamp', 'Field desk', 'Copper kettle', 'Rain coat', 'Garden bench'],
    columns: [
      column('Price', 'EUR', decimal(20, 400)),
      column('Weight', 'kg', decimal(1, 15)),
      column('Stock', '', whole(400, 990)),
      column('Supplier', '', oneOf('Brandt Works', 'Nilsson Mills', 'Orchard Trading')),
      column('Warranty', 'months', whole(16, 36)),
    ],
  },
  {
    label: '',
    labels: ['Revenue', 'Costs', 'Operating income', 'Research spending', 'Capital expenditure'],
    columns: ['2019', '2020', '2021', '2022', '2023'].map((year) => column(year, '', decimal(11, 99))),
  },
  {
    label: 'Employee',
    labels: ['Jane Doe', 'Ann Lee', 'Tom Brandt', 'Ida Moss', 'Karl Holm'],
    columns: [
      column('Office', '', oneOf('Hamburg', 'Oslo', 'Turin', 'Lyon')),
      column('Team', '', oneOf('Payroll', 'Research', 'Logistics', 'Security')),
      column('Salary', 'EUR', whole(41_000, 88_000)),
      column('Start date', '', dated),
      column('Extension', '', whole(3_000, 9_000)),
    ],
  },
];

function drawTable(random: Random): Table {
  const subject = pick(subjects, random);
  const columns = [...subject.columns].sort(() => random() - 0.5).slice(0, 3 + Math.floor(random() * 3));
  const labels = [...subject.labels].sort(() => random() - 0.5).slice(0, 4);
  // No value stands twice in a row, and none is another row's of the same column.
  const used = new Set<string>();
  const draw = (one: Column): string => {
    for (let tries = 0; ; tries += 1) {
      const value = one.draw(random);
      if (!used.has(value) || tries > 50) return value;
    }
  };
  const rows = labels.map((label) => ({
    label,
    values: columns.map((one) => {
      const value = draw(one);
      used.add(value);
      return value;
    }),
  }));
  return { label: subject.label, columns, rows };
}

function write(table: Table, writing: Writing): { text: string; rows: { start: number; end: number }[] } {
  const title = table.label === '' ? 'Item' : table.label;
  const isBars = writing === 'bars' || writing === 'markdown';
  const cellsOf = (label: string, values: readonly string[]): string => {
    if (writing === 'markdown') return `| ${[label, ...values].join(' | ')} |`;
    if (isBars) return [label, ...values].join(' | ');
    const fields = [`${title}: ${label}`, ...values.map((value, at) => `${table.columns[at]?.title}: ${value}`)];
    return fields.join(writing === 'record' ? '; ' : '\n');
  };
  let text = 'What was entered for the year is listed here.\n\n';
  if (isBars) {
    const names = table.columns.map((one) => one.title);
    text +=
      writing === 'markdown'
        ? `| ${[table.label, ...names].join(' | ')} |\n`
        : `${[table.label, ...names].join(' | ')}\n`;
    if (writing === 'markdown') text += `|${'---|'.repeat(table.columns.length + 1)}\n`;
  }
  const rows: { start: number; end: number }[] = [];
  for (const [at, { label, values }] of table.rows.entries()) {
    if (at > 0) text += writing === 'lines' ? '\n\n' : '\n';
    const start = text.length;
    text += cellsOf(label, values);
    rows.push({ start, end: text.length });
  }
  return { text, rows };
}

interface Said {
  readonly name: string;
  readonly value: string;
  readonly unit: string;
}

const withUnit = ({ value, unit }: Said): string => (unit === '' ? value : `${value} ${unit}`);

/** Sentences that say of a subject what stands under one or two names. */
const sentences: readonly ((subject: string, said: Said, other: Said) => string)[] = [
  (subject, said) => `The ${said.name.toLowerCase()} of ${subject} was ${withUnit(said)}.`,
  (subject, said) => `${subject} had a ${said.name.toLowerCase()} of ${withUnit(said)}.`,
  (subject, said) => `${subject}: ${said.name.toLowerCase()} ${withUnit(said)}`,
  (subject, said, other) =>
    `${subject} has a ${said.name.toLowerCase()} of ${withUnit(said)} and a ${other.name.toLowerCase()} of ${withUnit(other)}.`,
  (subject, said, other) =>
    `The ${said.name.toLowerCase()} and ${other.name.toLowerCase()} of ${subject} were ${withUnit(said)} and ${withUnit(other)}.`,
];
const yearly: typeof sentences = [
  (subject, said) => `${subject} in ${said.name} was ${withUnit(said)}.`,
  (subject, said) => `In ${said.name}, ${subject.toLowerCase()} was ${withUnit(said)}.`,
  (subject, said, other) => `${subject} was ${withUnit(said)} in ${said.name} and ${withUnit(other)} in ${other.name}.`,
];

interface Draft {
  readonly table: Table;
  readonly row: number;
  readonly subject: string;
  readonly said: Said;
  readonly other: Said;
  readonly say: (typeof sentences)[number];
  readonly random: Random;
}

const saidOf = (table: Table, row: number, at: number): Said => {
  const one = table.columns[at] as Column;
  return { name: one.name, value: table.rows[row]?.values[at] ?? '', unit: one.unit };
};

function draft(table: Table, row: number, random: Random): Draft {
  const order = table.columns.map((_, at) => at).sort(() => random() - 0.5);
  const [first, second] = order as [number, number];
  const label = table.rows[row]?.label ?? '';
  const subject = table.label !== '' && random() < 0.5 ? `${table.label.toLowerCase()} ${label}` : label;
  return {
    table,
    row,
    subject,
    said: saidOf(table, row, first),
    other: saidOf(table, row, second),
    say: pick(table.label === '' ? yearly : sentences, random),
    random,
  };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const tell = ({ say, subject, said, other }: Pick<Draft, 'say' | 'subject' | 'said' | 'other'>): string =>
  capital(say(subject, said, other));
const otherRow = ({ table, row, random }: Draft): number => {
  const others = table.rows.flatMap((_, at) => (at === row ? [] : [at]));
  return pick(others, random);
};
const units: Readonly<Record<string, string>> = { m: 'km', mg: 'kg', EUR: 'USD', kg: 'g', months: 'years' };
const isFigure = (value: string): boolean => /^\d+(?:\.\d+)?$/u.test(value);
const columnOf = ({ table }: Draft, name: string): number => table.columns.findIndex((one) => one.name === name);

/** What changes a true claim into a false one; undefined where it does not apply. */
export const tableForgeries: Readonly<Record<string, (made: Draft) => string | undefined>> = {
  'cell of another row': (made) => {
    const value = made.table.rows[otherRow(made)]?.values[columnOf(made, made.said.name)] ?? '';
    return value === made.said.value ? undefined : tell({ ...made, said: { ...made.said, value } });
  },
  'cell of another column': (made) =>
    tell({
      ...made,
      said: { ...made.said, value: made.other.value },
      other: { ...made.other, value: made.other.value },
    }),
  'cell and unit of another column': (made) => tell({ ...made, said: { ...made.other, name: made.said.name } }),
  'cells swapped': (made) =>
    tell({
      ...made,
      said: { ...made.said, value: made.other.value, unit: made.other.unit },
      other: { ...made.other, value: made.said.value, unit: made.said.unit },
    }),
  'column renamed': (made) => {
    const names = made.table.columns
      .map(({ name }) => name)
      .filter((name) => name !== made.said.name && name !== made.other.name);
    return names.length === 0 ? undefined : tell({ ...made, said: { ...made.said, name: pick(names, made.random) } });
  },
  'row renamed': (made) => {
    const label = made.table.rows[otherRow(made)]?.label ?? '';
    const own = made.table.rows[made.row]?.label ?? '';
    return tell({ ...made, subject: made.subject.replace(own, label) });
  },
  'two rows mixed': (made) => {
    const value = made.table.rows[otherRow(made)]?.values[columnOf(made, made.other.name)] ?? '';
    const written = tell({ ...made, other: { ...made.other, value } });
    return value === made.other.value || written === tell(made) ? undefined : written;
  },
  'unit changed': (made) => {
    const unit = units[made.said.unit];
    return unit === undefined ? undefined : tell({ ...made, said: { ...made.said, unit } });
  },
  'scale added': (made) =>
    isFigure(made.said.value) && made.said.unit === ''
      ? tell({ ...made, said: { ...made.said, value: `${made.said.value} million` } })
      : undefined,
  'figure changed': (made) => {
    if (!isFigure(made.said.value)) return undefined;
    const digit = Number(made.said.value[0]);
    return tell({ ...made, said: { ...made.said, value: `${(digit % 9) + 1}${made.said.value.slice(1)}` } });
  },
  'sign changed': (made) =>
    isFigure(made.said.value) ? tell({ ...made, said: { ...made.said, value: `-${made.said.value}` } }) : undefined,
  denied: (made) => {
    const written = tell(made);
    return / was | had | has | were /u.test(written)
      ? written.replace(/ (was|had|has|were) /u, (_, verb: string) =>
          verb === 'was' || verb === 'were' ? ` ${verb} not ` : ` never had `,
        )
      : undefined;
  },
  compared: (made) =>
    isFigure(made.said.value)
      ? tell({
          ...made,
          said: {
            ...made.said,
            value: `${pick(['more than', 'less than', 'at least', 'higher than', 'up to'], made.random)} ${made.said.value}`,
          },
        })
      : undefined,
  superlative: (made) =>
    tell(made).replace(/ (was|had|has|were) /u, (_, verb: string) => ` ${verb} the highest of all, `),
  doubted: (made) => {
    const written = tell(made);
    return / was | were /u.test(written) ? written.replace(/ (?:was|were) /u, ' will be ') : undefined;
  },
  'all rows': (made) => `All had a ${made.said.name.toLowerCase()} of ${withUnit(made.said)}.`,
  'neighbour in one breath': (made) => {
    const label = made.table.rows[otherRow(made)]?.label ?? '';
    return tell({ ...made, subject: `${made.subject} and ${label}` });
  },
};

export const tableReadings: Readonly<Record<string, (made: Draft) => string | undefined>> = {
  'as it stands': (made) => tell(made),
  'two cells': (made) =>
    tell({ ...made, say: made.table.label === '' ? (yearly[2] ?? made.say) : (sentences[3] ?? made.say) }),
};

export interface TableClaimOptions {
  readonly count: number;
  readonly seed: number;
  readonly kinds: Readonly<Record<string, (made: Draft) => string | undefined>>;
}

/** `count` claims over tables drawn from the seed, all kinds and writings in turn. */
export function tableClaims({ count, seed, kinds }: TableClaimOptions): TableClaim[] {
  const random = randomFrom(seed);
  const made: TableClaim[] = [];
  const names = Object.keys(kinds);
  for (let turn = 0; made.length < count; turn += 1) {
    const kind = names[turn % names.length] as string;
    const writing = writings[Math.floor(turn / names.length) % writings.length] as Writing;
    for (let tries = 0; tries < 50; tries += 1) {
      const table = drawTable(random);
      const row = Math.floor(random() * table.rows.length);
      const drafted = draft(table, row, random);
      const claim = kinds[kind]?.(drafted);
      if (claim === undefined || (kinds !== tableReadings && claim === tell(drafted))) continue;
      const { text, rows } = write(table, writing);
      const around = random() < 0.3 ? 1 : 0;
      const start = rows[Math.max(0, row - around)]?.start ?? 0;
      const end = rows[Math.min(rows.length - 1, row + around)]?.end ?? text.length;
      // What a neighbour says is true of the quote.
      if (around === 1 && kind === 'row renamed') continue;
      made.push({ kind, writing, claim, text, start, end });
      break;
    }
  }
  return made;
}
