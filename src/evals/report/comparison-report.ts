// Two runs of a suite beside each other, as Markdown, JUnit and one HTML page with plots. Pure.
import type { QuestionChange, RunComparison } from '../suite/compare.ts';
import { toHtmlTable, toPage } from './page.ts';
import { drawBars, escapeXml } from './plots.ts';
import { aboutRun, toCell } from './run-report.ts';

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`;
const shown = 20;

const changesOf = ({ changes }: QuestionChange): string =>
  Object.entries(changes)
    .map(([name, [before, after]]) => `${name} ${before.toFixed(2)} → ${after.toFixed(2)}`)
    .join(', ') || 'abstains in one of the two';

const verdictOf = ({ refused }: RunComparison): string =>
  refused.length === 0 ? 'The gate lets it through.' : `The gate refuses it: ${refused.join(' ')}`;

const isWorse = ({ balance }: QuestionChange): boolean => balance < 0;

export function comparisonToMarkdown(comparison: RunComparison): string {
  const { measures, changed, before, after } = comparison;
  const list = (title: string, questions: readonly QuestionChange[]): string[] =>
    questions.length === 0
      ? []
      : [
          '',
          `## ${title} (${questions.length})`,
          '',
          ...questions
            .slice(0, shown)
            .map((one) => `- ${toCell(`${one.id}: ${one.question}`)}: ${toCell(changesOf(one))}`),
        ];
  return [
    `# ${before.suite.name}: two runs`,
    '',
    `Before: ${aboutRun(before)}`,
    '',
    `After: ${aboutRun(after)}`,
    '',
    `**${verdictOf(comparison)}**`,
    '',
    '| measure | before | after | difference | 95 % interval | p | better | worse | same |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...measures.map(
      (one) =>
        `| ${toCell(one.measure)} | ${one.before.toFixed(4)} | ${one.after.toFixed(4)} | ${signed(one.mean)} | ${signed(one.low)} to ${signed(one.high)} | ${one.p.toFixed(4)} | ${one.better} | ${one.worse} | ${one.same} |`,
    ),
    ...list('Worse', changed.filter(isWorse)),
    ...list('Better', changed.filter((one) => !isWorse(one)).toReversed()),
    '',
  ].join('\n');
}

/** Measures as test cases: one that the gate refuses is a failure. */
export function comparisonToJUnit({ measures, refused, before }: RunComparison): string {
  const ofMeasure = (name: string): string | undefined => refused.find((reason) => reason.startsWith(`${name}: `));
  const others = refused.filter((reason) => !measures.some(({ measure }) => reason.startsWith(`${measure}: `)));
  const cases = [
    ...measures.map(({ measure }) => [measure, ofMeasure(measure)] as const),
    ...others.map((reason) => ['questions', reason] as const),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escapeXml(`${before.suite.name}: gate`)}" tests="${cases.length}" failures="${refused.length}" errors="0">`,
    ...cases.map(([name, reason]) => {
      const open = `    <testcase classname="gate" name="${escapeXml(name)}"`;
      return reason === undefined ? `${open}/>` : `${open}><failure message="${escapeXml(reason)}"/></testcase>`;
    }),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const detail = (one: QuestionChange): string =>
  [
    `<details><summary>${escapeXml(`${one.id}: ${one.question}`)} (${signed(one.balance)})</summary>`,
    `<p>${escapeXml(changesOf(one))}</p>`,
    ...(one.before === undefined ? [] : [`<p>Before</p><blockquote>${escapeXml(one.before)}</blockquote>`]),
    ...(one.after === undefined ? [] : [`<p>After</p><blockquote>${escapeXml(one.after)}</blockquote>`]),
    '</details>',
  ].join('\n');

export function comparisonToHtml(comparison: RunComparison): string {
  const { measures, changed, before, after, refused } = comparison;
  const widest = Math.max(0.05, ...measures.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]));
  const bars = measures.map(({ measure, mean, low, high, better, worse }) => ({
    name: measure,
    value: mean,
    low,
    high,
    note: `${signed(mean)}, ${better} better, ${worse} worse`,
  }));
  return toPage(`${before.suite.name}: two runs`, [
    `<p class="about">Before: ${escapeXml(aboutRun(before))}<br>After: ${escapeXml(aboutRun(after))}</p>`,
    `<p class="${refused.length === 0 ? 'passed' : 'refused'}"><strong>${escapeXml(verdictOf(comparison))}</strong></p>`,
    '<h2>Differences with 95 % intervals</h2>',
    drawBars(bars, { from: -widest, to: widest, title: 'Differences of all measures' }),
    toHtmlTable(
      ['measure', 'before', 'after', 'p', 'better', 'worse', 'same'],
      measures.map((one) => [
        one.measure,
        Number(one.before.toFixed(4)),
        Number(one.after.toFixed(4)),
        Number(one.p.toFixed(4)),
        one.better,
        one.worse,
        one.same,
      ]),
    ),
    `<h2>Questions that changed: ${changed.length} of ${comparison.questions}, the worst first</h2>`,
    ...changed.slice(0, 200).map(detail),
  ]);
}
