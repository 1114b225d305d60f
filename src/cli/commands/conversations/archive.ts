// footnote import, conversations, peek and turn: the archive of past conversations.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { binUnits, exportFormats, type PeekBreakdown, peekBreakdowns } from '../../../core/archive.ts';
import { FootnoteError } from '../../../core/errors.ts';
import type { ConversationCalls, ExportFormat, PeekRequest, ReadTurn } from '../../../footnote/facade/conversations.ts';
import { everyPage } from '../../remote/every-page.ts';
import { renderPeek, toImported } from '../../render/histogram.ts';
import { plural } from '../../render/render.ts';
import { readWords, repeatable, toWholeNumber } from '../../terminal/options.ts';
import { type Terminal, toPrintable } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';

/** What footnote export writes. */
const ownFormat = 'footnote';

interface ImportOptions {
  readonly timeZone?: string;
  readonly shared?: boolean;
  readonly redact?: boolean;
}

async function assertReadable(file: string): Promise<void> {
  const found = await stat(file).catch((cause: unknown) => {
    throw new FootnoteError('not-found', `${file} cannot be read. Name the file of the export.`, { cause });
  });
  if (!found.isFile()) throw new FootnoteError('invalid-request', `${file} is a folder. Name the file of the export.`);
}

export function addImportCommand(program: Command, cli: Cli): void {
  const command = program
    .command('import')
    .description(
      'Bring an export of conversations into the archive, or all that "footnote export" wrote; what is there already stays',
    )
    .addArgument(program.createArgument('<format>', 'of the export').choices([...exportFormats, ownFormat, 'auto']))
    .argument('<file>', 'the export: a ZIP, JSON, JSONL, text or mailbox')
    .option('--time-zone <name>', 'where times without an offset are from, such as Europe/Berlin (default: UTC)')
    .option('--shared', 'everyone of the tenant may read it')
    .option('--redact', 'replace keys, tokens and passwords by a mark')
    .addHelpText(
      'after',
      `
Examples:
  footnote import chatgpt export.zip
  footnote import whatsapp "WhatsApp Chat with Anna.txt" --time-zone Europe/Berlin
  footnote import auto conversations.jsonl
  footnote import footnote moved.jsonl`,
    );
  command.action(async (format: ExportFormat | typeof ownFormat | 'auto', file: string, options: ImportOptions) => {
    await assertReadable(file);
    if (format === ownFormat) {
      const { importLines } = await import('../../transfer/transfer.ts');
      await cli.withData(command, { needsData: false }, async ({ footnote }) => {
        const counts = await importLines(footnote, file, cli.signal);
        cli.terminal.value(counts);
        const told = Object.entries(counts).map(([kind, count]) => `${count} of ${kind}`);
        cli.terminal.line(`Lines brought in: ${told.join(', ')}.`);
      });
      return;
    }
    await cli.withData(command, { needsData: false }, async ({ footnote }) => {
      const report = await footnote.conversations.import(
        {
          content: { path: resolve(file) },
          details: { name: file, ...(format !== 'auto' && { format }), ...options },
        },
        { signal: cli.signal },
      );
      cli.terminal.value(report);
      cli.terminal.line(`${plural(report.conversations, 'conversation')} (${report.format}): ${toImported(report)}.`);
      if (report.redactions > 0) cli.terminal.line(`${plural(report.redactions, 'secret')} replaced by a mark.`);
      for (const warning of report.warnings) cli.terminal.note(toPrintable(warning));
      if (report.warnings.length > 0) cli.exitCode = 1;
    });
  });
}

export function addExportCommand(program: Command, cli: Cli): void {
  const command = program
    .command('export')
    .description(
      'Print documents, archived conversations, memories and feedback as JSONL, for footnote import footnote FILE',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  footnote export > all.jsonl\n  footnote import footnote all.jsonl --data ./other',
    );
  cli.onData(command, async ({ footnote }) => {
    const { exportLines } = await import('../../transfer/transfer.ts');
    for await (const line of exportLines(footnote)) {
      cli.signal.throwIfAborted();
      cli.terminal.line(line);
    }
  });
}

