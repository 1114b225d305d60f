// footnote compare: one query in several modes, side by side. The modes are asked one after the other, as a person would,
// through the server where one owns the data.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Mode, modes, type SearchResponse } from '../../../core/search.ts';
import { compareSearches, renderComparison } from '../../render/comparison.ts';
import { addEvidenceOptions, type QuestionOptions, readWords, toRequestFields } from '../../terminal/options.ts';
import type { Cli } from '../cli.ts';

interface CompareOptions extends Omit<QuestionOptions, 'mode'> {
  readonly mode: readonly Mode[];
}

const defaultTopK = 10;

function toModes(text: string): readonly Mode[] {
  const named = [...new Set(text.split(',').map((name) => name.trim()))];
  const known = modes.filter((mode) => named.includes(mode));
  if (known.length < named.length || known.length < 2)
    throw new InvalidArgumentError(`Name at least two of ${modes.join(', ')}, separated by commas.`);
  return named as Mode[];
}

export function addCompareCommand(program: Command, cli: Cli): void {
  const command = program
    .command('compare')
    .description('Search in several modes and show the results side by side')
    .argument('<query...>', 'the query; "-" reads it from stdin')
    .addOption(
      new Option('-m, --mode <modes>', 'modes to compare').argParser(toModes).default([...modes], modes.join(',')),
    )
    .addHelpText(
      'after',
      `
Examples:
  footnote compare "retry with backoff"
  footnote compare --mode embedded,hybrid --top-k 20 "how long may a session last"
  footnote compare "notice period" --json`,
    );
  addEvidenceOptions(command).action(async (words: string[], { mode: chosen, ...options }: CompareOptions) => {
    const query = await readWords(words, 'query');
    await cli.withData(command, { needsData: true }, async ({ footnote }) => {
      const fields = { topK: defaultTopK, ...toRequestFields(options) };
      const searches: SearchResponse[] = [];
      for (const mode of chosen)
        searches.push(await footnote.search({ query, ...fields, mode }, { signal: cli.signal }));
      const comparison = compareSearches(query, searches);
      cli.terminal.value(comparison);
      if (!cli.terminal.json) renderComparison(cli.terminal, comparison);
    });
  });
}
