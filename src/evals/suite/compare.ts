// Two runs of one suite, question by question: what got better, what got worse, and whether a gate lets the second one through. Invariant: a run
// that says the same passes; a fall that chance does not explain, or any fall of what must always hold, does not.
import { FootnoteError } from '../../core/errors.ts';
import { type Comparison, compare } from '../metrics.ts';
import { signedRanks } from '../signed-ranks.ts';
import { type CaseScores, type SuiteRun, suiteRunSchema } from './run.ts';

export interface MeasureChange extends Comparison {
  readonly measure: string;
  readonly before: number;
  readonly after: number;
  /** Questions that have it in both runs. */
  readonly questions: number;
  readonly better: number;
  readonly worse: number;
  readonly same: number;
}

export interface QuestionChange {
  readonly id: string;
  readonly question: string;
  /** By measure: before, after. */
  readonly changes: Readonly<Record<string, readonly [before: number, after: number]>>;
  /** Sum of all changes. */
  readonly balance: number;
  readonly before?: string;
  readonly after?: string;
}

export interface WholeChange {
  readonly better: number;
  readonly worse: number;
  /** Of Wilcoxon's signed ranks. */
  readonly p: number;
}

export interface RunComparison {
  readonly before: Pick<SuiteRun, 'program' | 'at' | 'mode' | 'settings' | 'suite' | 'medianMs'>;
  readonly after: RunComparison['before'];
  readonly questions: number;
  readonly measures: readonly MeasureChange[];
  /** Each question by the sum of what its measures changed: many small falls in different measures are one fall. */
  readonly whole: WholeChange;
  /** Those that changed in any measure, the worst first. */
  readonly changed: readonly QuestionChange[];
  /** What the gate refuses it for; empty: it passes. */
  readonly refused: readonly string[];
}

export interface GateOptions {
  /** A fall is told from chance below this, on one side: rises are not what a gate asks for. Default 0.05. */
  readonly alpha?: number;
}

/** What must hold for every question, so that one that loses it is enough. */
const always: ReadonlySet<string> = new Set(['runs through', 'citations verified']);
const same = 1e-9;

/** Throws `invalid-request` for what is no run of a suite. */
export function readRun(value: unknown, place: string): SuiteRun {
  const parsed = suiteRunSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new FootnoteError(
    'invalid-request',
    `${place} is no run of a suite (${issue?.path.join('.') || 'the value'}: ${issue?.message ?? 'not valid'}). Make one with "footnote eval run".`,
  );
}

function changeOf(measure: string, pairs: readonly (readonly [number, number])[]): MeasureChange {
  const before = pairs.map(([value]) => value);
  const after = pairs.map(([, value]) => value);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const better = pairs.filter(([one, other]) => other > one + same).length;
  const worse = pairs.filter(([one, other]) => other < one - same).length;
  return {
    ...compare(before, after),
    measure,
    before: mean(before),
    after: mean(after),
    questions: pairs.length,
    better,
    worse,
    same: pairs.length - better - worse,
  };
}

function questionOf(before: CaseScores, after: CaseScores): QuestionChange | undefined {
  const changes: Record<string, readonly [number, number]> = {};
  let balance = 0;
  for (const [name, one] of Object.entries(before.measures)) {
    const other = after.measures[name];
    if (other === undefined || Math.abs(other - one) <= same) continue;
    changes[name] = [one, other];
    balance += other - one;
  }
  if (Object.keys(changes).length === 0 && before.abstained === after.abstained) return undefined;
  return {
    id: before.id,
    question: before.question,
    changes,
    balance,
    ...(before.answer !== undefined && { before: before.answer }),
    ...(after.answer !== undefined && { after: after.answer }),
  };
}

const saysTheSame = (one: CaseScores, other: CaseScores): boolean =>
  one.answer === other.answer && JSON.stringify(one.cited) === JSON.stringify(other.cited);