export function addConversationsCommand(program: Command, cli: Cli): void {
  const group = program.command('conversations').description('List archived conversations, or remove one');
  const list = group.command('list').description('List archived conversations, last brought in first');
  cli.onData(list, async ({ footnote }) => {
    const data = await Array.fromAsync(everyPage((page) => footnote.conversations.list(page)));
    cli.terminal.value(data);
    cli.terminal.table(
      data.map((one) => [
        toPrintable(one.conversation_id),
        toPrintable(one.title),
        plural(one.turns, 'turn'),
        one.last_timestamp?.slice(0, 10) ?? '',
      ]),
      'The archive is empty. Bring an export in with footnote import.',
    );
  });
  const remove = group.command('remove').description('Remove a conversation with its turns').argument('<id>');
  cli.onData(remove, async ({ footnote }, id: string) => {
    await footnote.conversations.delete(id);
    cli.terminal.value({ removed: id });
    cli.terminal.line(`Removed ${toPrintable(id)}.`);
  });
}

interface PeekOptions {
  readonly bin?: PeekRequest['bin'];
  readonly from?: string;
  readonly to?: string;
  readonly conversation?: string;
  readonly timeZone?: string;
  readonly topK?: number;
  readonly snippets?: number;
  readonly by?: readonly PeekBreakdown[];
}

export function addPeekCommand(program: Command, cli: Cli): void {
  const command = program
    .command('peek')
    .description('Show when archived conversations spoke of something')
    .argument('<query...>', 'the query; "-" reads it from stdin')
    .addOption(new Option('--bin <unit>', 'what a bar is').choices([...binUnits]).default('auto'))
    .option('--from <time>', 'not before this instant, day, month or year')
    .option('--to <time>', 'before this instant, day, month or year')
    .option('--conversation <id>', 'only in this conversation')
    .option('--time-zone <name>', 'by which bars are cut, such as Europe/Berlin (default: UTC)')
    .addOption(new Option('-k, --top-k <number>', 'best hits whose share is told').argParser(toWholeNumber))
    .addOption(new Option('-n, --snippets <number>', 'pieces of turns (default: 10)').argParser(toWholeNumber))
    .addOption(repeatable('--by <what>', `tell shares: ${peekBreakdowns.join(' or ')} (repeatable)`))
    .addHelpText(
      'after',
      `
Examples:
  footnote peek "solar panels" --bin month
  footnote peek "the move" --from 2024-03 --to 2024-06 --bin day --by conversation`,
    );
  command.action(async (words: string[], options: PeekOptions) => {
    const query = await readWords(words, 'query');
    await cli.withData(command, { needsData: true }, async ({ footnote }) => {
      const { from, to, conversation, timeZone, topK, snippets, bin, by } = options;
      const isTimed = from !== undefined || to !== undefined;
      const peek = await footnote.conversations.peek({
        query,
        ...(bin !== undefined && { bin }),
        ...(isTimed && { time_range: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) } }),
        ...(conversation !== undefined && { conversation_id: conversation }),
        ...(timeZone !== undefined && { time_zone: timeZone }),
        ...(topK !== undefined && { top_k: topK }),
        ...(snippets !== undefined && { top_n_snippets: snippets }),
        ...(by !== undefined && { by }),
      });
      cli.terminal.value(peek);
      if (!cli.terminal.json) renderPeek(cli.terminal, peek);
    });
  });
}

function renderTurn(terminal: Terminal, turn: ReadTurn): void {
  const summary = turn.content_used === 'summary' ? `  (a summary of ${turn.tokens} tokens; --full shows all)` : '';
  terminal.line(toPrintable(`${turn.timestamp ?? 'no time'}  ${turn.title}  [${turn.turn_id}]${summary}`));
  for (const { role, author, text } of turn.messages) {
    terminal.line(toPrintable(`${author ?? role}:`));
    for (const line of text.split('\n')) terminal.line(toPrintable(`  ${line}`));
  }
}

export function addTurnCommand(program: Command, cli: Cli): void {
  const command = program
    .command('turn')
    .description('Show an archived turn')
    .argument('<id>', 'as peek shows it')
    .option('--conversation <id>', 'tells turns of one id apart')
    .addOption(new Option('--around <number>', 'turns before and after it').argParser(toWholeNumber))
    .option('--full', 'show all of a long turn')
    .addHelpText(
      'after',
      `
Examples:
  footnote turn t42 --around 2
  footnote turn t42 --conversation c7 --full`,
    );
  cli.onData(
    command,
    async ({ footnote }, id: string, options: { conversation?: string; around?: number; full?: boolean }) => {
      const turn = await footnote.conversations.turn(id, {
        ...(options.conversation !== undefined && { conversation_id: options.conversation }),
        ...(options.around !== undefined && { neighbours: options.around }),
        ...(options.full && { content: 'full' }),
      } satisfies Parameters<ConversationCalls['turn']>[1]);
      cli.terminal.value(turn);
      for (const one of [...(turn.previous ?? []), turn, ...(turn.next ?? [])]) renderTurn(cli.terminal, one);
    },
  );
}
