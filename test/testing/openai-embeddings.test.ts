// The fake of OpenAI's embeddings is what OpenAI's own specification says, and so is what our adapter sends to it.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openProviderEmbeddings } from '../../src/models/embedding/provider-embeddings.ts';
import { embeddingsOf, openFakeEmbeddings } from '../../src/testing/openai-embeddings.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { schemaMistakes } from '../fakes/json-schema-check.ts';

const path = sharedData('..', 'specs', 'openai.openapi.json');
type Json = Readonly<Record<string, unknown>>;
const document = (path === undefined ? {} : JSON.parse(readFileSync(path, 'utf8'))) as Json;
const mistakesOf = (value: unknown, name: string): string[] =>
  schemaMistakes(value, { $ref: `#/components/schemas/${name}` }, document);
const request = { model: 'text-embedding-3-small', input: ['a river', 'an engine'], encoding_format: 'float' };

describe.skipIf(path === undefined)('the fake of OpenAI embeddings', () => {
  it('answers as the service does', () => {
    expect(mistakesOf(embeddingsOf(request, {}, 8), 'CreateEmbeddingResponse')).toEqual([]);
    expect(mistakesOf(embeddingsOf(request, { isReversed: true }, 8), 'CreateEmbeddingResponse')).toEqual([]);
  });

  it('would be caught otherwise', () => {
    expect(mistakesOf(embeddingsOf(request, { usage: 'none' }, 8), 'CreateEmbeddingResponse')).toEqual([
      '$: lacks usage',
    ]);
    expect(mistakesOf(embeddingsOf(request, { indexes: () => 'none' }, 8), 'CreateEmbeddingResponse')).not.toEqual([]);
  });

  it('gives the same numbers as text and as base64', () => {
    const [asNumbers, asBytes] = ['float', 'base64'].map(
      (encoding_format) =>
        embeddingsOf({ ...request, encoding_format }, {}, 8)['data'] as readonly { embedding: number[] | string }[],
    );
    const bytes = Buffer.from(String(asBytes?.[1]?.embedding), 'base64');
    const numbers = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
    expect(numbers).toEqual(asNumbers?.[1]?.embedding);
  });

  it.each([
    [{ openai: { apiKey: 'k' } }, { provider: 'openai', model: 'text-embedding-3-small', dimensions: 256 }],
    [{ azure: { apiKey: 'k', address: '' } }, { provider: 'azure', model: 'my-deployment' }],
    [
      { azure: { apiKey: 'k', address: '', apiVersion: '2024-10-21' } },
      { provider: 'azure', model: 'my-deployment', dimensions: 8 },
    ],
    [{ compatible: { address: '' } }, { provider: 'compatible', model: 'nomic-embed-text' }],
  ] as const)('gets requests in their form: %j', async (settings, reference) => {
    const fake = await openFakeEmbeddings();
    const { address } = fake.server;
    const filled = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, { ...value, address }]));
    const model = await openProviderEmbeddings({ roles: {}, ...filled }, reference, { openaiAddress: `${address}/v1` });
    await model.embed(['a river', 'an engine'], { kind: 'document' });
    expect(fake.server.requests.length).toBeGreaterThan(0);
    for (const { body } of fake.server.requests) expect(mistakesOf(body, 'CreateEmbeddingRequest')).toEqual([]);
    await model.close();
    await fake.close();
  });
});
