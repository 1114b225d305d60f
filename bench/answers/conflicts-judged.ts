// Disagreements that a model judges: which pairs of sentences it is handed, and what comes of its word. The judge is a script of the labels: of
// SciFact a claim contradicts the sentences that people gave as the reason, of RGB the sentence with the right answer contradicts those with the wrong one put
// in, and nothing else does; then the same judge with 10 % and 30 % of its verdicts turned round. The limits of the choice were set on SciFact's
// train claims and on every second question of RGB; the others are reported.
// Usage: node bench/answers/conflicts-judged.ts [--dry] [--fit] [--limit=200]
import { parseArgs } from 'node:util';
import type { VerifiedClaim } from '../../src/answer/claims/draft.ts';
import { findConflicts } from '../../src/answer/conflicts/find-conflicts.ts';
import { type PairToJudge, pairsToJudge } from '../../src/answer/conflicts/pairs-to-judge.ts';
import type { Evidence } from '../../src/core/search.ts';
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import { claimOn } from '../../testkit/claims-on.ts';
import { evidenceOf } from '../../testkit/evidence-of.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { openStoreSystem } from '../../testkit/store-system.ts';
import { type BenchGoal, type BenchTable, writeResult } from '../report.ts';
import { rgbQuestions, scifactClaims, sentencesIn } from './conflicts-sets.ts';

const { values: flags } = parseArgs({
  options: {
    dry: { type: 'boolean', default: false },
    fit: { type: 'boolean', default: false },
    limit: { type: 'string' },
  },
});
const round = (value: number): number => Number(value.toFixed(4));
const limit = flags.limit === undefined ? Number.POSITIVE_INFINITY : Number(flags.limit);

/** One claim of an answer and what was found with it. */
interface Case {
  readonly claims: readonly VerifiedClaim[];
  readonly evidence: readonly Evidence[];
  readonly contradicts: boolean;
  /** What contradicts is among the evidence. */
  readonly isFound: boolean;
  /** What a person says of a pair. */
  readonly gold: (pair: PairToJudge) => boolean;
}

const plain = (text: string): string => text.replace(/\s+/gu, ' ').trim();
const overlaps = (one: string, other: string): boolean =>
  plain(one).includes(plain(other)) || plain(other).includes(plain(one));

/** The claim is found, word for word, and the abstracts that the search gives are read with it, as for an answer. */
async function scifactCases(folder: string, split: string): Promise<Case[]> {
  const dataset = await openRetrievalDataset(folder, 'test');
  const texts = new Map<string, { readonly title: string; readonly text: string }>();
  const system = await openStoreSystem();
  try {
    for await (const one of dataset.documents()) texts.set(one.id, one);
    await system.ingest(dataset.documents());
    const cases: Case[] = [];
    for (const { claim, evidence: labelled } of (await scifactClaims(folder, [split])).slice(0, limit)) {
      const home = evidenceOf({ id: 'said', text: claim });
      const found = await system.search(claim, { mode: 'embedded', limit: 5 });
      const evidence = found.flatMap(({ documentId: id }, at) => {
        const { title, text } = texts.get(id) ?? {};
        return text === undefined ? [] : [evidenceOf({ id, documentId: id, text, title: title ?? '', score: 5 - at })];
      });
      cases.push({
        claims: [claimOn(home, claim)],
        evidence: [home, ...evidence],
        contradicts: labelled.some(({ label }) => label === 'CONTRADICT'),
        isFound: labelled.some(
          ({ id, label }) => label === 'CONTRADICT' && evidence.some(({ documentId }) => documentId === id),
        ),
        gold: ({ other }) =>
          labelled.some(
            ({ id, label, sentences }) =>
              label === 'CONTRADICT' &&
              id === other.evidence.documentId &&
              sentences.some((sentence) => overlaps(sentence, other.text)),
          ),
      });
    }
    return cases;
  } finally {
    await system.close();
  }
}

const holds = (text: string, answers: readonly string[]): boolean =>
  answers.some((answer) => text.toLowerCase().includes(answer.toLowerCase()));

/** The sentence with the answer in the first right passage; beside the other passages with wrong ones among them, and without those. */
async function rgbCases(folder: string, half: 0 | 1): Promise<Case[]> {
  const cases: Case[] = [];
  for (const { right, wrong, others, answers, wrongAnswer } of await rgbQuestions(folder, half)) {
    const [first, ...more] = right;
    if (first === undefined || wrong.length === 0) continue;
    const passage = (kind: string) => (text: string, at: number) => evidenceOf({ id: `${kind}${at}`, text });
    const home = evidenceOf({ id: 'said', text: first });
    const said = sentencesIn(first);
    const claims = (said.some((text) => holds(text, answers)) ? said.filter((text) => holds(text, answers)) : said)
      .slice(0, 1)
      .map((text) => claimOn(home, text));
    const beside = [...more.map(passage('right')), ...others.map(passage('other'))];
    const gold = ({ other }: PairToJudge): boolean =>
      other.evidence.chunkId.startsWith('wrong') && holds(other.text, [wrongAnswer]) && !holds(other.text, answers);
    cases.push({
      claims,
      evidence: [home, ...wrong.map(passage('wrong')), ...beside],
      contradicts: true,
      isFound: true,
      gold,
    });
    cases.push({ claims, evidence: [home, ...beside], contradicts: false, isFound: false, gold });
  }
  return cases;
}

