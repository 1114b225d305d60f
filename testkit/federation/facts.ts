// Facts of an invented product as several kinds of source tell them: repeated in other words, copied, and contradicted on purpose. Deterministic:
// the same seed gives the same facts. Phrasings are of two halves: detectors were tuned on the first, figures are told of the second too.
import type { SourceType } from '../../src/core/document.ts';

export const factKinds = ['number', 'date', 'version', 'negation'] as const;
export type FactKind = (typeof factKinds)[number];

export interface Fact {
  readonly id: string;
  readonly kind: FactKind;
  readonly component: string;
  /** In words, by phrasing; the same value each. */
  readonly told: readonly string[];
  /** The same with another value, by phrasing. */
  readonly contradicted: readonly string[];
  /** About something else, alike in words, with another value: no contradiction. */
  readonly beside: readonly string[];
  readonly question: string;
  /** What people say of it in the corpus is the other value. */
  readonly isContradicted: boolean;
}

export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const components = [
  'Alder gateway',
  'Birch scheduler',
  'Cedar indexer',
  'Drift mailer',
  'Ember cache',
  'Fjord importer',
  'Grove archive',
  'Harbor proxy',
  'Iris notifier',
  'Juniper ledger',
  'Krill sampler',
  'Lumen renderer',
  'Mesa balancer',
  'Nimbus uploader',
  'Onyx vault',
  'Pebble router',
  'Quartz queue',
  'Ridge collector',
  'Sable crawler',
  'Tundra exporter',
];

interface Attribute {
  readonly kind: FactKind;
  readonly question: (component: string) => string;
  readonly phrasings: readonly ((component: string, value: string) => string)[];
  /** The same of another thing. */
  readonly beside: (component: string, value: string) => string;
  readonly values: readonly string[];
}

const months = 'January February March April May June July August September October November December'.split(' ');
const dates = Array.from(
  { length: 24 },
  (_, at) => `${1 + ((at * 7) % 27)} ${months[(at * 5) % 12]} ${2015 + (at % 10)}`,
);