/** A model or a service says something else of the same answer now and then: that is no change of the answer. */
function withoutNoise(one: CaseScores, other: CaseScores, byOthers: ReadonlySet<string>): CaseScores {
  if (byOthers.size === 0 || !saysTheSame(one, other)) return other;
  const kept = Object.entries(other.measures).map(([name, value]) => [
    name,
    byOthers.has(name) ? (one.measures[name] ?? value) : value,
  ]);
  return { ...other, measures: Object.fromEntries(kept) };
}

/** What an answer that is no longer given took with it: measures that only an answer has count 0 where it falls silent. */
function withSilence(one: CaseScores, other: CaseScores): CaseScores {
  const hasFallen = one.abstained !== other.abstained || one.error !== other.error;
  if (!hasFallen || (one.error === undefined && !one.abstained)) return one;
  const missing = Object.keys(other.measures).filter((name) => !(name in one.measures) && !always.has(name));
  return { ...one, measures: { ...one.measures, ...Object.fromEntries(missing.map((name) => [name, 0])) } };
}

function wholeOf(changed: readonly QuestionChange[]): WholeChange {
  const balances = changed.map(({ balance }) => balance).filter((balance) => Math.abs(balance) > same);
  const worse = balances.filter((balance) => balance < 0).length;
  return { better: balances.length - worse, worse, p: signedRanks(balances) };
}

const about = ({ program, at, mode, settings, suite, medianMs }: SuiteRun): RunComparison['before'] => ({
  program,
  at,
  mode,
  settings,
  suite,
  medianMs,
});

/** Throws `invalid-request` where the runs are of different suites. */
export function compareRuns(before: SuiteRun, after: SuiteRun, { alpha = 0.05 }: GateOptions = {}): RunComparison {
  if (before.suite.sha256 !== after.suite.sha256)
    throw new FootnoteError(
      'invalid-request',
      `The runs are of different suites (${before.suite.name}, ${after.suite.name}): cases or documents differ. Run both on the same one.`,
    );
  const later = new Map(after.results.map((result) => [result.id, result]));
  const byOthers = new Set(before.judges.flatMap(({ name, by }) => (by === 'rules' ? [] : [name])));
  const paired = before.results.flatMap((one) => {
    const other = later.get(one.id);
    return other ? [[withSilence(one, other), withSilence(withoutNoise(one, other, byOthers), one)] as const] : [];
  });
  const names = [...new Set(paired.flatMap(([one]) => Object.keys(one.measures)))];
  const measures = names.flatMap((measure) => {
    const pairs = paired.flatMap(([one, other]) => {
      const left = one.measures[measure];
      const right = other.measures[measure];
      return left === undefined || right === undefined ? [] : [[left, right] as const];
    });
    return pairs.length === 0 ? [] : [changeOf(measure, pairs)];
  });
  const changed = paired
    .flatMap(([one, other]) => questionOf(one, other) ?? [])
    .sort((left, right) => left.balance - right.balance);
  const refused = measures.flatMap(({ measure, worse, questions, mean, p, high }) => {
    if (always.has(measure)) return worse > 0 ? [`${measure}: lost for ${worse} of ${questions} questions.`] : [];
    const isFall = mean < 0 && p / 2 < alpha && high < 0;
    return isFall
      ? [`${measure}: ${mean.toFixed(4)} on average over ${questions} questions (p = ${p.toFixed(4)}).`]
      : [];
  });
  const whole = wholeOf(changed);
  if (refused.length === 0 && whole.p / 2 < alpha && whole.worse > whole.better)
    refused.push(
      `questions as a whole: ${whole.worse} are worse and ${whole.better} better (p = ${whole.p.toFixed(4)}): many small falls that no measure alone tells from chance.`,
    );
  const missing = before.results.length - paired.length;
  if (missing > 0) refused.push(`${missing} questions of the first run are not in the second.`);
  return { before: about(before), after: about(after), questions: paired.length, measures, whole, changed, refused };
}
