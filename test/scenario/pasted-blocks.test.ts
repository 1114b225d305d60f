// The four ways of a person who asks one server: a script for OpenAI's client, what `footnote mcp config` prints pasted into a program that speaks MCP over HTTP or starts
// this one, and the ask page. Each block is read and played as its program does, by the official client of MCP; the marks, the quotes and the links are the same.
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import {
  type CallToolResult,
  type Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DefaultTreeAdapterTypes, parse } from '../../packages/readers/testkit/libraries.ts';
import type { Answer } from '../../src/core/answer.ts';
import { hasBrowser, openTab } from '../../testkit/browser.ts';
import { connectMcp, revisions, structured } from '../../testkit/mcp-clients.ts';
import { bracketsIn, type Completion } from '../../testkit/openai/completion.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

const question = 'How tall is the lighthouse of Cabo Frio, and who kept it?';
const unanswerable = 'What is the tax rate for beekeepers in Bolivia?';
const texts = {
  'tower.md': '# Towers\n\nThe 😀 lighthouse [2] of Cabo Frio is 43 metres tall.\n',
  'keeper.md': 'The lighthouse of Cabo Frio was kept by Ana Reis [1][2] from 1901 on.\n',
};

let place: Workplace;
let server: Awaited<ReturnType<Workplace['serve']>>;
let key: string;
beforeAll(async () => {
  place = await openWorkplace();
  await mkdir(join(place.folder, 'handbook'));
  for (const [name, text] of Object.entries(texts)) await writeFile(join(place.folder, 'handbook', name), text);
  expect((await place.run(['ingest', 'handbook'])).code).toBe(0);
  server = await place.serve();
  key = (await place.run(['keys', 'create', 'editor', '--json'])).json().secret;
});
afterAll(async () => {
  await server?.stop();
  await place?.remove();
});

/** What a person sees of an answer. */
interface Seen {
  /** Without the word joiners that keep numbers of documents apart from marks. */
  readonly text: string;
  /** In the order of the text. */
  readonly marks: readonly string[];
  readonly quotes: readonly string[];
  readonly links: readonly string[];
}
const withoutJoiners = (text: string): string => text.replaceAll('\u2060', '');

async function seenByScript(asked: string): Promise<Seen> {
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: key, maxRetries: 0 });
  const told = (await client.chat.completions.create({
    model: 'footnote',
    messages: [{ role: 'user', content: asked }],
  })) as OpenAI.ChatCompletion & Completion;
  const { content, annotations = [] } = (told as Completion).choices[0]?.message ?? {};
  const points = [...(content ?? '')];
  return {
    text: withoutJoiners(content ?? ''),
    marks: annotations.map(({ url_citation: { start_index, end_index } }) =>
      points.slice(start_index, end_index).join(''),
    ),
    quotes: told.search_results.map(({ snippet }) => snippet),
    links: told.citations,
  };
}

