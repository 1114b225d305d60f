// What Azure AI Search and Entra ID say when they refuse, as whoever runs the server is told of it.
import { afterEach, expect, it } from 'vitest';
import { openAzureStores } from '../../../src/stores/azure/azure-store.ts';
import { ofStatus, toAzureError } from '../../../src/stores/azure/errors.ts';
import { openAzureSearch } from '../../../testkit/azure-search/azure-search.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const named = (name: string, cause?: unknown): Error =>
  Object.assign(new Error('ChainedTokenCredential of a VENDOR', { cause }), { name, statusCode: 400 });

it.each(['CredentialUnavailableError', 'AggregateAuthenticationError', 'AuthenticationError'])(
  'says how to sign in where Entra ID cannot: %s',
  (name) => {
    const error = toAzureError(named(name));
    expect(error).toMatchObject({ code: 'config-invalid', message: expect.stringContaining('az login') });
    expect(error.details['isFinal']).toBe(true);
    expect(error.message).not.toContain('VENDOR');
  },
);

it('says of a key that is not taken which one is wanted, whichever way the service refuses it', () => {
  for (const status of [401, 403])
    expect(ofStatus(status)).toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('Put an admin key of this service into AZURE_SEARCH_API_KEY'),
    });
});

it('tells a tier that has no room for another index from a service that is asked too fast', async () => {
  const azure = await openAzureSearch();
  const stores = openAzureStores({ endpoint: azure.address, apiKey: azure.apiKey });
  closing.push(azure.close, stores.close);
  const { document, chunks } = createWrite('A heron.', { id: 'doc_a', uri: 'a.md' });
  const ended = (): Promise<unknown> =>
    stores
      .store(scopeOf())
      .upsert([{ document, chunks }])
      .catch((thrown: unknown) => thrown);
  azure.server.fault = ({ method }) => (method === 'PUT' ? { status: 429, text: '{}' } : undefined);
  expect(await ended()).toMatchObject({ code: 'quota-exceeded', message: expect.stringContaining('index') });
  const told = { 'retry-after': '3' };
  azure.server.fault = ({ method }) => (method === 'PUT' ? { status: 429, headers: told, text: '{}' } : undefined);
  expect(await ended()).toMatchObject({ code: 'rate-limited', details: { retryAfterMs: 3000 } });
});
