// footnote search: the pieces of the documents that fit a query best.
import type { Command } from 'commander';
import { renderSearch } from '../render/render.ts';
import { addQuestionOptions, type QuestionOptions, readWords, toRequestFields } from '../terminal/options.ts';
import { createPlaces } from '../terminal/places.ts';
import type { Cli } from './cli.ts';

interface SearchOptions extends QuestionOptions {
  readonly explain?: boolean;
}

export function addSearchCommand(program: Command, cli: Cli): void {
  const command = program
    .command('search')
    .description('Find the pieces of the documents that fit a query')
    .argument('<query...>', 'the query; "-" reads it from stdin')
    .option('--explain', 'show what placed each result, and what words and meaning would each have found alone')
    .addHelpText(
      'after',
      `
Examples:
  footnote search "retry with backoff"
  footnote search "retry" --source code --top-k 20 --explain
  footnote search "Kündigung" --filter '{"op":"eq","field":"language","value":"de"}' --json`,
    );
  addQuestionOptions(command).action(async (words: string[], options: SearchOptions) => {
    const query = await readWords(words, 'query');
    await cli.withData(command, { needsData: true }, async ({ footnote, remote }) => {
      const response = await footnote.search(
        { query, ...toRequestFields(options), ...(options.explain && { explain: true }) },
        { signal: cli.signal },
      );
      cli.terminal.value(response);
      if (!cli.terminal.json) renderSearch(cli.terminal, response, await createPlaces(footnote, remote !== undefined));
    });
  });
}
