// What every command is given: the terminal, the configuration as flags changed it, the way to the data, and the signal
// of Ctrl-C. Options that every command takes are declared once, on the program.
import type { Command } from 'commander';
import { settings } from '../../config/settings.ts';
import { type Config, loadConfig } from '../../config.ts';
import { type Access, type AccessOptions, openAccess } from '../remote/access.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface Cli {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  config(command: Command): Config;
  /** Runs `work` with the data and gives it back afterwards, whatever happens. */
  withData<T>(
    command: Command,
    options: Pick<AccessOptions, 'needsData' | 'leavesNoTrace'>,
    work: (access: Access) => Promise<T>,
  ): Promise<T>;
  /** What a command does, where it does all of it with the data; by default there has to be some. */
  onData<Given extends readonly unknown[]>(
    command: Command,
    work: (access: Access, ...given: Given) => Promise<void>,
    options?: Pick<AccessOptions, 'needsData' | 'leavesNoTrace'>,
  ): void;
  /** The exit code, where success is not 0. */
  exitCode: number;
}

/** Flags that stand for a setting. */
const flagOf: Readonly<Record<string, string>> = {
  data: 'FOOTNOTE_DATA',
  host: 'FOOTNOTE_HOST',
  port: 'FOOTNOTE_PORT',
};

/** The words that name a command, such as `sources remove`. */
function pathOf(command: Command): string {
  const parent = command.parent?.parent ? `${pathOf(command.parent)} ` : '';
  return `${parent}${command.name()}`;
}

export function createCli(terminal: Terminal, signal: AbortSignal): Cli {
  const config = (command: Command): Config => {
    const options: Record<string, unknown> = command.optsWithGlobals();
    const flags: Record<string, { value: string; place: string }> = {};
    for (const [flag, setting] of Object.entries(flagOf)) {
      const value = options[flag];
      if (typeof value === 'string') flags[setting] = { value, place: `--${flag}` };
    }
    const file = options['config'];
    const loaded = loadConfig({ flags, ...(typeof file === 'string' && { file }) });
    terminal.hide(settings.flatMap(({ name, secret }) => (secret ? (loaded.secret(name) ?? []) : [])));
    return loaded;
  };
  const cli: Cli = {
    terminal,
    signal,
    exitCode: 0,
    config,
    onData(command, work, options = { needsData: true }) {
      command.action(async (...given) => {
        await cli.withData(command, options, (access) => work(access, ...(given as never)));
      });
    },
    async withData(command, options, work) {
      const told = { command: pathOf(command), tell: (message: string) => terminal.note(message) };
      const access = await openAccess(config(command), { ...options, ...told }, signal);
      try {
        return await work(access);
      } finally {
        await access.close();
      }
    },
  };
  return cli;
}
