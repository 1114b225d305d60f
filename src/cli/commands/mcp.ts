// footnote mcp: MCP on stdin and stdout for a program that starts it, and the block that makes a program do so. Invariant: nothing but JSON-RPC leaves
// on stdout while it serves; what a person should know goes to stderr.
import { Argument, type Command } from 'commander';
import { version } from '../../config/version.ts';
import type { Config } from '../../config.ts';
import { toFootnoteError } from '../../core/errors.ts';
import { readOwner } from '../../footnote/lock.ts';
import type { McpCaller } from '../../mcp/caller.ts';
import type { Access } from '../remote/access.ts';
import { toAddress } from '../remote/remote-http.ts';
import type { Cli } from './cli.ts';

/** Whoever started it is the owner of the folder, and nobody else is served. */
function callerOf({ footnote, remote }: Access, config: Config, tell: (message: string) => void): McpCaller {
  const at = remote?.owner.server ?? config;
  return {
    footnote,
    address: config.publicUrl ?? toAddress(at),
    inTurn: ({ signal }, work) => work({ signal }),
    tellFailure(thrown) {
      const error = toFootnoteError(thrown);
      if (error.code === 'internal') tell((thrown as Error).stack ?? error.message);
      return error.code === 'internal'
        ? 'Something went wrong on our side; stderr of the server says what.'
        : error.message;
    },
  };
}

const clients = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'codex'] as const;
type Client = (typeof clients)[number];

/** The variable of the environment that holds the key of the client. */
const keyName = 'FOOTNOTE_KEY';

interface Reached {
  readonly url: string;
  readonly command: string;
  readonly args: readonly string[];
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
/** A word as a shell takes it. */
const quoted = (word: string): string => (/^[\w./:=@-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** What a client wants, by how it reaches the server. */
const overHttp: Readonly<Record<Exclude<Client, 'claude-desktop'>, (reached: Reached) => string>> = {
  'claude-code': ({ url }) =>
    `claude mcp add --transport http footnote ${url} --header "Authorization: Bearer $${keyName}"`,
  cursor: ({ url }) =>
    json({ mcpServers: { footnote: { url, headers: { Authorization: `Bearer \${env:${keyName}}` } } } }),
  vscode: ({ url }) =>
    json({
      inputs: [{ type: 'promptString', id: 'footnote-key', description: 'Key of Footnote', password: true }],
      servers: {
        footnote: { type: 'http', url, headers: { Authorization: `Bearer \${input:footnote-key}` } },
      },
    }),
  codex: ({ url }) => `[mcp_servers.footnote]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = "${keyName}"`,
};

const started = ({ command, args }: Reached) => ({ mcpServers: { footnote: { command, args, env: {} } } });
const onStdio: Readonly<Record<Client, (reached: Reached) => string>> = {
  'claude-desktop': (reached) => json(started(reached)),
  'claude-code': ({ command, args }) => `claude mcp add footnote -- ${[command, ...args].map(quoted).join(' ')}`,
  cursor: (reached) => json(started(reached)),
  vscode: ({ command, args }) => json({ servers: { footnote: { type: 'stdio', command, args } } }),
  codex: ({ command, args }) =>
    `[mcp_servers.footnote]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`,
};

const files: Readonly<Record<Client, string>> = {
  'claude-desktop': 'claude_desktop_config.json (Settings, Developer, Edit Config)',
  'claude-code': 'a terminal',
  cursor: '~/.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
  codex: '~/.codex/config.toml',
};

function addConfigCommand(mcp: Command, cli: Cli): void {
  const command = mcp
    .command('config')
    .description('Print what a client wants to be told of this server, ready to paste')
    .addArgument(new Argument('<client>', 'the client').choices([...clients]))
    .option('--stdio', 'let the client start this program itself, instead of asking a server that runs')
    .option('--url <address>', 'address of the server (default: FOOTNOTE_PUBLIC_URL, else the one that runs here)')
    .addHelpText(
      'after',
      '\nExamples:\n  footnote mcp config claude-desktop\n  footnote mcp config codex --url https://kb.example.org',
    );
  command.action(async (client: Client, options: { readonly stdio?: boolean; readonly url?: string }) => {
    const { terminal } = cli;
    const config = cli.config(command);
    const address = options.url ?? config.publicUrl ?? toAddress((await readOwner(config.data))?.server ?? config);
    const reached = {
      url: `${address.replace(/\/$/u, '')}/mcp`,
      command: process.execPath,
      args: [process.argv[1] ?? '', '--data', config.data, 'mcp'],
    };
    const isStarted = options.stdio === true || client === 'claude-desktop';
    const block = client === 'claude-desktop' || isStarted ? onStdio[client](reached) : overHttp[client](reached);
    terminal.value({ client, block });
    terminal.line(block);
    terminal.note(`This goes into ${files[client]}.`);
    if (!isStarted)
      terminal.note(`The key stands in ${keyName} (or is asked for): make one with "footnote keys create NAME".`);
  });
}

export function addMcpCommand(program: Command, cli: Cli): void {
  const command = program
    .command('mcp')
    .description('Serve MCP on stdin and stdout, for a program that starts this one')
    .addHelpText(
      'after',
      `
A server that runs serves MCP at /mcp as well. While one owns the data folder, this command asks it; else it opens the folder.

Examples:
  footnote mcp --data ~/notes.footnote
  footnote mcp config claude-desktop`,
    );
  command.action(async () => {
    const config = cli.config(command);
    const gone = new AbortController();
    cli.terminal.onReaderGone(() => gone.abort());
    await cli.withData(command, { needsData: true }, async (access) => {
      const { serveMcpOnStdio } = await import('../../mcp/on-stdio.ts');
      const facts = { version, searchesWeb: config.web.search.provider !== undefined };
      const caller = callerOf(access, config, (message) => cli.terminal.warn(message));
      const { stdin, stdout } = process;
      await serveMcpOnStdio(caller, facts, { stdin, stdout, signal: AbortSignal.any([cli.signal, gone.signal]) });
    });
  });
  addConfigCommand(command, cli);
}
