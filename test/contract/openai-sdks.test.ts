// The door for clients of OpenAI as providers of the AI SDK read it: what docs/doors.md says of each that it shows.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { serveOpened } from '../../testkit/serve-opened.ts';

let folder: string;
let opened: OpenedFootnote;
let server: HttpServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-sdks-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  server = await serveOpened(opened);
  opened.setAddress(server.url);
  await opened.forScope(localScope()).documents.add({
    ...{ text: 'The lighthouse of Cabo Frio is 43 metres tall [2].', uri: 'tower.md', title: 'Towers' },
    ...{ mime: 'text/markdown', source: 'handbook' },
  });
});
afterAll(async () => {
  await server.close({ deadlineMs: 1000 });
  await opened.close();
  await rm(folder, { recursive: true });
});

const asked = {
  prompt: [
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'How tall is the lighthouse of Cabo Frio?' }] },
  ],
};
const settings = () => ({ baseURL: `${server.url}/v1`, apiKey: 'any', name: 'footnote' });

type Part = { readonly type: string; readonly url?: string; readonly delta?: string; readonly text?: string };
async function partsOf(stream: ReadableStream<unknown>): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part as Part);
  return parts;
}
const textOf = (parts: readonly Part[]): string => parts.map(({ text = '', delta = '' }) => text + delta).join('');
const sourcesOf = (parts: readonly Part[]): readonly (string | undefined)[] =>
  parts.flatMap(({ type, url }) => (type === 'source' ? [url] : []));

it('gives @ai-sdk/openai the text and its sources, whole and streamed', async () => {
  const model = createOpenAI(settings()).chat('footnote');
  const { content, finishReason } = await model.doGenerate(asked);
  const { stream } = await model.doStream(asked);
  const parts = await partsOf(stream);
  for (const one of [content as readonly Part[], parts]) {
    expect(textOf(one)).toContain('43 metres tall [\u20602]. [1]');
    expect(sourcesOf(one)).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/documents\/doc_\w+\/view/u),
    ]);
  }
  expect(finishReason.unified).toBe('stop');
  expect(parts.some(({ type }) => type === 'error')).toBe(false);
});

it('gives the responses of @ai-sdk/openai the text and its sources, whole, streamed and gone on from', async () => {
  const provider = createOpenAI(settings());
  const model = provider.responses('footnote');
  const { content, finishReason } = await model.doGenerate(asked);
  const { stream } = await model.doStream(asked);
  const parts = await partsOf(stream);
  for (const one of [content as readonly Part[], parts]) {
    expect(textOf(one)).toContain('43 metres tall [\u20602]. [1]');
    expect(sourcesOf(one)).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/documents\/doc_\w+\/view/u),
    ]);
  }
  expect(finishReason.unified).toBe('stop');
  expect(parts.some(({ type }) => type === 'error')).toBe(false);

  const tools = [provider.tools.fileSearch({ vectorStoreIds: ['vs_handbook'] })].map(({ id, args, type }) => ({
    ...{ type: type as 'provider', id: id as 'openai.file_search', name: 'file_search', args },
  }));
  const searched = await model.doGenerate({
    ...asked,
    tools,
    providerOptions: { openai: { include: ['file_search_call.results'] } },
  });
  expect(searched.content.find(({ type }) => type === 'tool-result')).toMatchObject({
    toolName: 'file_search',
    result: { results: [{ filename: 'tower.md', text: expect.stringContaining('43 metres') as string }] },
  });

  // What was said before comes as a reference to the item.
  const [said] = content.filter(({ type }) => type === 'text');
  const prompt = [
    ...asked.prompt,
    {
      role: 'assistant' as const,
      content: [{ type: 'text' as const, text: '', providerOptions: said?.providerMetadata ?? {} }],
    },
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'and where is it?' }] },
  ];
  const { content: second, request } = await model.doGenerate({ prompt });
  expect(JSON.stringify(request?.body)).toContain('item_reference');
  expect(textOf(second as readonly Part[])).toContain('Cabo Frio');
});

it('gives @ai-sdk/openai-compatible, which keeps the text alone, links in it', async () => {
  const model = createOpenAICompatible(settings()).chatModel('footnote:links');
  const { content } = await model.doGenerate(asked);
  const parts = await partsOf((await model.doStream(asked)).stream);
  for (const one of [content as readonly Part[], parts]) {
    expect(textOf(one)).toMatch(/\[\[\u20601\]\]\(http:\/\/127\.0\.0\.1:\d+\/v1\/documents\//u);
    expect(sourcesOf(one)).toEqual([]);
  }
});
