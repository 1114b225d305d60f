// How far the critic by rules agrees with judgements that it has nothing to do with, on drafts that are made to vary: of claims that people judged
// against quotes, good and bad ones mixed in shares from none to all. The judges are people's own labels and the rules that judge answers
// afterwards, which share nothing with the verifier whose support the critic averages.
import { join } from 'node:path';
import { criticiseByRules } from '../../src/agent/critic/critic.ts';
import type { HeldDraft } from '../../src/agent/revise/held-draft.ts';
import { supportOf } from '../../src/answer/support.ts';
import { groundingOf } from '../../src/evals/judges/groundedness.ts';
import { seeded } from '../../src/evals/metrics.ts';
import { correlationOf } from '../../src/evals/online/standing.ts';
import { sharedRoot } from '../../testkit/shared-data.ts';
import { writeResult } from '../report.ts';
import { judgedQuotes, type QuotedClaim } from './labelled-claims.ts';

const seed = 1;
const drafts = 500;
const claimsOfDraft = 4;
const shares = [0, 0.25, 0.5, 0.75, 1] as const;
const rounds = 1000;

const kinds = ['verbatim', 'supported', 'partly', 'contradicted', 'not supported', 'off-topic'] as const;
type Kind = (typeof kinds)[number];
const good: readonly Kind[] = ['verbatim', 'supported'];
const bad: readonly Kind[] = ['partly', 'contradicted', 'not supported', 'off-topic'];

interface Scored {
  readonly kind: Kind;
  /** What people say: 1 carried, 0.5 in part, 0 not. */
  readonly people: number;
  /** What the verifier measured; the critic has nothing else. */
  readonly support: number;
  readonly isHeld: boolean;
  readonly judged: number;
}

const random = seeded(seed);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

function scored(kind: Kind, people: number, { claim, quote }: Pick<QuotedClaim, 'claim' | 'quote'>): Scored {
  const { support, verdict } = supportOf(claim, quote);
  return { kind, people, support, isHeld: verdict === 'supported', judged: groundingOf(claim, [quote]).score };
}

const judged = judgedQuotes();
const withLabel = (label: QuotedClaim['label']): readonly QuotedClaim[] => judged.filter((one) => one.label === label);
const carried = withLabel('supported');
const pools: Readonly<Record<Kind, readonly Scored[]>> = {
  // As the writer without a model writes: a sentence of the quote itself.
  verbatim: carried.map(({ quote, sentences }) => scored('verbatim', 1, { claim: sentences[0] ?? quote, quote })),
  supported: carried.map((one) => scored('supported', 1, one)),
  partly: withLabel('partly').map((one) => scored('partly', 0.5, one)),
  contradicted: withLabel('contradicted').map((one) => scored('contradicted', 0, one)),
  'not supported': withLabel('not supported').map((one) => scored('not supported', 0, one)),
  // The quote of another claim.
  'off-topic': carried.map(({ claim }, at) =>
    scored('off-topic', 0, { claim, quote: (carried[(at + 41) % carried.length] as QuotedClaim).quote }),
  ),
};

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** What the critic of the product says of a draft with such claims. */
const criticOf = (claims: readonly Scored[]): number => {
  const held = {
    state: { request: { question: '' } },
    claims: claims.map(({ support }) => ({ text: '', spans: [], support })),
  };
  return criticiseByRules(held as unknown as HeldDraft, 2).groundedness;
};

const written = Array.from({ length: drafts }, (_, at) =>
  Array.from({ length: claimsOfDraft }, () =>
    pick(pools[pick(random() < (shares[at % shares.length] as number) ? good : bad)]),
  ),
);

interface Pair {
  readonly critic: number;
  readonly judged: number;
}
const by = (judge: 'people' | 'judged') => (claims: readonly Scored[]) => mean(claims.map((one) => one[judge]));
const toPairs = (texts: readonly (readonly Scored[])[], judge: 'people' | 'judged'): Pair[] =>
  texts.map((claims) => ({ critic: criticOf(claims), judged: by(judge)(claims) }));
/** What the verifier lets pass: all that a critic ever sees in the product. */
const held = written.map((claims) => claims.filter(({ isHeld }) => isHeld)).filter((claims) => claims.length > 0);
/** Without what is easy to tell: sentences of the quote itself, and claims of something else. */
const hardKinds: readonly Kind[] = ['supported', 'partly', 'contradicted', 'not supported'];
const hard = Array.from({ length: drafts }, (_, at) =>
  Array.from({ length: claimsOfDraft }, () =>
    pick(
      pools[
        random() < (shares[at % shares.length] as number)
          ? 'supported'
          : pick(hardKinds.filter((kind) => kind !== 'supported'))
      ],
    ),
  ),
);
const single = Object.values(pools).flatMap((pool) => pool.map((one) => [one]));