/** As the page asks, and reads what streams. */
async function seenOnPage(asked: string): Promise<Seen> {
  const reply = await fetch(`${server.url}/v1/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ question: asked, stream: true }),
  });
  const last = (await reply.text()).trimEnd().split('\ndata: ').at(-1) ?? '';
  const {
    answer: { answer, marks = [], citations },
  } = JSON.parse(last) as { answer: Answer };
  return {
    text: answer,
    marks: marks.map(({ start, end }) => answer.slice(start, end)),
    quotes: citations.map(({ quote }) => quote),
    links: citations.map(({ url }) => url),
  };
}

type Shown = Pick<Answer, 'answer' | 'citations'> & { readonly marks: readonly { start: number; end: number }[] };
async function seenOverMcp(client: Client, asked: string): Promise<Seen> {
  const result = (await client.callTool({ name: 'ask', arguments: { question: asked } })) as CallToolResult;
  const { answer, marks, citations } = structured<Shown>(result);
  return {
    text: withoutJoiners(answer),
    marks: marks.map(({ start, end }) => answer.slice(start, end)),
    quotes: citations.map(({ quote }) => quote),
    links: citations.map(({ url }) => url),
  };
}

interface Entry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
/** What a program does with an entry: it asks the address, or starts the command in a folder of its own with little of its environment. */
function transportOf({ command, args = [], env = {}, url, headers = {} }: Entry): Transport {
  if (url !== undefined) return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  if (command === undefined) throw new Error('The block names neither an address nor a command.');
  // Tests leave the encoder off and look for nothing on this machine; a person's environment is the usual one.
  const own = { ...env, ENCODER: 'off', MODEL_DETECT: 'off' };
  return new StdioClientTransport({ command, args: [...args], env: own, cwd: '/', stderr: 'ignore' });
}

const blockOf = async (...words: string[]): Promise<string> => {
  const { code, out } = await place.run(['mcp', 'config', ...words]);
  expect(code).toBe(0);
  return out;
};
const overHttp = () => ['--url', server.url];
type Servers = { readonly footnote: Entry };

/** `${env:NAME}` is replaced by the program, and `${input:ID}` by what it asked its user for. */
const filled = (text: string, kind: 'env' | 'input', name: string): string =>
  text.replaceAll(`\${${kind}:${name}}`, key);
const cursor = async (...words: string[]): Promise<Entry> =>
  (JSON.parse(filled(await blockOf('cursor', ...words), 'env', 'FOOTNOTE_KEY')) as { mcpServers: Servers }).mcpServers
    .footnote;
const vscode = async (...words: string[]): Promise<Entry> => {
  const { inputs = [], servers } = JSON.parse(await blockOf('vscode', ...words)) as {
    inputs?: readonly { id: string }[];
    servers: Servers & { footnote: { type: string } };
  };
  expect(servers.footnote.type).toBe(words.includes('--stdio') ? 'stdio' : 'http');
  const text = inputs.reduce((told, { id }) => filled(told, 'input', id), JSON.stringify(servers));
  return (JSON.parse(text) as Servers).footnote;
};
/** A table of TOML of which each value is on a line of its own, written as JSON has it. */
const codex = async (...words: string[]): Promise<Entry> => {
  const [head, ...lines] = (await blockOf('codex', ...words)).trim().split('\n');
  expect(head).toBe('[mcp_servers.footnote]');
  const { bearer_token_env_var: name, ...entry } = Object.fromEntries(
    lines.map((line) => line.split(' = ')).map(([field, value = '']) => [field, JSON.parse(value) as unknown]),
  ) as Entry & { bearer_token_env_var?: string };
  const environment: Record<string, string> = { FOOTNOTE_KEY: key };
  return { ...entry, ...(name !== undefined && { headers: { Authorization: `Bearer ${environment[name]}` } }) };
};
/** The words that a shell hands to a command of this name. */
const claudeCode = async (...words: string[]): Promise<Entry> => {
  const folder = join(place.folder, 'stand-in');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'claude'), '#!/bin/sh\nfor word; do printf "%s\\0" "$word"; done\n');
  await chmod(join(folder, 'claude'), 0o755);
  const env = { PATH: `${folder}${delimiter}${process.env['PATH']}`, FOOTNOTE_KEY: key };
  const { stdout } = spawnSync('sh', ['-c', await blockOf('claude-code', ...words)], { env, encoding: 'utf8' });
  const told = stdout.split('\0').slice(0, -1);
  if (words.includes('--stdio')) {
    expect(told.slice(0, 4)).toEqual(['mcp', 'add', 'footnote', '--']);
    const [command = '', ...args] = told.slice(4);
    return { command, args };
  }
  expect([...told.slice(0, 5), told[6]]).toEqual(['mcp', 'add', '--transport', 'http', 'footnote', '--header']);
  const [name = '', value = ''] = told[7]?.split(': ') ?? [];
  return { url: told[5] ?? '', headers: { [name]: value } };
};
const claudeDesktop = async (...words: string[]): Promise<Entry> =>
  (JSON.parse(await blockOf('claude-desktop', ...words)) as { mcpServers: Servers }).mcpServers.footnote;

const blocks: readonly (readonly [string, () => Promise<Entry>])[] = [
  ['cursor, over HTTP', () => cursor(...overHttp())],
  ['cursor, started', () => cursor('--stdio')],
  ['claude-desktop', () => claudeDesktop()],
  ['claude-desktop, with an address', () => claudeDesktop(...overHttp())],
  ['vscode, over HTTP', () => vscode(...overHttp())],
  ['vscode, started', () => vscode('--stdio')],
  ['claude-code, over HTTP', () => claudeCode(...overHttp())],
  ['claude-code, started', () => claudeCode('--stdio')],
  ['codex, over HTTP', () => codex(...overHttp())],
  ['codex, started', () => codex('--stdio')],
];

const nodesOf = (node: DefaultTreeAdapterTypes.Node): readonly DefaultTreeAdapterTypes.Node[] => [
  node,
  ...('childNodes' in node ? node.childNodes.flatMap(nodesOf) : []),
];
/** What is highlighted on the page that a link opens. */
async function highlighted(url: string): Promise<string> {
  const reply = await fetch(url, { headers: { authorization: `Bearer ${key}`, accept: 'text/html' } });
  const mark = nodesOf(parse(await reply.text())).find(({ nodeName }) => nodeName === 'mark');
  return mark
    ? nodesOf(mark)
        .map((node) => ('value' in node ? node.value : ''))
        .join('')
    : '';
}

describe('one question', () => {
  it('shows marks that open their passages to a script of OpenAI, and the same on the ask page', async () => {
    const seen = await seenByScript(question);
    expect(await seenOnPage(question)).toEqual(seen);
    expect(seen.text).toContain('lighthouse [2] of Cabo Frio is 43 metres tall. [');
    expect(seen.text).toContain('Ana Reis [1][2] from 1901 on. [');
    expect(seen.links.length).toBeGreaterThan(1);
    // What is no mark stands in the documents.
    expect(seen.marks.length).toBe(bracketsIn(seen.text).length - 3);
    expect(new Set(seen.marks)).toEqual(new Set(seen.links.map((_, at) => `[${at + 1}]`)));
    for (const [at, url] of seen.links.entries()) expect(await highlighted(url)).toBe(seen.quotes[at]);
  });

  it.each(blocks)('shows the same by the pasted block: %s', async (_name, entryOf) => {
    const [seen, none] = [await seenByScript(question), await seenByScript(unanswerable)];
    const entry = await entryOf();
    for (const revision of revisions) {
      const client = await connectMcp(revision, transportOf(entry));
      expect(await seenOverMcp(client, question)).toEqual(seen);
      expect(await seenOverMcp(client, unanswerable)).toEqual(none);
      await client.close();
    }
  });

  it('is opened by nobody without the key that the block asks for', async () => {
    const entry = await cursor(...overHttp());
    const without = transportOf({ ...entry, headers: {} });
    await expect(connectMcp('2025-11-25', without)).rejects.toThrow(/401|valid API key/u);
  });

  it.skipIf(!hasBrowser)('leads a person from a mark to the highlighted passage', async () => {
    const { links, quotes } = await seenByScript(question);
    const tab = await openTab();
    await tab.open(links[0] ?? '');
    await tab.until(`document.querySelector('#key') === document.activeElement && document.readyState === 'complete'`);
    await tab.read(
      `document.querySelector('#key').value = ${JSON.stringify(key)}; document.querySelector('#key-form').requestSubmit(); 1`,
    );
    await tab.until(`document.querySelector('.source-text') && CSS.highlights.get('quote')`);
    expect(await tab.read(`[...CSS.highlights.get('quote')][0].toString()`)).toBe(quotes[0]);
    await tab.close();
  });

  it('is not answered with marks where nothing answers it, in the same words', async () => {
    const seen = await seenByScript(unanswerable);
    expect(await seenOnPage(unanswerable)).toEqual(seen);
    expect(seen.text).toMatch(/^The documents do not seem to say\. /u);
    for (const [at, url] of seen.links.entries()) expect(await highlighted(url)).toBe(seen.quotes[at]);
  });
});