/** 0..1 and the same for the same pair. */
function drawOf({ own, other }: PairToJudge): number {
  let hash = 2_166_136_261;
  for (const char of `${own.text}\n${other.text}`)
    hash = Math.imul(hash ^ (char.codePointAt(0) as number), 16_777_619) >>> 0;
  return hash / 2 ** 32;
}

const setOn = 'set on';
const sets = [
  ['SciFact, set on', 'scifact', (folder: string) => scifactCases(folder, 'train')],
  ['RGB, set on', 'rgb', (folder: string) => rgbCases(folder, 0)],
  ['SciFact', 'scifact', (folder: string) => scifactCases(folder, 'test')],
  ['RGB', 'rgb', (folder: string) => rgbCases(folder, 1)],
] as const;

const rows: BenchTable['rows'][number][] = [];
const metrics: Record<string, number> = {};
const goals: BenchGoal[] = [];
for (const [name, place, read] of sets) {
  const folder = sharedData(place);
  if (folder === undefined || (flags.fit && !name.endsWith(setOn))) continue;
  const cases = await read(folder);
  const wanted = cases.filter(({ contradicts }) => contradicts).length;
  let chosenMs = 0;
  const handed = cases.map(({ claims, evidence }) => {
    const ruled = findConflicts(claims, evidence);
    const startedAt = performance.now();
    const pairs = pairsToJudge(claims, evidence, ruled);
    chosenMs += performance.now() - startedAt;
    return { ruled, pairs };
  });
  const count = Math.max(1, cases.length);
  const pairsEach = handed.reduce((sum, { pairs }) => sum + pairs.length, 0) / count;
  const none = handed.filter(({ pairs }) => pairs.length === 0).length;
  metrics[`${name} contradictions among what was found`] = cases.filter(({ isFound }) => isFound).length;
  metrics[`${name} pairs a question`] = round(pairsEach);
  metrics[`${name} questions without a call`] = round(none / count);
  metrics[`${name} milliseconds to choose`] = round(chosenMs / count);
  for (const turned of [undefined, 0, 0.1, 0.3]) {
    const found = cases.filter((one, at) => {
      const { ruled = [], pairs = [] } = handed[at] ?? {};
      if (ruled.length > 0 || turned === undefined) return ruled.length > 0;
      return pairs.some((pair) => one.gold(pair) !== drawOf(pair) < turned);
    });
    const right = found.filter(({ contradicts }) => contradicts).length;
    const [recall, precision] = [right / wanted, found.length === 0 ? 1 : right / found.length];
    const judge = turned === undefined ? 'none' : turned === 0 ? 'faithful' : `${100 * turned} % turned round`;
    rows.push([name, cases.length, wanted, judge, found.length, right, round(recall), round(precision)]);
    metrics[`${name}, judge ${judge}: recall`] = round(recall);
    metrics[`${name}, judge ${judge}: precision`] = round(precision);
    if (turned !== 0 || name.endsWith(setOn)) continue;
    goals.push(
      { what: `${name}, faithful judge: recall`, wanted: '>= 0.4', got: round(recall), met: recall >= 0.4 },
      { what: `${name}, faithful judge: precision`, wanted: '>= 0.75', got: round(precision), met: precision >= 0.75 },
    );
  }
}
console.table(rows);
console.log(metrics);
if (!flags.dry)
  await writeResult('conflicts-judged', {
    title: 'Disagreements that a model judges',
    command: 'npm run bench conflicts-judged',
    data: [...new Set(sets.flatMap(([, place]) => sharedData(place) ?? []))],
    metrics,
    goals,
    tables: [
      {
        title: 'Questions with a disagreement among what was found',
        columns: ['set', 'questions', 'with one', 'judge', 'found', 'right', 'recall', 'precision'],
        rows,
      },
    ],
    notes: [
      'The judge is a script of the labels: what is measured is which pairs are handed to it, and what its mistakes cost, not how well a model judges.',
      'A question of SciFact is a claim beside the five abstracts that a search by words finds for it; what people gave as the reason is often not among them.',
    ],
  });
