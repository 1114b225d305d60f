// footnote explain: why an answer would be what it is: which kinds of source the question needs, who was asked, what each gave, what was
// merged, and what disagrees.
import type { Command } from 'commander';
import type { Answer } from '../../core/answer.ts';
import { systemClock } from '../../core/ids.ts';
import type { SearchResponse } from '../../core/search.ts';
import { explanationLines } from '../render/explanation.ts';
import { keptLines, provenanceOf } from '../render/provenance.ts';
import { addQuestionOptions, type QuestionOptions, readWords, toRequestFields } from '../terminal/options.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

export function addExplainCommand(program: Command, cli: Cli): void {
  const command = program
    .command('explain')
    .description(
      'Show why a question finds what it finds: route, sources asked, what each gave, what was merged, what disagrees',
    )
    .argument('<question...>', 'the question; "-" reads it from stdin')
    .addHelpText(
      'after',
      `
Examples:
  footnote explain "where is the retry policy defined"
  footnote explain "How long is the default timeout?" --top-k 10 --json`,
    );
  addQuestionOptions(command).action(async (words: string[], options: QuestionOptions) => {
    const question = await readWords(words, 'question');
    await cli.withData(command, { needsData: true }, async ({ footnote }) => {
      const fields = toRequestFields(options);
      const search = await footnote.search({ query: question, ...fields, explain: true }, { signal: cli.signal });
      const answer = await footnote.ask({ question, ...fields }, { signal: cli.signal });
      cli.terminal.value({ search, answer });
      if (cli.terminal.json) return;
      const agreed = agreementLines(answer);
      for (const line of [...routeLines(search), ...resultLines(search), ...agreed, ...conflictLines(answer)])
        cli.terminal.line(line);
    });
  });
}

function routeLines({ routing, degraded }: SearchResponse): readonly string[] {
  const { sources, reason, asked, kinds = [] } = routing;
  return [
    `Needs: ${sources.map(toPrintable).join(', ') || 'anything'}`,
    `Since ${toPrintable(reason)}`,
    asked === undefined ? 'Asked: everything as a whole' : `Asked: ${asked.join(', ')}`,
    ...kinds.map(({ type, hits, reach, latencyMs, isLater, failed }) => {
      const found = failed === undefined ? `${hits} hit${hits === 1 ? '' : 's'}` : `failed: ${failed}`;
      const answered =
        reach === undefined ? '' : `, the best answers ${Math.round(100 * Math.min(1, reach))} % of the words`;
      return `  ${type}: ${found}${answered}, ${latencyMs.toFixed(1)} ms${isLater ? ', asked since the first said too little' : ''}`;
    }),
    ...keptLines(routing).map((line) => `  ${line}`),
    ...degraded.map(({ component, detail, effect }) => `  ${toPrintable(`${component}: ${detail} ${effect}`)}`),
  ];
}

function resultLines({ results }: SearchResponse): readonly string[] {
  const nowMs = Date.parse(systemClock.now());
  const placeOf = new Map(results.map(({ chunkId }, at) => [chunkId, at + 1]));
  return results.flatMap((one, at) => {
    const also = one.alsoIn.map(({ source }) => source).join(', ');
    const related = one.related.flatMap((id) => placeOf.get(id) ?? []).join(', ');
    return [
      '',
      `${at + 1}. ${toPrintable(one.title)} (${one.sourceType} ${toPrintable(one.source)}) ${toPrintable(one.uri)}`,
      ...[provenanceOf(one, nowMs)].flatMap((line) => (line === undefined ? [] : [`   ${line}`])),
      ...(also === '' ? [] : [`   the same in ${toPrintable(also)}`]),
      ...(related === '' ? [] : [`   belongs together with ${related}`]),
      ...explanationLines(one).map((line) => `   ${toPrintable(line)}`),
    ];
  });
}

function agreementLines({ agreements = [], claims, citations }: Answer): readonly string[] {
  const placeOf = new Map(citations.map(({ index, source, uri }) => [index, `${source} ${uri}`]));
  return agreements.flatMap(({ claim, citations: others }) => [
    '',
    `Agreement on “${toPrintable(claims[claim - 1]?.text ?? '')}”:`,
    ...[...(claims[claim - 1]?.citations ?? []), ...others].map(
      (index) => `  ${toPrintable(placeOf.get(index) ?? '')}`,
    ),
  ]);
}

/** By which rule, or by whose word. */
const kindWords = ({ kind, judgedBy }: Pick<Answer['conflicts'][number], 'kind' | 'judgedBy'>): string =>
  kind === undefined ? '' : kind === 'judged' ? `, judged by ${judgedBy ?? 'a model'}` : `, by rule: ${kind}`;

function conflictLines({ conflicts, citations }: Answer): readonly string[] {
  if (conflicts.length === 0) return ['', 'Nothing that was found contradicts the answer.'];
  const sourceOf = new Map(citations.map(({ index, source, uri }) => [index, `${source} ${uri}`]));
  return conflicts.flatMap(({ about, kind, judgedBy, positions, follows }) => [
    '',
    `Disagreement about “${toPrintable(about)}”${toPrintable(kindWords({ kind, judgedBy }))}:`,
    ...positions.map(({ statement, citations: indexes }, at) => {
      const places = indexes.map((index) => sourceOf.get(index) ?? '').join(', ');
      const stance = follows?.position === at + 1 ? `, followed for its ${follows.because}` : '';
      return `  ${toPrintable(statement)} (${toPrintable(places)}${stance})`;
    }),
  ]);
}
