// footnote ask, search, analyse and recommend: what is asked of the documents, and what comes back.

import { Argument, type Command } from 'commander';
import { type AnalysisKind, analysisKinds, analysisRequestSchema } from '../../core/answers/analysis-request.ts';
import { FootnoteError } from '../../core/errors.ts';
import { defined } from '../../core/values/defined.ts';
import { renderAnswer, renderSearch } from '../render/render.ts';
import { createThinking } from '../render/thinking.ts';
import {
  addQuestionOptions,
  type QuestionOptions,
  readWords,
  repeatable,
  toRequestFields,
  toWholeNumber,
} from '../terminal/options.ts';
import { createPlaces } from '../terminal/places.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

interface AskOptions extends QuestionOptions {
  readonly session?: string;
  readonly strict?: boolean;
}

export function addAskCommand(program: Command, cli: Cli): void {
  const command = program
    .command('ask')
    .description('Answer a question from the documents; every claim cites the place it rests on')
    .argument('<question...>', 'the question; "-" reads it from stdin')
    .option('--session <id>', 'ask within this session, so that follow-ups are understood (made when it is not there)')
    .option('--strict', 'show of what a model writes only what stands in its quotes')
    .addHelpText(
      'after',
      `
Examples:
  footnote ask "How are chunks cut?"
  footnote ask "What does the contract say about notice?" --source contracts --json
  footnote ask --session s1 "Who wrote it?"
  echo "What is new?" | footnote ask -`,
    );
  addQuestionOptions(command).action(async (words: string[], options: AskOptions) => {
    const question = await readWords(words, 'question');
    await cli.withData(command, { needsData: true }, async ({ footnote, remote }) => {
      const fields = { ...toRequestFields(options), ...(options.strict && { strict: true }) };
      // Who reads JSON is told in the trace.
      const call = { signal: cli.signal, ...(!cli.terminal.json && { onEvent: createThinking(cli.terminal) }) };
      const answer =
        options.session === undefined
          ? await footnote.ask({ question, ...fields }, call)
          : await footnote.sessions.send(options.session, { content: question, ...fields }, call);
      cli.terminal.value(answer);
      if (!cli.terminal.json) renderAnswer(cli.terminal, answer, await createPlaces(footnote, remote !== undefined));
    });
  });
}

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

export function addRecommendCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = program
    .command('recommend')
    .description('Suggest what to read next: related documents of the same categories that others opened')
    .argument('[document]', 'id of the document that is open now')
    .option('--read <ids>', 'ids of what was read, oldest first, separated by commas')
    .option('--limit <count>', 'how many', toWholeNumber, 5)
    .addHelpText('after', '\nExample:\n  footnote recommend doc_123 --read doc_456,doc_789');
  command.action(async (currentDocumentId: string | undefined, options: { read?: string; limit: number }) => {
    const readDocumentIds = (options.read ?? '').split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim()]));
    await cli.withData(command, { needsData: true }, async ({ footnote }) => {
      const data = await footnote.recommend(defined({ readDocumentIds, limit: options.limit, currentDocumentId }));
      terminal.value({ data });
      if (data.length === 0) terminal.line('There is nothing else to read.');
      for (const [at, { documentId, title, reason }] of data.entries()) {
        terminal.line(`${at + 1}. ${terminal.paint('bold', toPrintable(title))} (${documentId})`);
        terminal.line(`   ${toPrintable(reason)}`);
      }
    });
  });
}

interface AnalyseOptions extends QuestionOptions {
  readonly item?: readonly string[];
  readonly focus?: readonly string[];
}

export function addAnalyseCommand(program: Command, cli: Cli): void {
  const command = program
    .command('analyse')
    .description('Analyse a subject from the documents: sections of cited claims, and what is missing')
    .addArgument(new Argument('<kind>', 'what to look for').choices([...analysisKinds]))
    .argument('<subject...>', 'a company, a product, a market; "-" reads it from stdin')
    .addOption(repeatable('--item <name>', 'another one that is set beside it (repeatable)'))
    .addOption(repeatable('--focus <area>', 'what is looked at of each of them (repeatable)'))
    .addHelpText(
      'after',
      `
Examples:
  footnote analyse swot "Acme Robotics"
  footnote analyse competitors "Acme Robotics" --item "Beta Drives" --item "Corvid" --focus price --focus service
  footnote analyse market "electric bikes" --json`,
    );
  addQuestionOptions(command).action(async (kind: AnalysisKind, words: string[], options: AnalyseOptions) => {
    const parsed = analysisRequestSchema.safeParse({
      kind,
      subject: await readWords(words, 'subject'),
      ...(options.item && { items: [...options.item] }),
      ...(options.focus && { focusAreas: [...options.focus] }),
      ...toRequestFields(options),
    });
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new FootnoteError(
        'invalid-request',
        `${issue?.path.join('.') ?? 'The request'}: ${issue?.message ?? 'not valid'}.`,
      );
    }
    await cli.withData(command, { needsData: true }, async ({ footnote, remote }) => {
      const call = { signal: cli.signal, ...(!cli.terminal.json && { onEvent: createThinking(cli.terminal) }) };
      const answer = await footnote.analyse(parsed.data, call);
      cli.terminal.value(answer);
      if (!cli.terminal.json) renderAnswer(cli.terminal, answer, await createPlaces(footnote, remote !== undefined));
    });
  });
}
