// `footnote reindex` as a person types it: what it would take, then the vectors of a provider beside those in use, then nothing more
// to do; and beside a running server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeEmbeddings, openFakeEmbeddings } from '../../src/testing/openai-embeddings.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

const subjects = ['otter river fish', 'engine piston oil', 'court judge appeal', 'bread yeast oven'];
const documents = 30;
const model = 'compatible:bge-m3';
let place: Workplace;
let fake: FakeEmbeddings;

/** What the program goes by from now on. */
function configure(embed: string): void {
  const lines = [
    `modelEmbed: ${embed}`,
    `openaiBaseUrl: ${fake.server.address}/v1`,
    `modelPrices: "${model} = 0.5 / 0"`,
  ];
  writeFileSync(join(place.folder, 'footnote.yaml'), `${lines.join('\n')}\n`);
}

beforeAll(async () => {
  place = await openWorkplace();
  fake = await openFakeEmbeddings(() => ({}), 32);
  mkdirSync(join(place.folder, 'docs'));
  for (let at = 0; at < documents; at++)
    writeFileSync(
      join(place.folder, `docs/${at}.md`),
      `# Note ${at}\n\nThis note speaks of ${subjects[at % subjects.length]} and of number ${at}.\n`,
    );
  configure('corpus');
  const { code, err } = await place.run(['ingest', 'docs']);
  expect([code, err]).toEqual([0, expect.anything()]);
});
afterAll(async () => {
  await place.remove();
  await fake.close();
});

describe('footnote reindex', () => {
  it('--dry-run says what another model would take, and asks the provider for the length of its vectors alone', async () => {
    const { code, out, err } = await place.run(['reindex', '--dry-run', '--model', model]);
    expect([code, fake.texts()]).toEqual([0, ['text']]);
    expect(out).toMatch(/^Model +compatible:bge-m3 \(vectors compatible:bge-m3@32:plain:unit\)$/mu);
    expect(out).toMatch(/^Chunks +30: 0 have their vector, 0 need no call, 30 to embed$/mu);
    expect(out).toMatch(/^Tokens +[\d,]+ in 1 call$/mu);
    expect(out).toMatch(/^Cost +\$0\.000\d by MODEL_PRICES$/mu);
    expect(out).toMatch(/^Time +about 1 s at 128 texts a second \(assumed\)$/mu);
    expect(err).toContain('Nothing was embedded');
  });

  it('makes no vectors that the next program would drop, and says what to set', async () => {
    const asked = fake.server.requests.length;
    const { code, err } = await place.run(['reindex', '--model', model]);
    expect([code, fake.server.requests.length]).toEqual([2, asked]);
    expect(err).toContain(`Set MODEL_EMBED to ${model}`);
  });

  it('makes them of the configured model, once', async () => {
    configure(model);
    const first = await place.run(['reindex', '--json']);
    expect([first.code, first.json()]).toEqual([
      0,
      expect.objectContaining({
        dryRun: false,
        estimate: expect.objectContaining({ chunks: documents, embedded: 0, texts: documents }),
      }),
    ]);
    const asked = fake.texts().filter((text) => text.includes('This note')).length;
    expect(asked).toBe(documents);
    const second = await place.run(['reindex', '--json']);
    expect(second.json().estimate).toMatchObject({ state: 'active', embedded: documents, texts: 0 });
    expect(fake.texts().filter((text) => text.includes('This note'))).toHaveLength(documents);
    const { out } = await place.run(['search', 'this note speaks of otter river fish', '--mode', 'vector', '--json']);
    expect(JSON.parse(out).results[0].text).toContain('otter river fish');
  });

  it('leaves the work to a server that runs, and cannot estimate beside it', async () => {
    const { stop } = await place.serve();
    const dry = await place.run(['reindex', '--dry-run']);
    expect([dry.code, dry.err]).toEqual([13, expect.stringContaining('Stop the server first')]);
    const { code, out, err } = await place.run(['reindex']);
    expect([code, err]).toEqual([0, expect.stringMatching(/A server \(pid \d+\) owns the data/u)]);
    expect(out).toContain('Searches by meaning go by compatible:bge-m3@32:plain:unit.');
    await stop();
  });

  it('of a provider that is not configured says what is missing', async () => {
    const { code, err } = await place.run(['reindex', '--dry-run', '--model', 'azure:mine']);
    expect([code, err]).toEqual([11, expect.stringContaining('AZURE_OPENAI_API_KEY and AZURE_OPENAI_ENDPOINT')]);
  });
});
