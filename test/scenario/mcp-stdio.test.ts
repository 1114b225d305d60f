// MCP for a program that starts this one: over a folder of its own, and while a server owns the folder; nothing but JSON-RPC on stdout, and the end
// when stdin ends.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programMain } from '../../testkit/bundled-program.ts';
import { connectMcp, revisions, structured, textOf } from '../../testkit/mcp-clients.ts';
import { programEnvironment } from '../../testkit/program-environment.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await mkdir(join(place.folder, 'birds'));
  await writeFile(join(place.folder, 'birds/owl.md'), 'The barn owl hunts at night.\n');
  expect((await place.run(['ingest', 'birds'])).code).toBe(0);
}, 60_000);
afterAll(() => place.remove());

const started = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: [programMain, 'mcp'],
    cwd: place.folder,
    env: Object.fromEntries(
      Object.entries(programEnvironment()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    stderr: 'ignore',
  });

interface Answered {
  readonly citations: readonly { readonly url: string }[];
}

describe.each(revisions)('footnote mcp (%s)', (revision) => {
  it('opens the folder that nobody owns', async () => {
    const client = await connectMcp(revision, started());
    const stages: unknown[] = [];
    const asked = { name: 'ask', arguments: { question: 'When does the barn owl hunt?' } };
    const result = await client.callTool(asked, { onprogress: ({ message }) => void stages.push(message) });
    expect(textOf(result)).toContain('at night. [1]');
    expect(stages).toContain('searching');
    expect(structured(await client.callTool({ name: 'sources', arguments: {} }))).toMatchObject({
      sources: [{ name: 'birds', documents: 1 }],
    });
    expect((await client.callTool({ name: 'turn', arguments: { turn_id: 'none' } })).isError).toBe(true);
    await client.close();
  }, 60_000);

  it('is the client of the server that owns it', async () => {
    const server = await place.serve();
    const client = await connectMcp(revision, started());
    const stages: unknown[] = [];
    const asked = { name: 'ask', arguments: { question: 'When does the barn owl hunt?' } };
    const result = await client.callTool(asked, { onprogress: ({ message }) => void stages.push(message) });
    const { citations } = structured<Answered>(result);
    const opened = await fetch(citations[0]?.url ?? '', { headers: { accept: 'application/json' } });
    expect(await opened.json()).toMatchObject({ quote: expect.stringContaining('at night') });
    expect(stages).toContain('searching');
    await client.close();
    await server.stop();
  }, 60_000);
});

describe('footnote mcp', () => {
  it('writes nothing but JSON-RPC to stdout, and ends when stdin does', async () => {
    const child = place.start(['mcp']);
    let out = '';
    child.stdout?.on('data', (data: Buffer) => (out += data.toString()));
    const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'x', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    send({ method: 'notifications/initialized' });
    child.stdin?.write('this is no JSON\n');
    send({ id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'owl' } } });
    while (!out.includes('"id":2')) await once(child.stdout ?? child, 'data');
    child.stdin?.end();
    const [code] = (await once(child, 'close')) as [number];
    const messages = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { jsonrpc: string; id: number });
    expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(messages.map(({ id }) => id)).toEqual([1, 2]);
    expect(code).toBe(0);
  }, 60_000);

  it('says on stderr that there is nothing to serve', async () => {
    const { code, out, err } = await place.run(['mcp', '--data', join(place.folder, 'none')]);
    expect([code, out]).toEqual([4, '']);
    expect(err).toContain('footnote ingest');
  }, 60_000);

  it('prints what each client wants, ready to paste', async () => {
    const blockOf = async (...words: string[]) => (await place.run(['mcp', 'config', ...words])).out;
    const data = join(place.folder, '.footnote');
    const command = { command: process.execPath, args: [programMain, '--data', data, 'mcp'] };
    expect(JSON.parse(await blockOf('claude-desktop'))).toEqual({
      mcpServers: { footnote: { ...command, env: {} } },
    });
    const url = 'https://kb.example.org/mcp';
    const http = ['--url', 'https://kb.example.org/'];
    const authorization = (value: string) => ({ headers: { Authorization: `Bearer \${${value}}` } });
    expect(JSON.parse(await blockOf('cursor', ...http))).toEqual({
      mcpServers: { footnote: { url, ...authorization('env:FOOTNOTE_KEY') } },
    });
    expect(JSON.parse(await blockOf('vscode', ...http))).toMatchObject({
      servers: { footnote: { type: 'http', url, ...authorization('input:footnote-key') } },
    });
    expect(JSON.parse(await blockOf('vscode', '--stdio'))).toEqual({
      servers: { footnote: { type: 'stdio', ...command, env: {} } },
    });
    expect(await blockOf('codex', ...http)).toBe(
      `[mcp_servers.footnote]\nurl = "${url}"\nbearer_token_env_var = "FOOTNOTE_KEY"\n`,
    );
    expect(await blockOf('claude-code', ...http)).toBe(
      `claude mcp add --transport http footnote ${url} --header "Authorization: Bearer $FOOTNOTE_KEY"\n`,
    );
    for (const client of ['claude-code', 'cursor', 'codex'])
      expect(await blockOf(client, '--stdio'), client).toContain(programMain);
    expect((await place.run(['mcp', 'config', 'netscape'])).code).toBe(2);
  }, 60_000);
});
