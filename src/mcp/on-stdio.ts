// MCP on stdin and stdout, for a program that started this one: JSON-RPC and nothing else. It ends when stdin does.
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpCaller, McpFacts } from './caller.ts';
import { createMcpServer } from './server.ts';

export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
}

export async function serveMcpOnStdio(caller: McpCaller, facts: McpFacts, streams: Streams): Promise<void> {
  const { stdin, stdout, signal } = streams;
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  for (const name of ['end', 'close']) stdin.once(name, () => ended.abort());
  const served = serveStdio(() => createMcpServer(caller, facts), {
    transport: new StdioServerTransport(stdin, stdout),
  });
  if (!either.aborted) await once(either, 'abort');
  await served.close();
}
