// footnote trace: what requests did — found, drawn as a waterfall, written to a file, taken in from one, and kept.
import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { intents } from '../../../core/answer.ts';
import { isFootnoteError, toFootnoteError } from '../../../core/errors.ts';
import { requestKinds } from '../../../core/events.ts';
import { traceDoubts } from '../../../core/trace-file.ts';
import type { TraceFilter } from '../../../footnote/facade/traces.ts';
import type { Footnote } from '../../../footnote/facade.ts';
import { plural } from '../../render/render.ts';
import { renderTrace, renderTraceList } from '../../render/trace.ts';
import { readJsonValues, toWholeNumber } from '../../terminal/options.ts';
import { toSafeJson } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';

function toInstant(text: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a day or an instant, such as 2026-11-23.');
  return new Date(at).toISOString();
}

function toAmount(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/u.test(text)) throw new InvalidArgumentError('It must be a number, 0 or more.');
  return value;
}

interface ListOptions extends Omit<TraceFilter, 'sessionId' | 'pinned'> {
  readonly session?: string;
  readonly pinned?: true;
  readonly limit?: number;
  readonly slowest?: true;
}

/** The traces of a request or of a session. */
async function read(footnote: Footnote, id: string) {
  try {
    return [await footnote.traces.get(id)];
  } catch (thrown) {
    if (!isFootnoteError(thrown) || thrown.code !== 'not-found') throw thrown;
    return (await footnote.traces.ofSession(id)).traces;
  }
}

export function addTraceCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const trace = program
    .command('trace')
    .description('See what requests did: every step, call, prompt and time')
    .addHelpText('after', '\nExamples:\n  footnote trace ans_93a1…\n  footnote trace list --status error');

  const showOne = (command: Command, id: string): Promise<void> =>
    cli.withData(command, { needsData: true }, async ({ footnote }) => {
      const traces = await read(footnote, id);
      terminal.value(traces.length === 1 ? traces[0] : { sessionId: id, traces });
      for (const [place, one] of traces.entries()) {
        if (place > 0) terminal.line();
        renderTrace(terminal, one);
      }
    });

  const list = trace
    .command('list', { isDefault: true })
    .description('List traces, newest first; with an id, show that one')
    .argument('[id]', 'as "footnote trace show" takes it')
    .option('--session <id>', 'of this session')
    .addOption(new Option('--kind <kind>', 'of this kind').choices([...requestKinds]))
    .addOption(new Option('--from <instant>', 'begun at or after it').argParser(toInstant))
    .addOption(new Option('--to <instant>', 'begun before it').argParser(toInstant))
    .option('--status <status>', '"done", "error" (any), or the code of an error')
    .addOption(new Option('--intent <intent>', 'of this intent').choices([...intents]))
    .addOption(new Option('--min-ms <number>', 'took at least so long').argParser(toAmount))
    .addOption(new Option('--max-ms <number>', 'took at most so long').argParser(toAmount))
    .addOption(new Option('--min-cost-usd <dollars>', 'cost at least so much').argParser(toAmount))
    .addOption(new Option('--max-cost-usd <dollars>', 'cost at most so much').argParser(toAmount))
    .option('--source <name>', 'asked for or cited this source')
    .option('--question <words>', 'asked with these words, as they stand, in either case')
    .addOption(new Option('--doubt <why>', 'worth a look, for this reason').choices([...traceDoubts, 'any']))
    .option('--slowest', 'the slowest first')
    .option('--pinned', 'that are kept for as long as nobody lets them go')
    .addOption(new Option('--limit <number>', 'at most so many').argParser(toWholeNumber).default(20));
  list.action(async (id: string | undefined, { session, pinned, limit, slowest, ...filter }: ListOptions) => {
    if (id !== undefined) return showOne(list, id);
    await cli.withData(list, { needsData: true }, async ({ footnote }) => {
      const found = await footnote.traces.list({
        limit: Math.max(1, Math.min(1000, limit ?? 20)),
        ...(slowest && { sort: 'slowest' }),
        filter: { ...filter, sessionId: session, ...(pinned && { pinned }) },
      });
      terminal.value(found);
      renderTraceList(terminal, found.data);
    });
  });

  const show = trace
    .command('show')
    .description('Draw what a request did, or each request of a session')
    .argument('<id>', 'id of a trace, of an answer or of a session')
    .addHelpText('after', '\nExamples:\n  footnote trace show trc_5f0c…\n  footnote trace show ans_93a1…');
  show.action((id: string) => showOne(show, id));

  const save = trace
    .command('export')
    .description('Write the traces of a request or of a session to one file that needs no record')
    .argument('<id>', 'id of a trace, of an answer or of a session')
    .option('-o, --out <file>', 'default: trace-<id>.json; "-" writes stdout');
  cli.onData(save, async ({ footnote }, id: string, { out }: { out?: string }) => {
    const file = await footnote.traces.export(id);
    const path = out ?? `trace-${id.replace(/[^\w.-]/gu, '_')}.json`;
    const text = `${toSafeJson(file, 1)}\n`;
    if (path === '-') {
      if (terminal.json) terminal.value(file);
      else terminal.line(text.trimEnd());
      return;
    }
    await writeFile(path, text, { mode: 0o600 }).catch((thrown: unknown) => {
      throw toFootnoteError(thrown);
    });
    terminal.value({ file: path, traces: file.traces.length });
    terminal.line(`Wrote ${plural(file.traces.length, 'trace')} to ${path}.`);
  });

  const take = trace
    .command('import')
    .description('Take in traces that were exported elsewhere; they are pinned')
    .argument('<file>', 'as "footnote trace export" wrote it; "-" reads stdin');
  take.action(async (path: string) => {
    const [file] = await readJsonValues(path);
    await cli.withData(take, { needsData: false }, async ({ footnote }) => {
      const data = await footnote.traces.import(file);
      terminal.value({ data });
      terminal.line(`Took in ${plural(data.length, 'trace')}.`);
      renderTraceList(terminal, data);
    });
  });

  for (const [name, isPinned] of [
    ['pin', true],
    ['unpin', false],
  ] as const) {
    const command = trace
      .command(name)
      .description(isPinned ? 'Keep a trace for as long as nobody lets it go' : 'Let a trace be pruned in its time')
      .argument('<id>', 'id of the trace, or of its answer');
    cli.onData(command, async ({ footnote }, id: string) => {
      const summary = await footnote.traces.pin(id, isPinned);
      terminal.value(summary);
      terminal.line(isPinned ? `${summary.id} is kept.` : `${summary.id} is pruned when its time comes.`);
    });
  }
}
