// Servers of models on this machine: told by what they list, and whatever else stands at their ports costs the time of one look and nothing more.
import { afterEach, describe, expect, it } from 'vitest';
import { findServers, type Ports, serverNames } from '../../../src/models/hub/found.ts';
import { openFakeServer, type Wire } from '../../../src/testing/fake-http.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const json = (value: unknown): Wire => ({
  headers: { 'content-type': 'application/json' },
  chunks: [JSON.stringify(value)],
});
const listOf = (owner: string, ...ids: string[]): Wire =>
  json({ object: 'list', data: ids.map((id) => ({ id, object: 'model', owned_by: owner })) });

async function serve(answer: Wire | ((path: string) => Wire)) {
  const server = await openFakeServer(({ path }) => (typeof answer === 'function' ? answer(path) : answer));
  closers.push(server.close);
  return { ...server, port: Number(new URL(server.address).port) };
}
/** Nothing listens at port 9 of this machine. */
const nowhere: Ports = Object.fromEntries(serverNames.map((name) => [name, 9]));

describe('servers on this machine', () => {
  it('are told by their own lists, and by who owns what they list', async () => {
    const ollama = await serve((path) =>
      path === '/api/tags'
        ? json({ models: [{ name: 'qwen3:4b', size: 1 }, { name: 'nomic-embed-text:latest' }] })
        : { status: 404, chunks: ['{}'] },
    );
    const studio = await serve((path) =>
      path === '/api/v0/models'
        ? json({ data: [{ id: 'gemma-3-4b', type: 'llm', state: 'loaded' }] })
        : listOf('organization_owner', 'gemma-3-4b'),
    );
    const llama = await serve(
      json({ models: [{ name: 'qwen3.gguf' }], data: [{ id: 'qwen3.gguf', owned_by: 'llamacpp' }] }),
    );
    const vllm = await serve(listOf('vllm', 'Qwen/Qwen3-8B'));
    const ports = { ollama: ollama.port, lmstudio: studio.port, llamacpp: llama.port, vllm: vllm.port };
    expect(await findServers({ ports, waitMs: 60_000 })).toEqual([
      { name: 'ollama', title: 'Ollama', address: `${ollama.address}/v1`, models: ['qwen3:4b'] },
      { name: 'lmstudio', title: 'LM Studio', address: `${studio.address}/v1`, models: ['gemma-3-4b'] },
      { name: 'llamacpp', title: 'llama.cpp', address: `${llama.address}/v1`, models: ['qwen3.gguf'] },
      { name: 'vllm', title: 'vLLM', address: `${vllm.address}/v1`, models: ['Qwen/Qwen3-8B'] },
    ]);
    for (const { requests } of [ollama, studio, llama, vllm]) expect(requests.length).toBeLessThanOrEqual(2);
  });

  it('of LM Studio are told without its own list, which older ones lack', async () => {
    const studio = await serve((path) =>
      path === '/v1/models' ? listOf('organization_owner', 'gemma') : { status: 404, chunks: ['<html>'] },
    );
    const [found] = await findServers({ ports: { ...nowhere, lmstudio: studio.port }, waitMs: 60_000 });
    expect(found).toMatchObject({ name: 'lmstudio', models: ['gemma'] });
  });

  it.each([
    ['another owner', listOf('somebody', 'model')],
    ['nonsense', { chunks: ['<html>hello</html>'] }],
    ['JSON of another kind', json({ models: 7 })],
    ['names that are none', json({ models: [{ name: 5 }], data: [{ id: '' }] })],
    [
      'only models that make vectors',
      json({ models: [{ name: 'bge-m3' }], data: [{ id: 'all-minilm', owned_by: 'vllm' }] }),
    ],
    ['an error', { status: 500, chunks: ['{}'] }],
    ['a way elsewhere', { status: 302, headers: { location: 'http://169.254.169.254/' }, chunks: [''] }],
    ['a huge body', { chunks: Array.from({ length: 64 }, () => 'x'.repeat(64 << 10)) }],
    ['a body without an end', { chunks: ['{"models":['], ending: 'hang' }],
    ['silence', { chunks: [''], delayMs: 600_000 }],
  ] as const)('are none where there is %s', async (_, wire) => {
    const server = await serve(wire);
    const from = performance.now();
    expect(await findServers({ ports: Object.fromEntries(serverNames.map((name) => [name, server.port])) })).toEqual(
      [],
    );
    // Every port at once, and no second try.
    expect(performance.now() - from).toBeLessThan(60_000);
    expect(server.requests.length).toBeLessThanOrEqual(5);
  });

  it('are none where nothing listens, or whoever asks has left', async () => {
    expect(await findServers({ ports: nowhere })).toEqual([]);
    const server = await serve(listOf('vllm', 'model'));
    expect(await findServers({ ports: { ...nowhere, vllm: server.port }, signal: AbortSignal.abort() })).toEqual([]);
  });
});