function figureOf(pairs: readonly Pair[]): readonly [r: number, low: number, high: number] {
  const drawn = Array.from({ length: rounds }, () => correlationOf(pairs.map(() => pick(pairs))) ?? 0).sort(
    (one, other) => one - other,
  );
  const at = (share: number): number => drawn[Math.floor(share * (rounds - 1))] ?? Number.NaN;
  return [correlationOf(pairs) ?? 0, at(0.025), at(0.975)];
}

const cut = (value: number): number => Math.round(value * 1000) / 1000;
const figures = (
  [
    ['drafts as they were written', 'judge by rules', toPairs(written, 'judged')],
    ['drafts as they were written', 'people', toPairs(written, 'people')],
    ['drafts as the verifier lets them pass', 'judge by rules', toPairs(held, 'judged')],
    ['drafts as the verifier lets them pass', 'people', toPairs(held, 'people')],
    ['drafts without verbatim and off-topic claims', 'judge by rules', toPairs(hard, 'judged')],
    ['drafts without verbatim and off-topic claims', 'people', toPairs(hard, 'people')],
    ['claims one by one', 'judge by rules', toPairs(single, 'judged')],
    ['claims one by one', 'people', toPairs(single, 'people')],
  ] as const
).map(([what, judge, pairs]) => ({ what, judge, count: pairs.length, r: figureOf(pairs) }));
const between = figureOf(written.map((claims) => ({ critic: by('judged')(claims), judged: by('people')(claims) })));
const rows = [
  ...figures.map(({ what, judge, count, r }) => [what, judge, count, ...r.map(cut)]),
  [
    'drafts as they were written',
    'judge by rules beside people, without the critic',
    written.length,
    ...between.map(cut),
  ],
];
const kindRows = kinds.map((kind) => {
  const pool = pools[kind];
  const share = mean(pool.map(({ isHeld }) => (isHeld ? 1 : 0)));
  return [
    kind,
    pool.length,
    cut(mean(pool.map(({ people }) => people))),
    cut(mean(pool.map(({ support }) => support))),
    cut(mean(pool.map((one) => one.judged))),
    cut(share),
  ];
});
console.table(rows);
console.table(kindRows);
const rOf = (place: number): number => figures[place]?.r[0] ?? 0;
const [byRules, byPeople, heldByRules, heldByPeople] = [rOf(0), rOf(1), rOf(2), rOf(3)];
await writeResult('critic', {
  title: 'The critic beside independent judgements of groundedness, on drafts made to vary',
  command: 'npm run bench critic',
  seed,
  data: ['wice', 'scifact'].map((name) => join(sharedRoot, name)),
  metrics: {
    'r with the judge by rules, as written': byRules,
    'r with people, as written': byPeople,
    'r with the judge by rules, of what passes the verifier': heldByRules,
    'r with people, of what passes the verifier': heldByPeople,
    'r with people, without verbatim and off-topic claims': rOf(5),
  },
  goals: [
    {
      what: 'r of critic and judge by rules, drafts as written',
      wanted: '>= 0.7',
      got: cut(byRules),
      met: byRules >= 0.7,
    },
    { what: 'r of critic and people, drafts as written', wanted: '>= 0.7', got: cut(byPeople), met: byPeople >= 0.7 },
  ],
  tables: [
    { title: 'Agreement (Pearson’s r)', columns: ['of', 'with', 'pairs', 'r', 'from', 'to'], rows },
    {
      title: 'Claims by kind',
      columns: ['kind', 'claims', 'people', 'critic (support)', 'judge by rules', 'share that passes the verifier'],
      rows: kindRows,
    },
  ],
  notes: [
    `${drafts} drafts of ${claimsOfDraft} claims, of which a share of 0, 25, 50, 75 or 100 % is drawn from those that are carried; intervals draw drafts again.`,
    'The half of WiCE dev that the verifier was not fitted on, and SciFact test: sentences that people chose are the quotes; of claims without any, those that share most words with the claim.',
    'In the product the verifier drops what it refuses before a critic looks: of such drafts sentences of the quote are left, nothing varies, and r says nothing (0). What `footnote eval goals` finds in a record is of that kind.',
    'The critic by rules averages what the verifier measured; a critic that is a model was not measured: there is none here.',
  ],
});
