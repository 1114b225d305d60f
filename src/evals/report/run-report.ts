// A run of a suite as people and machines read it: Markdown, JUnit for a build server, and one HTML page with plots. Pure: the same run gives
// the same bytes.
import type { CaseScores, SuiteRun } from '../suite/run.ts';
import { toHtmlTable, toPage } from './page.ts';
import { drawBars, drawHistogram, escapeXml } from './plots.ts';

const figure = (value: number): string => value.toFixed(4);
const shown = 20;

/** A cell of Markdown. */
export const toCell = (text: string): string => text.replace(/\s+/gu, ' ').replaceAll('|', '\\|').trim();

export function aboutRun({
  program,
  at,
  mode,
  settings,
}: Pick<SuiteRun, 'program' | 'at' | 'mode' | 'settings'>): string {
  const changed = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return `Footnote ${program}, ${at}, mode ${mode}${changed.length > 0 ? `; ${changed.join(', ')}` : ', settings as they come'}.`;
}

/** Worst first: failed, then by the mean of all its measures. */
function worst(results: readonly CaseScores[]): CaseScores[] {
  const meanOf = ({ measures }: CaseScores): number => {
    const values = Object.values(measures);
    return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  };
  return [...results]
    .filter(({ missed, error }) => missed.length > 0 || error !== undefined)
    .sort((a, b) => Number(a.error === undefined) - Number(b.error === undefined) || meanOf(a) - meanOf(b));
}

const whyOf = ({ error, missed, reasons }: CaseScores): string =>
  error ?? missed.map((name) => `${name}: ${reasons[name] ?? ''}`).join(' ');

/** Judges that said nothing of some answers: their means are of the others. */
const failuresOf = ({ failures = [] }: SuiteRun): string[] =>
  failures.map(
    ({ by, answers, detail }) =>
      `${by} failed on ${answers} ${answers === 1 ? 'answer, which is' : 'answers, which are'} in none of its means: ${detail}`,
  );

export function runToMarkdown(run: SuiteRun): string {
  const weak = worst(run.results);
  return [
    `# ${run.suite.name}`,
    '',
    `${run.results.length} questions. ${aboutRun(run)} Median ${run.medianMs.toFixed(0)} ms.`,
    '',
    '| measure | mean | 95 % interval | questions |',
    '| --- | --- | --- | --- |',
    ...Object.entries(run.summary).map(
      ([name, { mean, low, high, cases }]) =>
        `| ${toCell(name)} | ${figure(mean)} | ${figure(low)} to ${figure(high)} | ${cases} |`,
    ),
    ...failuresOf(run).flatMap((said) => ['', toCell(said)]),
    ...(weak.length === 0
      ? []
      : [
          '',
          `## What to look at first (${weak.length} of ${run.results.length} miss something)`,
          '',
          '| question | why |',
          '| --- | --- |',
          ...weak.slice(0, shown).map((one) => `| ${toCell(`${one.id}: ${one.question}`)} | ${toCell(whyOf(one))} |`),
        ]),
    '',
  ].join('\n');
}

/** Questions as test cases: one that failed is an error, one that a judge does not pass a failure. */
export function runToJUnit(run: SuiteRun): string {
  const errors = run.results.filter(({ error }) => error !== undefined).length;
  const failures = run.results.filter(({ error, missed }) => error === undefined && missed.length > 0).length;
  const seconds = run.results.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  const cases = run.results.map((one) => {
    const open = `    <testcase classname="${escapeXml(run.suite.name)}" name="${escapeXml(`${one.id}: ${one.question}`)}" time="${(one.milliseconds / 1000).toFixed(3)}"`;
    if (one.error !== undefined) return `${open}><error message="${escapeXml(one.error)}"/></testcase>`;
    if (one.missed.length === 0) return `${open}/>`;
    return `${open}><failure message="${escapeXml(one.missed.join(', '))}">${escapeXml(whyOf(one))}</failure></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escapeXml(run.suite.name)}" tests="${run.results.length}" failures="${failures}" errors="${errors}" time="${seconds.toFixed(3)}" timestamp="${escapeXml(run.at)}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const detail = (one: CaseScores): string =>
  [
    `<details><summary>${escapeXml(`${one.id}: ${one.question}`)}</summary>`,
    `<p>${escapeXml(whyOf(one))}</p>`,
    ...(one.answer === undefined ? [] : [`<blockquote>${escapeXml(one.answer)}</blockquote>`]),
    toHtmlTable(
      ['measure', 'score'],
      Object.entries(one.measures).map(([name, value]) => [name, Number(figure(value))]),
    ),
    '</details>',
  ].join('\n');

export function runToHtml(run: SuiteRun): string {
  const bars = Object.entries(run.summary).map(([name, { mean, low, high, cases }]) => ({
    name,
    value: mean,
    low,
    high,
    note: `${mean.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}), ${cases}`,
  }));
  const judged = run.judges.flatMap(({ name }) => {
    const values = run.results.flatMap(({ measures }) => measures[name] ?? []);
    return values.length === 0 ? [] : [`<h3>${escapeXml(name)}</h3>${drawHistogram(values, `${name} by tenths`)}`];
  });
  const weak = worst(run.results);
  return toPage(`Evaluation: ${run.suite.name}`, [
    `<p class="about">${run.results.length} questions. ${escapeXml(aboutRun(run))} Median ${run.medianMs.toFixed(0)} ms. Suite ${run.suite.sha256.slice(0, 12)}.</p>`,
    '<h2>Means with 95 % intervals, and of how many questions</h2>',
    drawBars(bars, { from: 0, to: 1, title: 'Means of all measures' }),
    ...failuresOf(run).map((said) => `<p class="refused">${escapeXml(said)}</p>`),
    '<h2>How scores are spread</h2>',
    ...judged,
    `<h2>What to look at first: ${weak.length} of ${run.results.length} questions miss something</h2>`,
    ...weak.slice(0, 100).map(detail),
  ]);
}
