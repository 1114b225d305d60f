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
  return {
    footnote,
    address: config.publicUrl ?? toAddress(remote?.owner.server ?? config),
    inTurn: ({ signal }, work) => work({ signal }),
    tellFailure(thrown) {
      const error = toFootnoteError(thrown);
      if (error.code !== 'internal') return error.message;
      tell((thrown as Error).stack ?? error.message);
      return 'Something went wrong on our side; stderr of the server says what.';
    },
  };
}

/** The variable of the environment that holds the key of a client. */
const keyName = 'FOOTNOTE_KEY';

interface Reached {
  /** Absent: the client starts the program itself. */
  readonly url?: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** A word as a shell takes it. */
const quoted = (word: string): string => (/^[\w./:=@-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const entry = ({ url, command, args }: Reached, key = `env:${keyName}`): object =>
  url === undefined ? { command, args, env: {} } : { url, headers: { Authorization: `Bearer \${${key}}` } };

/** What each client wants to be told; an object is JSON. */
const clients: Readonly<Record<string, (reached: Reached) => string | object>> = {
  'claude-desktop': ({ url: _, ...reached }) => ({ mcpServers: { footnote: entry(reached) } }),
  'claude-code': ({ url, command, args }) =>
    url === undefined
      ? `claude mcp add footnote -- ${[command, ...args].map(quoted).join(' ')}`
      : `claude mcp add --transport http footnote ${quoted(url)} --header "Authorization: Bearer $${keyName}"`,
  cursor: (reached) => ({ mcpServers: { footnote: entry(reached) } }),
  vscode: (reached) => ({
    ...(reached.url && { inputs: [{ type: 'promptString', id: 'footnote-key', description: 'Key', password: true }] }),
    servers: { footnote: { type: reached.url ? 'http' : 'stdio', ...entry(reached, 'input:footnote-key') } },
  }),
  codex({ url, command, args }) {
    const started = `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`;
    const asked = `url = ${JSON.stringify(url)}\nbearer_token_env_var = "${keyName}"`;
    return `[mcp_servers.footnote]\n${url === undefined ? started : asked}`;
  },
};

function addConfigCommand(mcp: Command, cli: Cli): void {
  const command = mcp
    .command('config')
    .description('Print what a client wants to be told of this server, ready to paste')
    .addArgument(new Argument('<client>', 'the client').choices(Object.keys(clients)))
    .option('--stdio', 'let the client start this program itself, instead of asking a server that runs')
    .option('--url <address>', 'address of the server (default: FOOTNOTE_PUBLIC_URL, else the one that runs here)')
    .addHelpText(
      'after',
      '\nExamples:\n  footnote mcp config claude-desktop\n  footnote mcp config codex --url https://kb.example.org',
    );
  command.action(async (client: string, { stdio, url }: { readonly stdio?: true; readonly url?: string }) => {
    const config = cli.config(command);
    const address = url ?? config.publicUrl ?? toAddress((await readOwner(config.data))?.server ?? config);
    const reached = { command: process.execPath, args: [process.argv[1] ?? '', '--data', config.data, 'mcp'] };
    const told = clients[client]?.({ ...reached, ...(!stdio && { url: `${address.replace(/\/$/u, '')}/mcp` }) });
    const block = typeof told === 'string' ? told : JSON.stringify(told, undefined, 2);
    cli.terminal.value({ client, block });
    cli.terminal.line(block);
    if (/bearer/iu.test(block))
      cli.terminal.note(`The key stands in ${keyName} or is asked for: make one with "footnote keys create NAME".`);
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
