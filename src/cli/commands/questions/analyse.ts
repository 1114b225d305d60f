// footnote analyse: what documents say of a subject, by sections, each claim with its place.
import { Argument, type Command } from 'commander';
import { type AnalysisKind, analysisKinds, analysisRequestSchema } from '../../../core/answers/analysis-request.ts';
import { FootnoteError } from '../../../core/errors.ts';
import { renderAnswer } from '../../render/render.ts';
import { createThinking } from '../../render/thinking.ts';
import {
  addQuestionOptions,
  type QuestionOptions,
  readWords,
  repeatable,
  toRequestFields,
} from '../../terminal/options.ts';
import { createPlaces } from '../../terminal/places.ts';
import type { Cli } from '../cli.ts';

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
