// The command line as a whole: every command, the options that all of them take, and how mistakes are told.

import { constants } from 'node:os';
import { Command, CommanderError } from 'commander';
import { version } from '../config/version.ts';
import { readStarted } from '../config.ts';
import { errorTable, FootnoteError } from '../core/errors.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addBackupCommand, addRestoreCommand } from './commands/backup.ts';
import { type Cli, createCli } from './commands/cli.ts';
import {
  addConversationsCommand,
  addExportCommand,
  addImportCommand,
  addPeekCommand,
  addTurnCommand,
} from './commands/conversations/archive.ts';
import { addChatCommand } from './commands/conversations/chat.ts';
import { addMemoryCommand } from './commands/conversations/memory.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addDocumentsCommand } from './commands/documents.ts';
import { addEstimateCommand } from './commands/estimate.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addFeedbackCommand } from './commands/feedback.ts';
import { addIngestCommand } from './commands/ingest.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addEvalCommand } from './commands/measures/eval.ts';
import { addVerifyClaimsCommand } from './commands/measures/verify-claims.ts';
import { addModelsCommand } from './commands/models.ts';
import { addMoveCommand } from './commands/move.ts';
import { addAffectedCommand, addAnswersCommand } from './commands/proof/answers.ts';
import { addReplayCommand } from './commands/proof/replay.ts';
import { addTraceCommand } from './commands/proof/trace.ts';
import { addVerifyCommand } from './commands/proof/verify.ts';
import { addAnalyseCommand, addAskCommand, addRecommendCommand, addSearchCommand } from './commands/questions.ts';
import { addReindexCommand } from './commands/reindex.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSourcesCommand } from './commands/sources.ts';
import { addStoresCommand } from './commands/stores.ts';
import { addSyncCommand } from './commands/sync.ts';
import { addUsageCommand } from './commands/usage.ts';
import { type Started, watchLaunchers } from './launchers.ts';
import { createTerminal, type Terminal } from './terminal/terminal.ts';

/** Exit codes by what they mean, as `--help` shows them. */
function exitCodes(): string {
  const byCode = new Map<number, string[]>([
    [0, ['all went well']],
    [1, ['done, but something did not hold (verify, doctor) or could not be read (ingest, sync)']],
  ]);
  for (const [code, { exitCode }] of Object.entries(errorTable))
    byCode.set(exitCode, [...(byCode.get(exitCode) ?? []), code]);
  return [...byCode]
    .sort((a, b) => a[0] - b[0])
    .map(([number, names]) => `  ${String(number).padEnd(4)} ${names.join(', ')}`)
    .join('\n');
}

/** Every command under what a person wants to do. */
const groups: readonly (readonly [heading: string, adds: readonly ((program: Command, cli: Cli) => void)[]])[] = [
  [
    'Documents:',
    [addIngestCommand, addSyncCommand, addSourcesCommand, addDocumentsCommand, addStoresCommand, addReindexCommand],
  ],
  ['Questions:', [addAskCommand, addSearchCommand, addAnalyseCommand, addRecommendCommand]],
  [
    'Past conversations and memory:',
    [addImportCommand, addConversationsCommand, addChatCommand, addPeekCommand, addTurnCommand, addMemoryCommand],
  ],
  [
    'Proof of what was answered:',
    [
      addAnswersCommand,
      addVerifyCommand,
      addVerifyClaimsCommand,
      addExplainCommand,
      addTraceCommand,
      addReplayCommand,
      addAffectedCommand,
      addFeedbackCommand,
    ],
  ],
  ['How good it is:', [addEvalCommand]],
  [
    'Server and installation:',
    [
      addServeCommand,
      addMcpCommand,
      addKeysCommand,
      addModelsCommand,
      addUsageCommand,
      addAuditCommand,
      addDoctorCommand,
      addEstimateCommand,
      addBackupCommand,
      addRestoreCommand,
      addMoveCommand,
      addExportCommand,
    ],
  ],
];

function createProgram(cli: Cli, terminal: Terminal): Command {
  const program = new Command('footnote');
  program
    .description('Answers you can check: ask your documents, and get a verified citation for every claim.')
    .version(version, '-V, --version', 'print the version')
    .option('--data <folder>', 'data folder (default: ./.footnote)')
    .option('--config <file>', 'configuration file (default: ./footnote.yaml, if there is one)')
    .option('--json', 'print one JSON value on stdout; errors as JSON on stderr')
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => undefined })
    .hook('preAction', (_, action) => {
      terminal.json = action.optsWithGlobals()['json'] === true;
    })
    .addHelpText(
      'after',
      `
Examples:
  footnote ingest ./docs
  footnote ask "How long is the notice period?"
  footnote serve

Exit codes:
${exitCodes()}`,
    );
  for (const [heading, adds] of groups) {
    program.commandsGroup(heading);
    for (const add of adds) add(program, cli);
  }
  program.helpCommand('help [command]', 'display help for command');
  return program;
}

/** Settings of commander that its subcommands do not inherit when they are made by `command()`. */
function settle(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    settle(child);
  }
}

/** Runs one command line; resolves with the exit code. Never throws. */
export async function runCli(words: readonly string[]): Promise<number> {
  const terminal = createTerminal();
  terminal.json = words.includes('--json');
  const interrupt = watchInterrupts(readStarted(), (text) => terminal.note(text));
  const cli = createCli(terminal, interrupt.signal);
  const program = createProgram(cli, terminal);
  settle(program);
  try {
    if (words.length === 0) {
      program.outputHelp();
      return 0;
    }
    await program.parseAsync(words, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (error.code === 'commander.help') return errorTable['invalid-request'].exitCode;
      const mistake = error.message.replace(/^error: /, '').replace(/\n\((Did you mean [^\n]*\?)\)$/, '. $1');
      const message = `${mistake.replace(/[^.?!]$/, '$&.')} Run it with --help to see what it takes.`;
      return terminal.fail(new FootnoteError('invalid-request', message, { cause: error }));
    }
    if (interrupt.signal.aborted) return terminal.fail(interrupt.signal.reason);
    return terminal.fail(error);
  } finally {
    interrupt.stop();
    await terminal.flush();
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Interrupt {
  readonly signal: AbortSignal;
  stop(): void;
}

function watchInterrupts(started: Started, note: (text: string) => void): Interrupt {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(128 + constants.signals[name]);
    if (name === 'SIGINT') note('Stopping. Press Ctrl-C again to stop at once.');
    interrupt('Interrupted');
  };
  const interrupt = (why: string): void =>
    controller.abort(
      new FootnoteError('cancelled', `${why}. What was finished is kept; run the command again to go on.`),
    );
  const launchers = watchLaunchers(started, () => interrupt('Whoever started this command is gone'));
  for (const name of signals) process.on(name, onSignal);
  return {
    signal: controller.signal,
    stop() {
      launchers.stop();
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
