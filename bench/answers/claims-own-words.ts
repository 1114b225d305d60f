// How the support check judges claims in words of their own: sets that people judged (half by half), pairs written by hand by
// kind, and claims made by leaving something out. For each: how many true and false ones are accepted, balanced accuracy, and
// how well `support` ranks them (area under the curve). Nothing is fitted here: scripts/fit-support.ts does that.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { supportOf } from '../../src/answer/support.ts';
import { vetoesOf } from '../../src/answer/vetoes.ts';
import { segmentSentences } from '../../src/text/sentences.ts';
import { cutsOf } from '../../testkit/forge/cuts.ts';
import { forgeries, randomFrom } from '../../testkit/forge/forge.ts';
import { forgeTexts } from '../../testkit/forge/forge-texts.ts';
import { rewordingsOf } from '../../testkit/forge/reworded.ts';
import { writtenPairs } from '../../testkit/forge/written-pairs.ts';
import { type BenchGoal, type BenchTable, writeResult } from '../report.ts';
import { climateFever, expertQa, faithBench, sciFact, wice, xquadSentences } from './own-words/judged-sets.ts';
import { type Measured, measure, reliabilityOf } from './own-words/measure.ts';

const root = process.env['FOOTNOTE_SHARED_DATA'] ?? resolve(import.meta.dirname, '../../shared/data');
/** Of the forgeries of reworded sentences. */
const seed = 7;
const times: number[] = [];
const judge = (claim: string, quote: string): Measured['verdict'] => {
  const from = performance.now();
  const { support, verdict } = supportOf(claim, quote);
  times.push(performance.now() - from);
  return { support, isSupported: verdict === 'supported' };
};

const sets = [faithBench(), wice(), sciFact(), climateFever(), expertQa()].filter((set) => set.length > 0);
const judged: (string | number)[][] = [];
const metrics: Record<string, number> = {};
for (const set of sets)
  for (const half of ['fitted on', 'reported'] as const) {
    const pairs = set.filter(({ isOpen }) => isOpen === (half === 'fitted on'));
    const name = pairs[0]?.set ?? '';
    const result = measure(pairs.map((pair) => ({ isTrue: pair.isTrue, verdict: judge(pair.claim, pair.quote) })));
    judged.push([name, half, ...result.row]);
    if (half === 'reported') {
      metrics[`${name}: true accepted %`] = result.trueAccepted;
      metrics[`${name}: balanced accuracy`] = result.balancedAccuracy;
      metrics[`${name}: AUC`] = result.auc;
    }
  }

const reliability: (string | number)[][] = [];
/** Below this hardly a word of the claim stands in the quote, and nothing is graded. */
const leastGraded = 0.1;
for (const half of ['fitted on', 'reported'] as const) {
  const all = [...sets, writtenPairs].map((set) =>
    set
      .filter(({ isOpen }) => isOpen === (half === 'fitted on'))
      .map(({ isTrue, claim, quote }) => ({ isTrue, verdict: judge(claim, quote) })),
  );
  const { error, bins } = reliabilityOf(all);
  const graded = reliabilityOf(all.map((set) => set.filter(({ verdict }) => verdict.support >= leastGraded)));
  for (const [from, claims, said, so] of bins) reliability.push([half, from, claims, said, so]);
  reliability.push([half, 'expected calibration error', '', error, '']);
  reliability.push([half, `the same from ${leastGraded} on`, '', graded.error, '']);
  if (half === 'reported') {
    metrics['support: expected calibration error, sets and labels weighing the same'] = error;
    metrics['support: the same of claims that are graded'] = graded.error;
  }
}

const left: (string | number)[][] = [];
const contradicted = ({ claim, quote }: { readonly claim: string; readonly quote: string }): boolean => {
  const { verdict, reasons } = supportOf(claim, quote);
  return verdict === 'unsupported' && vetoesOf({ claim, quotes: [{ quote, title: '' }], reasons }).vetoes.length > 0;
};
for (const [name, pairs] of [
  ...sets.slice(0, 2).map((set) => [set[0]?.set ?? '', set] as const),
  ['written by hand', writtenPairs] as const,
])
  for (const half of ['shaped on', 'reported'] as const) {
    const mine = pairs.filter(({ isOpen }) => isOpen === (half === 'shaped on'));
    const shareOf = (isTrue: boolean): number => {
      const of = mine.filter((pair) => pair.isTrue === isTrue);
      return Math.round((1000 * of.filter((pair) => contradicted(pair)).length) / Math.max(1, of.length)) / 10;
    };
    left.push([name, half, mine.length, Math.round(10 * (100 - shareOf(true))) / 10, shareOf(false)]);
    if (half === 'reported') metrics[`${name}: true left to a judge %`] = Math.round(10 * (100 - shareOf(true))) / 10;
  }

