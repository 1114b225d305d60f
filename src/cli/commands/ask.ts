// footnote ask: a question in, an answer with its citations out.
import type { Command } from 'commander';
import { renderAnswer } from '../render/render.ts';
import { createThinking } from '../render/thinking.ts';
import { addQuestionOptions, type QuestionOptions, readWords, toRequestFields } from '../terminal/options.ts';
import { createPlaces } from '../terminal/places.ts';
import type { Cli } from './cli.ts';

interface AskOptions extends QuestionOptions {
  readonly session?: string;
}

export function addAskCommand(program: Command, cli: Cli): void {
  const command = program
    .command('ask')
    .description('Answer a question from the documents; every claim cites the place it rests on')
    .argument('<question...>', 'the question; "-" reads it from stdin')
    .option('--session <id>', 'ask within this session, so that follow-ups are understood (made when it is not there)')
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
      const fields = toRequestFields(options);
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
