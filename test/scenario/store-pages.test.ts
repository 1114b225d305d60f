// The pages of the hosted stores are tried: from an empty account to the first cited answer, with the settings and commands that each page shows, in their
// order, against the stand-ins. A vendor's own commands (az, gcloud) are not run; what an address or a key is in the stand-in stands here.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import { openFirestoreRest } from '../../testkit/firestore-rest.ts';
import { openOpenaiSimulator, simulatorKey } from '../../testkit/openai/openai-simulator.ts';
import { openWordEmbeddings } from '../../testkit/word-embeddings.ts';
import { openWorkplace } from '../cli/footnote-process.ts';
import { readText } from '../source-files.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Account {
  /** In place of what the page leaves to the reader, and what points at the stand-in. */
  readonly instead: Readonly<Record<string, string>>;
  /** Texts that the service holds. */
  held(): readonly string[];
  /** How often it was searched. */
  searches(): number;
}

async function wordModel(): Promise<Record<string, string>> {
  const embeddings = await openWordEmbeddings();
  closing.push(embeddings.close);
  return { OPENAI_BASE_URL: embeddings.address, OPENAI_API_KEY: 'sk-of-the-test', MODEL_EMBED: 'compatible:words' };
}

const accounts: Readonly<Record<string, () => Promise<Account>>> = {
  async openai() {
    const simulator = await openOpenaiSimulator();
    closing.push(simulator.close);
    return {
      instead: { OPENAI_API_KEY: simulatorKey, OPENAI_BASE_URL: simulator.address },
      held: () => [...simulator.state.files.values()].map(({ text }) => text),
      searches: () => simulator.calls.filter(({ name }) => name === 'search').length,
    };
  },
  async azure() {
    const azure = await openAzureSearch();
    closing.push(azure.close);
    return {
      instead: {
        AZURE_SEARCH_ENDPOINT: azure.address,
        AZURE_SEARCH_API_KEY: azure.apiKey,
        ...(await wordModel()),
      },
      held: () => azure.rows('footnote').map((row) => String(row['text'])),
      searches: () => azure.server.requests.filter(({ body }) => body.includes('"vectorQueries"')).length,
    };
  },
  async firestore() {
    const service = await openFirestoreRest();
    closing.push(service.close);
    return {
      instead: { FIRESTORE_PROJECT_ID: 'demo', FIRESTORE_EMULATOR_HOST: service.host, ...(await wordModel()) },
      held: () => [...service.documents('footnote').values()].map(({ text }) => String(text)),
      searches: () => service.server.requests.filter(({ body }) => body.includes('findNearest')).length,
    };
  },
};

interface Page {
  readonly settings: Readonly<Record<string, string>>;
  /** Words of each command of Footnote. */
  readonly commands: readonly (readonly string[])[];
}

/** What the section about the first answer shows. */
function pageOf(store: string): Page {
  const page = readText(`docs/stores/${store}.md`);
  const section = /^## From an empty account to the first cited answer\n([\s\S]*?)^## /mu.exec(page)?.[1] ?? '';
  const lines = [...section.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gmu)]
    .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/gu, '').split('\n'))
    .map((line) => line.trim());
  const settings = lines
    .filter((line) => line.startsWith('export '))
    .flatMap((line) => line.slice('export '.length).split(' '))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);
  const commands = lines
    .filter((line) => line.startsWith('footnote '))
    .map((line) => [...line.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, word]) => quoted ?? word ?? '').slice(1));
  return { settings: Object.fromEntries(settings), commands };
}

describe.each(Object.entries(accounts))('docs/stores/%s.md', (store, open) => {
  it('leads from an empty account to an answer that cites what the store found', async () => {
    const { instead, held, searches } = await open();
    const { settings, commands } = pageOf(store);
    expect(commands.map(([name]) => name)).toEqual(expect.arrayContaining(['ingest', 'stores', 'ask']));
    // The page names what the stand-in has another value of, but its address.
    for (const name of Object.keys(instead))
      if (!/OPENAI_BASE_URL|EMULATOR/u.test(name)) expect(Object.keys(settings)).toContain(name);
    const place = await openWorkplace();
    closing.push(place.remove);
    await mkdir(join(place.folder, 'handbook'));
    const text = 'The notice period is three months to the end of a quarter. Holidays are thirty days a year.\n';
    await writeFile(join(place.folder, 'handbook', 'contract.md'), text);
    // What a machine that does other things needs to load a vendor's client is no part of the page.
    const env = {
      ...settings,
      ...instead,
      MODEL_ANSWER: 'none',
      STORE_SEARCH_TIMEOUT_MS: '30000',
      EMBEDDING_TIMEOUT_MS: '30000',
    };
    const said = new Map<string, string>();
    for (const words of commands) {
      const { code, out, err } = await place.run(words, { env });
      expect(code, `footnote ${words.join(' ')}: ${err}`).toBe(0);
      said.set(words.slice(0, 2).join(' '), out);
    }
    expect(said.get('stores status')).toMatch(new RegExp(`^${store} +ok +1 document.*100\\.0 % of the corpus`, 'mu'));
    expect(said.get('ask --mode')).toMatch(/three months[^\n]*\[1\]/u);
    expect(held().join('')).toContain('three months');
    // What comes with Footnote is not sent.
    expect(held().join('').length).toBeLessThan(text.length * 2);
    expect(searches()).toBeGreaterThan(0);
    const found = await place.run(['search', '--mode', 'vector', '--json', text.trim()], { env });
    expect(found.json().degraded).toEqual([]);
    expect(found.json().results[0]).toMatchObject({ stores: [store] });
  });
});