const written: (string | number)[][] = [];
const kinds = [...new Set(writtenPairs.map(({ kind }) => kind))];
const verdicts = writtenPairs.map((pair) => ({ ...pair, verdict: judge(pair.claim, pair.quote) }));
for (const kind of [...kinds, 'all'])
  for (const half of kind === 'all' ? (['fitted on', 'reported', 'both'] as const) : (['both'] as const)) {
    const result = measure(
      verdicts.filter(
        (pair) => (kind === 'all' || pair.kind === kind) && (half === 'both' || pair.isOpen === (half === 'fitted on')),
      ),
    );
    written.push([kind, half, ...result.row]);
    if (kind === 'all' && half === 'reported') {
      metrics['written: true accepted %'] = result.trueAccepted;
      metrics['written: false accepted %'] = result.falseAccepted;
      metrics['written: AUC'] = result.auc;
    }
  }

// What a script makes of real sentences in plain words, with each of its forgeries: forged ones are never to be accepted.
const reworded: (string | number)[][] = [];
const real = xquadSentences((text) => segmentSentences(text, { language: 'en' }));
const random = randomFrom(seed);
const rewordings = real.flatMap((text, at) => rewordingsOf(text).map((one) => ({ ...one, isOpen: at % 2 === 0 })));
const sentencesOfSet = real.map((text) => ({ text, language: 'en' as const }));
const twins = rewordings.flatMap(({ claim, quote }) =>
  Object.values(forgeries).flatMap((forge) => {
    const forged = forge({ text: claim, language: 'en' }, random, sentencesOfSet);
    return forged === undefined || forged === claim || quote.includes(forged) ? [] : [{ claim: forged, quote }];
  }),
);
const isHeld = ({ claim, quote }: { readonly claim: string; readonly quote: string }): boolean =>
  judge(claim, quote).isSupported;
for (const style of [...new Set(rewordings.map((one) => one.style)), 'all'])
  for (const half of ['shaped on', 'reported'] as const) {
    const mine = rewordings.filter(
      (one) => (style === 'all' || one.style === style) && one.isOpen === (half === 'shaped on'),
    );
    const share = Math.round((1000 * mine.filter(isHeld).length) / Math.max(1, mine.length)) / 10;
    reworded.push([style, half, mine.length, share]);
    if (half === 'reported') metrics[`reworded by a script, ${style}: accepted %`] = share;
  }
metrics['reworded by a script: forged twins'] = twins.length;
metrics['reworded by a script: forged twins accepted'] = twins.filter(isHeld).length;

const cutRows: (string | number)[][] = [];
for (const [name, sentences] of [
  ['own sentences', forgeTexts.flatMap(({ language, sentences }) => (language === 'en' ? sentences : []))],
  ['XQuAD en', xquadSentences((text) => segmentSentences(text, { language: 'en' }))],
] as const) {
  const cuts = sentences.flatMap(cutsOf).map((cut) => ({ ...cut, verdict: judge(cut.claim, cut.quote) }));
  for (const kind of [...new Set(cuts.map((cut) => cut.kind)), 'all']) {
    const mine = cuts.filter((cut) => kind === 'all' || cut.kind === kind);
    const harmful = mine.filter((cut) => cut.isHarmful);
    const harmless = mine.filter((cut) => !cut.isHarmful);
    const accepted = harmful.filter((cut) => cut.verdict.isSupported).length;
    const refused = harmless.filter((cut) => !cut.verdict.isSupported).length;
    cutRows.push([name, kind, harmful.length, accepted, harmless.length, refused]);
    if (kind === 'all') {
      metrics[`cuts, ${name}: harmful accepted %`] = Math.round((1000 * accepted) / Math.max(1, harmful.length)) / 10;
      metrics[`cuts, ${name}: harmless refused %`] = Math.round((1000 * refused) / Math.max(1, harmless.length)) / 10;
    }
  }
  if (process.argv.includes('--show'))
    for (const cut of cuts)
      if (cut.isHarmful === cut.verdict.isSupported)
        console.log(cut.isHarmful ? 'ACCEPTED' : 'REFUSED', `${cut.kind}: ${cut.quote}\n    → ${cut.claim}`);
}
if (process.argv.includes('--show'))
  for (const pair of verdicts)
    if (pair.isOpen && pair.isTrue !== pair.verdict.isSupported)
      console.log(
        pair.isTrue ? 'REFUSED' : 'ACCEPTED',
        `${pair.kind}: ${pair.quote}\n    → ${pair.claim}   ${supportOf(pair.claim, pair.quote).reasons.join('; ')}`,
      );

