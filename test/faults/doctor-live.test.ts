// footnote doctor --live against the stand-ins of every hosted store: the checks hold, what documents stand in is not touched, and the scratch place is
// gone afterwards, also where a check fails, the service is down, or somebody interrupts.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { examineLive } from '../../src/footnote/live/examine-live.ts';
import { openStores } from '../../src/footnote/stores.ts';
import { storeChecks } from '../../src/stores/conformance/conformance.ts';
import { createTrialDocument } from '../../src/stores/conformance/documents.ts';
import { type AzureSearch, openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import { type FirestoreRest, openFirestoreRest } from '../../testkit/firestore-rest.ts';
import { type OpenaiSimulator, openOpenaiSimulator, simulatorKey } from '../../testkit/openai/openai-simulator.ts';
import { temporaryFolder } from '../../testkit/record-fixture.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let openai: OpenaiSimulator;
let azure: AzureSearch;
let firestore: FirestoreRest;
let refuses: (key: string) => number | undefined = () => undefined;
let place: ReturnType<typeof temporaryFolder>;

beforeEach(async () => {
  place = temporaryFolder();
  refuses = () => undefined;
  openai = await openOpenaiSimulator();
  azure = await openAzureSearch({ refuseRow: (key) => refuses(key) });
  firestore = await openFirestoreRest({});
});
afterEach(async () => {
  await openai.close();
  await azure.close();
  await firestore.close();
  place.remove();
});

const openaiSettings = () => ({
  OPENAI_API_KEY: simulatorKey,
  OPENAI_BASE_URL: openai.address,
  VECTOR_STORE: 'openai',
});
const azureSettings = () => ({ AZURE_SEARCH_ENDPOINT: azure.address, AZURE_SEARCH_API_KEY: azure.apiKey });
const firestoreSettings = () => ({ FIRESTORE_PROJECT_ID: 'demo', FIRESTORE_EMULATOR_HOST: firestore.host });
const configOf = (environment: Readonly<Record<string, string>>) => loadConfig({ folder: place.folder, environment });
const never = new AbortController().signal;

/** All that stands in the three services, by what it stands in. */
const standing = () => ({
  openai: [...openai.state.stores.values()].map(({ name }) => name),
  files: openai.state.files.size,
  azure: azure.indexNames().map((name) => [name, azure.rows(name).length]),
  firestore: firestore
    .collections()
    .map((name) => [name, firestore.documents(name).size])
    .filter(([, size]) => size !== 0),
});

it('keeps its promises at every service, and leaves there what was there', async () => {
  const config = configOf({ ...openaiSettings(), ...azureSettings(), ...firestoreSettings() });
  const documents = [createTrialDocument('A grebe dives.')];
  for (const own of await openStores(config, () => ({ list: async () => ({ documents: [] }) }) as never)) {
    await own.open(localScope()).upsert(documents);
    own.close();
  }
  const before = standing();
  expect(before).toMatchObject({
    openai: ['footnote default'],
    azure: [['footnote', 1]],
    firestore: [['footnote', 1]],
  });
  const told: string[] = [];
  const findings = await examineLive(config, { signal: never, tell: (message) => told.push(message) });
  expect(findings).toEqual([
    { area: 'live openai', state: 'ok', detail: expect.stringMatching(/^21 of 21 promises are kept; 5 are not/) },
    { area: 'live azure', state: 'ok', detail: expect.stringMatching(/^23 of 23 promises are kept; 3 are not/) },
    { area: 'live firestore', state: 'ok', detail: expect.stringMatching(/^21 of 21 promises are kept; 5 are not/) },
  ]);
  expect(told.map((message) => /checks of (\w+) begin/.exec(message)?.[1])).toEqual(['openai', 'azure', 'firestore']);
  expect(standing()).toEqual(before);
  expect(openai.violations).toEqual([]);
});

it('says which promise is broken, and takes the scratch place away all the same', async () => {
  let rows = 0;
  refuses = () => {
    rows += 1;
    return rows % 40 === 0 ? 422 : undefined;
  };
  const [summary, ...broken] = await examineLive(configOf(azureSettings()), { signal: never });
  expect(summary).toMatchObject({ area: 'live azure', state: 'problem' });
  expect(broken.length).toBeGreaterThan(0);
  expect(
    broken.every(({ state, detail }) => state === 'problem' && storeChecks.some(({ name }) => detail.startsWith(name))),
  ).toBe(true);
  expect(azure.indexNames()).toEqual([]);
});

it('says what is wrong with a service that does not answer, once', async () => {
  const findings = await examineLive(
    configOf({ ...azureSettings(), AZURE_SEARCH_API_KEY: 'another-key-00000000000000000000' }),
    {
      signal: never,
    },
  );
  expect(findings.map(({ area, state }) => [area, state])).toEqual([
    ['live azure', 'problem'],
    ['live azure', 'problem'],
  ]);
  expect(findings[0]?.detail).toMatch(/AZURE_SEARCH_API_KEY|key/u);
  expect(findings[1]?.detail).toContain('could not be taken away');
});

it.each([1, 4])('takes the scratch place away where somebody interrupts after %i checks', async (after) => {
  for (const settings of [openaiSettings(), azureSettings(), firestoreSettings()]) {
    const controller = new AbortController();
    let ended = 0;
    const examined = examineLive(configOf(settings), {
      signal: controller.signal,
      onOutcome() {
        ended += 1;
        // While the next check is under way.
        if (ended === after) setImmediate(() => setImmediate(() => controller.abort()));
      },
    });
    await expect(examined).rejects.toMatchObject({ code: 'cancelled' });
    expect(ended).toBe(after);
  }
  expect(standing()).toEqual({ openai: [], files: 0, azure: [], firestore: [] });
});

it('says so where no store is configured', async () => {
  const findings = await examineLive(configOf({}), { signal: never });
  expect(findings).toMatchObject([{ area: 'live', state: 'warning' }]);
});

const withWorkplace = async (work: (workplace: Workplace) => Promise<void>): Promise<void> => {
  const workplace = await openWorkplace();
  try {
    await work(workplace);
  } finally {
    await workplace.remove();
  }
};

it('is a command', () =>
  withWorkplace(async ({ run }) => {
    const { code, json, err } = await run(['doctor', '--live', '--json'], { env: azureSettings() });
    expect(code, err).toBe(0);
    expect(json().findings).toContainEqual({
      area: 'live azure',
      state: 'ok',
      detail: expect.stringMatching(/^23 of 23/),
    });
    expect(azure.indexNames()).toEqual([]);
  }));

it('… that Ctrl-C ends, with nothing left behind', () =>
  withWorkplace(async ({ start }) => {
    const child = start(['doctor', '--live'], azureSettings());
    const ended = new Promise((done) => child.once('close', (code) => done(code)));
    await expect
      .poll(() => azure.indexNames().filter((name) => name.startsWith('footnote-doctor-')).length, { timeout: 60_000 })
      .toBe(1);
    child.kill('SIGINT');
    expect(await ended).not.toBe(0);
    expect(azure.indexNames().filter((name) => name.startsWith('footnote-doctor-'))).toEqual([]);
  }));
