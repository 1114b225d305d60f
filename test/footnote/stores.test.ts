// Which stores beside the record a configuration makes, and what is sent to them: against OpenAI's stand-in.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { bundledSource } from '../../src/footnote/record/bundled.ts';
import { openStores } from '../../src/footnote/stores.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { type OpenaiSimulator, openOpenaiSimulator, simulatorKey } from '../../testkit/openai/openai-simulator.ts';

let folder: string;
let simulator: OpenaiSimulator;
let opened: OpenedFootnote | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-test-'));
  simulator = await openOpenaiSimulator();
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

const configOf = (environment: Record<string, string>) =>
  loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), ...environment } });
const namesOf = async (environment: Record<string, string>): Promise<string[]> => {
  const stores = await openStores(configOf(environment), () => {
    throw new Error('Nothing is asked yet.');
  });
  for (const store of stores) store.close();
  return stores.map(({ name }) => name);
};
const uploaded = (): string[] => [...simulator.state.files.values()].map(({ text }) => text);

describe('the store at OpenAI', () => {
  it('exists where its vector store or VECTOR_STORE says so, and not for a key alone', async () => {
    const key = { OPENAI_API_KEY: simulatorKey };
    expect(await namesOf({})).toEqual([]);
    expect(await namesOf(key)).toEqual([]);
    expect(await namesOf({ ...key, VECTOR_STORE: 'embedded' })).toEqual([]);
    expect(await namesOf({ ...key, OPENAI_VECTOR_STORE_ID: 'vs_abc123' })).toEqual(['openai']);
    expect(await namesOf({ ...key, VECTOR_STORE: 'openai' })).toEqual(['openai']);
  });

  it('that answers and has nothing of what was brought is told as such, with what to do', async () => {
    const config = configOf({
      OPENAI_API_KEY: simulatorKey,
      VECTOR_STORE: 'openai',
      OPENAI_BASE_URL: simulator.address,
    });
    opened = await openFootnote(config);
    const status = async () =>
      (await opened?.forScope(localScope()).stores.list())?.find(({ name }) => name === 'openai');
    const footnote = opened.forScope(localScope());
    // The documents about Footnote are never brought: with them alone nothing is missing there.
    await footnote.documents.add({ text: 'What a citation points to.', title: 'About', source: bundledSource });
    await footnote.stores.sync('openai');
    expect(await status()).toMatchObject({ status: 'ok', documents: 0 });
    await footnote.documents.add({ uri: 'heron.md', text: 'The heron waits for fish.' });
    await footnote.stores.sync('openai');
    expect(await status()).toMatchObject({ status: 'ok', documents: 1 });
    await opened.close();
    simulator.state.stores.clear();
    opened = await openFootnote(config, { withTelemetry: true });
    expect(await status()).toMatchObject({
      status: 'degraded',
      detail: expect.stringMatching(/^It is empty, and 1 document was brought to it\..*stores reconcile openai/u),
    });
    // What raises the alert says the same.
    expect(await opened.telemetry?.text()).toContain('footnote_store_up{store="openai"} 0.5');
  });

  it('that lacks documents says so with whatever it answers, until they are brought', async () => {
    opened = await openFootnote(
      configOf({ OPENAI_API_KEY: simulatorKey, VECTOR_STORE: 'openai', OPENAI_BASE_URL: simulator.address }),
    );
    const footnote = opened.forScope(localScope());
    const degraded = async () => (await footnote.search({ query: 'heron', mode: 'vector' })).degraded;
    simulator.setFault(({ name }) => (name === 'files.create' ? 429 : undefined));
    await footnote.documents.add({ uri: 'heron.md', text: 'The heron waits for fish.' });
    await opened.settle('default');
    expect(await degraded()).toContainEqual(
      expect.objectContaining({
        component: 'openai',
        code: 'not-delivered',
        effect: expect.stringContaining('not found there'),
      }),
    );
    simulator.setFault(undefined);
    await footnote.stores.sync('openai');
    expect(await degraded()).toEqual([]);
    // The documents about Footnote stay here: that they are not brought takes nothing away.
    await footnote.stores.pause('openai');
    await footnote.documents.add({ text: 'What a citation points to.', title: 'About', source: bundledSource });
    expect(await degraded()).toEqual([]);
  });

  it('can be asked in the modes vector and hybrid; whether it is, VECTOR_STORE says elsewhere', async () => {
    const named = { OPENAI_API_KEY: simulatorKey, OPENAI_VECTOR_STORE_ID: 'vs_abc123' };
    const askedOf = async (more: Record<string, string>) =>
      (await openStores(configOf({ ...named, ...more }), () => expect.unreachable())).map(({ asked, close }) => {
        close();
        return asked?.modes;
      });
    expect(await askedOf({})).toEqual([['vector', 'hybrid']]);
    expect(await askedOf({ VECTOR_STORE: 'openai' })).toEqual([['vector', 'hybrid']]);
    expect(await askedOf({ VECTOR_STORE: 'embedded' })).toEqual([['vector', 'hybrid']]);
  });

  it('is a mistake of the configuration without a key', async () => {
    await expect(namesOf({ VECTOR_STORE: 'openai' })).rejects.toMatchObject({ code: 'config-invalid' });
    await expect(namesOf({ OPENAI_VECTOR_STORE_ID: 'vs_abc123' })).rejects.toThrow(/OPENAI_API_KEY/u);
    expect(() => configOf({ OPENAI_VECTOR_STORE_ID: '../files' })).toThrow(/vs_abc123/u);
  });

  it('is brought documents and rid of them, and never those about Footnote', async () => {
    const environment = { OPENAI_API_KEY: simulatorKey, OPENAI_BASE_URL: simulator.address, VECTOR_STORE: 'openai' };
    opened = await openFootnote(configOf(environment));
    const footnote = opened.forScope(localScope());
    const [added] = await footnote.documents.add({ text: 'The heron waits at the river.', title: 'Heron' });
    await footnote.documents.add({ text: 'What a citation points to.', title: 'About', source: bundledSource });
    await footnote.stores.sync('openai');
    expect(uploaded()).toEqual(['The heron waits at the river.']);
    const listed = await footnote.stores.list();
    expect(listed.map(({ name }) => name)).toEqual(['embedded', 'openai']);
    const { data } = await footnote.stores.deliveries('openai', {});
    expect(data.map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    await footnote.documents.delete(added?.id ?? '');
    await footnote.stores.sync('openai');
    expect(uploaded()).toEqual([]);
    expect(simulator.violations).toEqual([]);
  });
});