times.sort((a, b) => a - b);
metrics['ms per check, p50'] = Math.round(1000 * (times[Math.floor(times.length * 0.5)] ?? 0)) / 1000;
metrics['ms per check, p95'] = Math.round(1000 * (times[Math.floor(times.length * 0.95)] ?? 0)) / 1000;

const gotOf = (what: string): number => metrics[what] ?? Number.NaN;
const atLeast = (what: string, least: number): BenchGoal => ({
  what,
  wanted: `>= ${least}`,
  got: gotOf(what),
  met: gotOf(what) >= least,
});
const atMost = (what: string, most: number): BenchGoal => ({
  what,
  wanted: `<= ${most}`,
  got: gotOf(what),
  met: gotOf(what) <= most,
});
const columns = [
  'pairs',
  'true',
  'true accepted %',
  'false accepted %',
  'balanced accuracy',
  'AUC',
  'calibration error',
];
const tables: BenchTable[] = [
  { title: 'Claims judged by people', columns: ['set', 'half', ...columns], rows: judged },
  {
    title:
      'Support against the share of claims that people call carried (every set weighs the same, true and false claims too)',
    columns: ['half', 'support from', 'claims', 'mean support', 'carried'],
    rows: reliability,
  },
  {
    title: 'What a judge gets to see',
    columns: ['set', 'half', 'pairs', 'true, not contradicted %', 'false, contradicted %'],
    rows: left,
  },
  { title: 'Claims written by hand, by kind', columns: ['kind', 'half', ...columns], rows: written },
  {
    title: 'Sentences of XQuAD in the words of a script',
    columns: ['style', 'half', 'claims', 'accepted %'],
    rows: reworded,
  },
  {
    title: 'Claims made by leaving something out',
    columns: ['sentences from', 'what', 'harmful', 'accepted', 'harmless', 'refused'],
    rows: cutRows,
  },
];
for (const { title, columns: names, rows } of tables) {
  console.log(`\n${title}`);
  console.table(rows.map((row) => Object.fromEntries(row.map((cell, at) => [names[at], cell]))));
}
console.log(metrics);
if (!process.argv.includes('--dry'))
  await writeResult('claims-own-words', {
    title: 'Support of claims in words of their own',
    command: 'node bench/answers/claims-own-words.ts',
    seed: 0,
    data: ['faithbench', 'wice', 'scifact', 'climate-fever', 'expertqa', 'xquad-en']
      .map((part) => join(root, part))
      .filter((path) => existsSync(path)),
    metrics,
    goals: [
      atLeast('written by hand: true left to a judge %', 85),
      atMost('written: false accepted %', 0),
      atLeast('FaithBench: true left to a judge %', 80),
      atMost('reworded by a script: forged twins accepted', 0),
      atMost('cuts, XQuAD en: harmful accepted %', 2),
      atMost('cuts, XQuAD en: harmless refused %', 25),
      atMost('ms per check, p50', 1),
      atMost('ms per check, p95', 3),
    ],
    tables,
    notes: [
      'Each set is parted by passage, page or article; rules and the support of refused claims may be shaped on the half "fitted on" alone.',
      'A false claim of FaithBench mostly differs from a true one by one word; its authors chose summaries on which detectors disagree.',
    ],
  });