const attributes: readonly Attribute[] = [
  {
    kind: 'number',
    question: (c) => `What is the default timeout of the ${c}?`,
    phrasings: [
      (c, v) => `The default timeout of the ${c} is ${v}.`,
      (c, v) => `By default the ${c} has a timeout of ${v}.`,
      (c, v) => `The timeout of the ${c} defaults to ${v}.`,
      (c, v) => `The ${c} uses a default timeout of ${v}.`,
    ],
    beside: (c, v) => `The default timeout of the backup job of the ${c} is ${v}.`,
    values: ['5 seconds', '10 seconds', '30 seconds', '45 seconds', '90 seconds', '2 minutes', '250 ms'],
  },
  {
    kind: 'number',
    question: (c) => `How large may an upload to the ${c} be?`,
    phrasings: [
      (c, v) => `An upload to the ${c} may be at most ${v}.`,
      (c, v) => `Uploads to the ${c} may be up to ${v}.`,
      (c, v) => `The ${c} takes uploads of up to ${v}.`,
      (c, v) => `An upload to the ${c} may have a maximum of ${v}.`,
    ],
    beside: (c, v) => `On trial plans an upload to the ${c} may be at most ${v}.`,
    values: ['5 MB', '20 MB', '64 MB', '100 MB', '250 MB', '1 GB'],
  },
  {
    kind: 'number',
    question: (c) => `How many connections does the ${c} keep open?`,
    phrasings: [
      (c, v) => `The ${c} keeps ${v} connections open.`,
      (c, v) => `There are ${v} connections that the ${c} keeps open.`,
      (c, v) => `The ${c} always keeps ${v} open connections.`,
      (c, v) => `A total of ${v} connections is kept open by the ${c}.`,
    ],
    beside: (c, v) => `The ${c} keeps ${v} log files open.`,
    values: ['4', '8', '12', '16', '32', '64', '100'],
  },
  {
    kind: 'date',
    question: (c) => `When was the ${c} first released?`,
    phrasings: [
      (c, v) => `The ${c} was first released on ${v}.`,
      (c, v) => `The first release of the ${c} came on ${v}.`,
      (c, v) => `On ${v} the ${c} was released for the first time.`,
      (c, v) => `First released on ${v}, the ${c} is in use everywhere today.`,
    ],
    beside: (c, v) => `The handbook of the ${c} was first released on ${v}.`,
    values: dates,
  },
  {
    kind: 'date',
    question: (c) => `When does support for the ${c} end?`,
    phrasings: [
      (c, v) => `Support for the ${c} ends on ${v}.`,
      (c, v) => `The ${c} is supported until ${v}, when support ends.`,
      (c, v) => `The end of support for the ${c} is ${v}.`,
      (c, v) => `Support for the ${c} will end on ${v}.`,
    ],
    beside: (c, v) => `Support for the mobile client of the ${c} ends on ${v}.`,
    values: dates,
  },
  {
    kind: 'version',
    question: (c) => `Which version of Node does the ${c} need?`,
    phrasings: [
      (c, v) => `The ${c} needs Node ${v}.`,
      (c, v) => `Node ${v} is needed by the ${c}.`,
      (c, v) => `The ${c} requires Node version ${v}.`,
      (c, v) => `To run the ${c} Node ${v} is required.`,
    ],
    beside: (c, v) => `The test bench of the ${c} needs Node ${v}.`,
    values: ['18', '20', '22', '24', '16.4', '20.11'],
  },
  {
    kind: 'negation',
    question: (c) => `Does the ${c} compress its messages?`,
    phrasings: [
      (c, v) => `The ${c} ${v === 'yes' ? 'compresses' : 'does not compress'} its messages.`,
      (c, v) => `Messages of the ${c} are ${v === 'yes' ? '' : 'not '}compressed.`,
      (c, v) => `The ${c} ${v === 'yes' ? 'compresses all' : 'never compresses'} messages.`,
      (c, v) =>
        v === 'yes'
          ? `Messages are compressed by the ${c}.`
          : `Messages are sent without being compressed by the ${c}.`,
    ],
    beside: (c, v) => `The ${c} ${v === 'yes' ? 'does' : 'does not'} compress its log files.`,
    values: ['yes', 'no'],
  },
  {
    kind: 'negation',
    question: (c) => `Can the ${c} run without a network?`,
    phrasings: [
      (c, v) => `The ${c} ${v === 'yes' ? 'can' : 'cannot'} run offline.`,
      (c, v) => `Running the ${c} offline is ${v === 'yes' ? 'possible' : 'impossible'}.`,
      (c, v) => `It is ${v === 'yes' ? '' : 'not '}possible to run the ${c} offline.`,
      (c, v) => (v === 'yes' ? `The ${c} runs offline.` : `The ${c} does not run offline.`),
    ],
    beside: (c, v) => `The installer of the ${c} ${v === 'yes' ? 'can' : 'cannot'} run offline.`,
    values: ['yes', 'no'],
  },
  {
    kind: 'number',
    question: (c) => `How long does the ${c} keep its log files?`,
    phrasings: [
      (c, v) => `The ${c} keeps its log files for ${v}.`,
      (c, v) => `Log files of the ${c} are kept for ${v}.`,
      (c, v) => `The ${c} deletes its log files after ${v}.`,
      (c, v) => `Log files are kept by the ${c} for ${v}.`,
    ],
    beside: (c, v) => `The ${c} keeps its backups for ${v}.`,
    values: ['3 days', '7 days', '14 days', '30 days', '12 weeks', '48 hours'],
  },
  {
    kind: 'version',
    question: (c) => `Which version of TLS does the ${c} speak?`,
    phrasings: [
      (c, v) => `The ${c} speaks TLS ${v}.`,
      (c, v) => `TLS ${v} is spoken by the ${c}.`,
      (c, v) => `The ${c} speaks TLS version ${v}.`,
      (c, v) => `Connections to the ${c} use TLS ${v}.`,
    ],
    beside: (c, v) => `The health check of the ${c} speaks TLS ${v}.`,
    values: ['1.0', '1.1', '1.2', '1.3'],
  },
];

