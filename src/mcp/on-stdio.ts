// MCP on stdin and stdout, for a program that started this one: JSON-RPC and nothing else. It ends when stdin does.
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpCaller, McpFacts } from './caller.ts';
import { createMcpServer } from './server.ts';

interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
}

export async function serveMcpOnStdio(caller: McpCaller, facts: McpFacts, given: Streams): Promise<void> {
  const ended = new AbortController();
  const either = AbortSignal.any([given.signal, ended.signal]);
  for (const name of ['end', 'close']) given.stdin.once(name, () => ended.abort());
  const transport = new StdioServerTransport(given.stdin, given.stdout);
  const served = serveStdio(() => createMcpServer(caller, facts), { transport });
  if (!either.aborted) await once(either, 'abort');
  await served.close();
}
