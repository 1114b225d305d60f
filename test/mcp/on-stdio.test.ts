// MCP on two streams: each line is answered by one, and it ends with its input or when it is told to.
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import { serveMcpOnStdio } from '../../src/mcp/on-stdio.ts';

const caller = {
  footnote: { documents: { list: () => Promise.reject(new FootnoteError('invalid-request', 'No such page.')) } },
  address: 'http://127.0.0.1',
  inTurn: ({ signal }: { signal: AbortSignal }, work: (call: object) => unknown) => work({ signal }),
  tellFailure: (error: unknown) => (error as Error).message,
} as never;

function open() {
  const [stdin, stdout, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
  const served = serveMcpOnStdio(caller, { version: '1', searchesWeb: false }, { stdin, stdout, signal: stop.signal });
  const ask = async (message: object) => {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })}\n`);
    const [line] = (await once(stdout, 'data')) as [Buffer];
    return JSON.parse(line.toString()) as { readonly result?: object; readonly error?: { readonly message: string } };
  };
  const clientInfo = { name: 'x', version: '1' };
  const begin = () =>
    ask({ method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  return { stdin, stop, served, ask, begin };
}

describe('MCP on streams', () => {
  it('answers, tells failures by the protocol, and ends with its input', async () => {
    const { stdin, served, ask, begin } = open();
    expect(await begin()).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    expect((await ask({ method: 'resources/list' })).error?.message).toBe('No such page.');
    stdin.end();
    await served;
  });

  it('ends when it is told to', async () => {
    const { stop, served, begin } = open();
    await begin();
    stop.abort();
    await served;
  });
});
