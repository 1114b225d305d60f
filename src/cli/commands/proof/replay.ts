// footnote replay: a recorded request run again, from its trace alone or for real, and what differs.
import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FootnoteError } from '../../../core/errors.ts';
import { type Mode, modes } from '../../../core/search.ts';
import { readTraceFile } from '../../../core/trace-file.ts';
import type { Replay, ReplayRequest, Trial } from '../../../footnote/facade/traces.ts';
import { renderReplay, renderTrial } from '../../render/replay.ts';
import { readJsonValues } from '../../terminal/options.ts';
import type { Cli } from '../cli.ts';

interface ReplayOptions {
  readonly against?: 'record' | 'current';
  readonly set?: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly mode?: Mode;
}

function toSetting(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/su.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Write it as NAME=value, such as FUSION_METHOD=rrf.');
  return { ...before, [name]: value };
}

export function addReplayCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = program
    .command('replay')
    .description('Run a recorded request again: from its trace alone, or for real, and see what differs')
    .argument('<trace>', 'id of a trace or of an answer, or a file of "footnote trace export"')
    .addOption(new Option('--against <what>', 'the trace alone, or what there is now').choices(['record', 'current']))
    .addOption(new Option('--set <NAME=value>', 'another setting (repeatable)').argParser(toSetting))
    .option('--model <provider:model>', 'another answering model')
    .addOption(new Option('-m, --mode <mode>', 'another mode').choices([...modes]))
    .addHelpText(
      'after',
      `
Examples:
  footnote replay trc_5f0c…
  footnote replay ans_93a1…
  footnote replay trace-trc_5f0c….json
  footnote replay trc_5f0c… --against current
  footnote replay trc_5f0c… --set FUSION_METHOD=rrf`,
    );
  command.action(async (trace: string, { against, set, model, mode }: ReplayOptions) => {
    const request: ReplayRequest = { against, settings: set, model, mode, signal: cli.signal };
    const isReal = against === 'current' || set !== undefined || model !== undefined || mode !== undefined;
    const results: (Replay | Trial)[] = [];
    if (!existsSync(trace) && /[/\\]|\.json$/u.test(trace))
      throw new FootnoteError('not-found', `${trace}: No such file or folder. Check the path.`);
    if (!isReal && existsSync(trace)) {
      const [file] = await readJsonValues(trace);
      // Nothing but the file is needed: no data folder is opened.
      const { replayTrace } = await import('../../../footnote/replay/replay.ts');
      for (const saved of readTraceFile(file).traces) results.push(await replayTrace(saved));
    } else
      await cli.withData(command, { needsData: true }, async ({ footnote }) => {
        results.push(await footnote.traces.replay(trace, request));
      });
    terminal.value(results.length === 1 ? results[0] : { data: results });
    for (const result of results)
      if (result.against === 'record') renderReplay(terminal, result);
      else renderTrial(terminal, result);
    if (results.some((result) => result.against === 'record' && !result.same)) cli.exitCode = 1;
  });
}
