import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyDestinations, plainAddress } from '../../src/config/key-destinations.ts';
import { settings, toFileKey } from '../../src/config/settings.ts';
import { changeTrust, readTrusted } from '../../src/config/trusted.ts';
import { loadConfig } from '../../src/config.ts';
import { openFakeServer } from '../../src/testing/fake-http.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

const key = 'sk-the-key-of-the-person-who-works-here';
const foreign = 'https://collector.example/v1';
let folder = '';
let home = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'footnote-keys-'));
  home = join(folder, 'home');
  mkdirSync(home, { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Values = Readonly<Record<string, string>>;
const write = (name: string, values: Values): void => {
  const line = ([setting, value]: [string, string]): string =>
    name === '.env' ? `${setting}=${value}` : `${toFileKey(setting)}: ${JSON.stringify(value)}`;
  writeFileSync(join(folder, name), Object.entries(values).map(line).join('\n'));
};

/** The mistakes of a configuration; empty if it is taken. */
function mistakes(environment: Values, file?: string): readonly string[] {
  try {
    loadConfig({ folder, environment: { HOME: home, ...environment }, ...(file !== undefined && { file }) });
    return [];
  } catch (error) {
    return (error as { details: { mistakes: string[] } }).details.mistakes;
  }
}

const used = keyDestinations.filter(
  ({ key: name, address }) => address !== undefined && !settings.find((setting) => setting.name === name)?.unused,
) as readonly { readonly key: string; readonly address: string }[];
const files = ['.env', 'footnote.yaml', 'other.yaml'];
const cases = used.flatMap((row) => files.map((file) => ({ ...row, file })));

describe('a key of the environment', () => {
  it('has a row for where it goes, whichever key it is', () => {
    const secrets = settings.flatMap(({ name, secret }) => (secret ? [name] : []));
    expect(keyDestinations.map(({ key: name }) => name).toSorted()).toEqual(secrets.toSorted());
    const addresses = settings.flatMap(({ name }) => (/_(?:URL|ENDPOINT)$/u.test(name) ? [name] : []));
    const keyed = keyDestinations.flatMap(({ address }) => address ?? []);
    // The address of a database holds its own password. A SearXNG is one's own and asks for no key; nothing is sent to where links lead,
    // and no secret to an issuer.
    expect(
      [
        ...keyed,
        ...['SEARXNG_URL', 'FOOTNOTE_PUBLIC_URL', 'FOOTNOTE_DATABASE_URL', 'DATABASE_URL', 'FOOTNOTE_OIDC_KEYS_URL'],
      ].toSorted(),
    ).toEqual(addresses.toSorted());
  });

  it.each(cases)('$key goes to no address of $file', ({ key: name, address, file }) => {
    write(file, { [address]: foreign });
    // A file that .env names is of the same author; one that was named by the person is a file all the same.
    if (file === 'other.yaml') write('.env', { FOOTNOTE_CONFIG: file });
    const [mistake, ...more] = mistakes({ [name]: key });
    expect(more).toEqual([]);
    expect(mistake).toContain(`${file}:1: ${address} would send the ${name} of your environment to ${foreign}`);
    expect(mistake).toContain(`"footnote models trust ${foreign}"`);
    expect(mistake).not.toContain(key);
    if (file === 'other.yaml') expect(mistakes({ [name]: key, FOOTNOTE_CONFIG: file })).toHaveLength(1);
    if (file === 'other.yaml') expect(mistakes({ [name]: key }, file)).toHaveLength(1);
  });

  it.each(cases)('$key goes where the environment says, whatever $file says', ({ key: name, address, file }) => {
    write(file, { [address]: foreign });
    if (file === 'other.yaml') write('.env', { FOOTNOTE_CONFIG: file });
    expect(mistakes({ [name]: key, [address]: 'https://mine.example/v1' })).toEqual([]);
  });

  it.each(cases)('$key of .env is of the same author as an address of $file', ({ key: name, address, file }) => {
    write('.env', { [name]: 'sk-of-the-file', FOOTNOTE_CONFIG: 'footnote.yaml', [address]: 'http://127.0.0.1:1/v1' });
    write('footnote.yaml', file === '.env' ? { FOOTNOTE_PORT: '1' } : { [address]: foreign });
    expect(mistakes({})).toEqual([]);
    // The same files, and a key of the person, which comes before that of the file.
    expect(mistakes({ [name]: key })).toHaveLength(1);
  });

  it('takes what uses no key', () => {
    write('.env', { OPENAI_BASE_URL: foreign, SUPER_MIND_BASE_URL: foreign });
    expect(mistakes({ ANTHROPIC_API_KEY: key, AZURE_OPENAI_API_KEY: key })).toEqual([]);
    expect(mistakes({ SUPER_MIND_API_KEY: key })).toHaveLength(1);
  });

  it('names every key at once', () => {
    write('.env', Object.fromEntries(used.map(({ address }) => [address, foreign])));
    expect(mistakes(Object.fromEntries(used.map(({ key: name }) => [name, key])))).toHaveLength(used.length);
  });

  it.each([
    ['OPENAI_BASE_URL', 'https://api.openai.com/v1'],
    ['OPENAI_BASE_URL', 'https://eu.api.openai.com/v1/'],
    ['OPENAI_BASE_URL', 'https://API.openai.com:443'],
    ['AZURE_OPENAI_ENDPOINT', 'https://team-1.openai.azure.com'],
    ['AZURE_OPENAI_ENDPOINT', 'https://team.openai.azure.us/openai/v1'],
    ['AZURE_OPENAI_ENDPOINT', 'https://team.cognitiveservices.azure.com'],
    ['AZURE_OPENAI_ENDPOINT', 'https://team.services.ai.azure.com'],
    ['AZURE_OPENAI_ENDPOINT', 'https://westeurope.api.cognitive.microsoft.com'],
    ['BRAVE_BASE_URL', 'https://api.search.brave.com/'],
    ['TAVILY_BASE_URL', 'https://api.tavily.com'],
  ])('goes to its vendor: %s %s', (address, value) => {
    write('.env', { [address]: value });
    expect(mistakes({ [used.find((row) => row.address === address)?.key ?? '']: key })).toEqual([]);
  });

  it.each([
    ['OPENAI_BASE_URL', 'http://api.openai.com/v1'],
    ['OPENAI_BASE_URL', 'https://api.openai.com:8443/v1'],
    ['OPENAI_BASE_URL', 'https://api.openai.com.collector.example/v1'],
    ['OPENAI_BASE_URL', 'https://api.openai.com@collector.example/v1'],
    ['OPENAI_BASE_URL', 'https://collector.example/api.openai.com'],
    ['OPENAI_BASE_URL', 'https://xapi.openai.com/v1'],
    ['OPENAI_BASE_URL', 'https://a.b.api.openai.com/v1'],
    ['OPENAI_BASE_URL', 'https://api.openai.com./v1'],
    ['OPENAI_BASE_URL', 'https://team.openai.azure.com/openai/v1'],
    ['OPENAI_BASE_URL', 'http://127.0.0.1:11434/v1'],
    ['AZURE_OPENAI_ENDPOINT', 'https://api.openai.com/v1'],
    ['AZURE_OPENAI_ENDPOINT', 'https://collector.azure-api.net'],
    ['AZURE_OPENAI_ENDPOINT', 'https://collector.azurewebsites.net'],
    ['AZURE_OPENAI_ENDPOINT', 'https://a.openai.azure.com.collector.example'],
    ['AZURE_OPENAI_ENDPOINT', 'https://openai.azure.com'],
    ['RERANK_BASE_URL', 'https://api.openai.com/v1'],
    ['BRAVE_BASE_URL', 'https://api.search.brave.com.collector.example'],
    ['TAVILY_BASE_URL', 'http://api.tavily.com'],
  ])('does not go to what only looks like its vendor: %s %s', (address, value) => {
    write('.env', { [address]: value });
    expect(mistakes({ [used.find((row) => row.address === address)?.key ?? '']: key })).toHaveLength(1);
  });

  it('shows neither password nor query of the address, and a command that a shell takes as it is meant', () => {
    write('.env', { OPENAI_BASE_URL: "https://me:hush@collector.example/v1;$(id)'x?token=hush" });
    const [mistake = ''] = mistakes({ OPENAI_API_KEY: key });
    expect(mistake).not.toContain('hush');
    expect(mistake).toContain(`"footnote models trust 'https://collector.example/v1;$(id)'\\''x'"`);
  });
});

describe('a confirmed address', () => {
  it('is kept in the folder of the user, for this address alone, until it is taken back', () => {
    write('.env', { OPENAI_BASE_URL: `${foreign}/` });
    const { file } = changeTrust(foreign, true, { home });
    expect(file).toBe(join(home, '.config/footnote/trusted-addresses.json'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(mistakes({ OPENAI_API_KEY: key })).toEqual([]);
    for (const other of [
      'https://collector.example',
      `${foreign}/other`,
      'http://collector.example/v1',
      'https://collector.example:8443/v1',
    ]) {
      write('.env', { OPENAI_BASE_URL: other });
      expect(mistakes({ OPENAI_API_KEY: key }), other).toHaveLength(1);
    }
    write('.env', { OPENAI_BASE_URL: foreign });
    expect(changeTrust(foreign, true, { home })).toMatchObject({ isChanged: false, addresses: [foreign] });
    expect(changeTrust(`${foreign}/`, false, { home })).toMatchObject({ isChanged: true, addresses: [] });
    expect(mistakes({ OPENAI_API_KEY: key })).toHaveLength(1);
  });

  it('is not taken from the working directory, the data folder, or a home that .env names', () => {
    const text = JSON.stringify({ addresses: [foreign] });
    for (const place of ['.config/footnote', '.footnote', '.footnote/.config/footnote', '.']) {
      mkdirSync(join(folder, place), { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, place, 'trusted-addresses.json'), text);
    }
    write('.env', { OPENAI_BASE_URL: foreign, HOME: folder, XDG_CONFIG_HOME: folder, FOOTNOTE_DATA: folder });
    expect(mistakes({ OPENAI_API_KEY: key })).toHaveLength(1);
  });

  it('counts for nothing where others could have written it', () => {
    write('.env', { OPENAI_BASE_URL: foreign });
    changeTrust(foreign, true, { home });
    const own = join(home, '.config/footnote');
    for (const mode of [0o770, 0o707]) {
      chmodSync(own, mode);
      expect(mistakes({ OPENAI_API_KEY: key })).toHaveLength(1);
      expect(() => changeTrust('https://other.example', true, { home })).toThrow(/0700/u);
    }
    const linked = join(folder, 'linked');
    mkdirSync(join(linked, '.config'), { recursive: true });
    chmodSync(own, 0o700);
    symlinkSync(own, join(linked, '.config/footnote'));
    expect(readTrusted({ home: linked }).addresses).toEqual([]);
    expect(mistakes({ OPENAI_API_KEY: key })).toEqual([]);
    writeFileSync(join(own, 'trusted-addresses.json'), '{"addresses": "all"}');
    expect(() => loadConfig({ folder, environment: { HOME: home, OPENAI_API_KEY: key } })).toThrow(/Remove it/u);
  });

  it('is compared by scheme, host, port and path', () => {
    expect(plainAddress('HTTPS://Me:x@Host.Example:443//a//?q=1#h')).toBe('https://host.example//a');
    for (const none of ['', 'collector.example', 'ftp://x', 'file:///etc', 'https://']) {
      expect(plainAddress(none), none).toBeUndefined();
      expect(() => changeTrust(none, true, { home })).toThrow(/http/u);
    }
  });
});

describe('the program in a folder of somebody else', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await openWorkplace();
  });
  afterEach(() => place.remove());

  it('sends no key to an address or a proxy of .env, says what to do, and goes on once that is done', async () => {
    const collector = await openFakeServer(() => ({ status: 401, chunks: ['{}'] }));
    const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy'];
    const lines = [
      `OPENAI_BASE_URL=${collector.address}/v1`,
      `RERANK_BASE_URL=${collector.address}`,
      'MODEL_RERANK=service:any',
      'MODEL_ANSWER=compatible:any',
      'MODEL_EMBED=compatible:any',
      'NODE_USE_ENV_PROXY=1',
      ...proxies.map((name) => `${name}=${collector.address}`),
    ];
    writeFileSync(join(place.folder, '.env'), lines.join('\n'));
    const env = { OPENAI_API_KEY: key, RERANK_API_KEY: key, HOME: home };
    for (const words of [['models', 'test'], ['ask', 'Who?'], ['serve', '--port', '0'], ['doctor'], ['reindex']]) {
      const { code, err } = await place.run(words, { env });
      expect([words, code, err]).toEqual([
        words,
        11,
        expect.stringContaining('"footnote models trust http://127.0.0.1:'),
      ]);
    }
    expect(collector.requests).toEqual([]);
    // To an address that the environment names the key goes straight: what .env says of proxies is nobody's.
    const mine = await openFakeServer(() => ({ status: 401, chunks: ['{}'] }));
    const own = { ...env, OPENAI_BASE_URL: `${mine.address}/v1`, RERANK_BASE_URL: mine.address };
    expect((await place.run(['models', 'test'], { env: own })).code).toBe(1);
    expect(mine.requests.length).toBeGreaterThan(0);
    expect(collector.requests).toEqual([]);
    for (const address of [`${collector.address}/v1`, collector.address])
      expect((await place.run(['models', 'trust', address], { env })).code).toBe(0);
    expect((await place.run(['models', 'trust', '--json'], { env })).json()).toEqual({
      addresses: [`${collector.address}/v1`, collector.address],
    });
    expect((await place.run(['models', 'test'], { env })).code).toBe(1);
    expect(collector.requests.length).toBeGreaterThan(0);
    expect(readFileSync(join(home, '.config/footnote/trusted-addresses.json'), 'utf8')).not.toContain(key);
    await Promise.all([collector.close(), mine.close()]);
  }, 60_000);
});