/** 200 facts for each seed: every component with every attribute; several seeds differ in their values. */
export function makeFacts(seed = 1): readonly Fact[] {
  const random = randomOf(seed);
  return components.flatMap((component) =>
    attributes.map((attribute, place): Fact => {
      const { values, phrasings, beside, kind, question } = attribute;
      const at = Math.floor(random() * values.length);
      const other = (at + 1 + Math.floor(random() * (values.length - 1))) % values.length;
      const [value, rival] = [values[at] as string, values[other] as string];
      return {
        id: `${component.split(' ')[0]?.toLowerCase()}-${place}`,
        kind,
        component,
        told: phrasings.map((phrase) => phrase(component, value)),
        contradicted: phrasings.map((phrase) => phrase(component, rival)),
        beside: [
          beside(component, rival),
          phrasings[0]?.(components[(components.indexOf(component) + 7) % components.length] as string, rival) ?? '',
        ],
        question: question(component),
        isContradicted: place % 3 !== 0,
      };
    }),
  );
}

export interface StatementPair {
  readonly kind: FactKind;
  readonly left: string;
  readonly right: string;
  readonly contradicts: boolean;
  /** Of phrasings that detectors were not tuned on. */
  readonly isHeldOut: boolean;
}

/** Every two phrasings of a fact, agreeing and contradicting, and what stands beside it. */
export function pairsOf(facts: readonly Fact[]): readonly StatementPair[] {
  return facts.flatMap(({ kind, told, contradicted, beside }) =>
    told.flatMap((left, at) => [
      ...told.flatMap((right, place): StatementPair[] =>
        place > at ? [{ kind, left, right, contradicts: false, isHeldOut: at > 1 || place > 1 }] : [],
      ),
      ...contradicted.map(
        (right, place): StatementPair => ({ kind, left, right, contradicts: true, isHeldOut: at > 1 || place > 1 }),
      ),
      ...beside.map((right): StatementPair => ({ kind, left, right, contradicts: false, isHeldOut: at > 1 })),
    ]),
  );
}

/** Where a fact is told: reference, its copy on the web, somebody who has it wrong, and a chapter on the same thing. */
export interface FactDocument {
  readonly source: string;
  readonly type: SourceType;
  readonly uri: string;
  readonly title: string;
  readonly text: string;
}

/** The documents of a corpus: each fact in the reference and, word for word, on a page; in other words in a chapter; contradicted by people. */
export function documentsOf(facts: readonly Fact[]): readonly FactDocument[] {
  const byComponent = Map.groupBy(facts, ({ component }) => component);
  return [...byComponent].flatMap(([component, own]): FactDocument[] => {
    const slug = component.toLowerCase().replace(' ', '-');
    const reference = own
      .flatMap(({ told }, at) => (at % 2 === 0 ? (told[0] ?? []) : (told[1] ?? [])))
      .map((text) => `${text}\n`);
    const sections = reference.map((text, at) => `## ${own[at]?.question.replace(/\?$/u, '')}\n\n${text}`);
    return [
      {
        source: 'manual',
        type: 'docs',
        uri: `${slug}.md`,
        title: `${component} reference`,
        text: `# ${component} reference\n\n${sections.join('\n')}`,
      },
      {
        source: 'mirror',
        type: 'web',
        uri: `https://mirror.example/${slug}`,
        title: `${component} reference`,
        text: `# ${component} reference\n\n${sections.join('\n')}`,
      },
      {
        source: 'course',
        type: 'textbook',
        uri: `chapter-${slug}.md`,
        title: `On the ${component}`,
        text: `# On the ${component}\n\nThis chapter looks at how the ${component} came to be and what it is for.\n\n${own.map(({ told }) => told[2]).join('\n\n')}\n`,
      },
      ...own.map(
        (fact, at): FactDocument => ({
          source: 'forum',
          type: 'qa',
          uri: `${fact.id}.md`,
          title: fact.question,
          text: `# ${fact.question}\n\n${(fact.isContradicted ? fact.contradicted[at % 2] : fact.told[3]) ?? ''}\n`,
        }),
      ),
      {
        source: 'repo',
        type: 'code',
        uri: `src/${slug}.ts`,
        title: `${slug}.ts`,
        text: `// ${own[0]?.told[3] ?? ''}\nexport const ${slug.replace(/-(\w)/gu, (_, letter: string) => letter.toUpperCase())} = { name: '${slug}' };\n`,
      },
    ];
  });
}
