import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settings, toFileKey } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'footnote-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const load = (environment: Record<string, string> = {}, flags: Record<string, { value: string; place: string }> = {}) =>
  loadConfig({ folder, environment, flags });

function mistakes(environment: Record<string, string> = {}): readonly string[] {
  try {
    load(environment);
  } catch (error) {
    return (error as { details: { mistakes: string[] } }).details.mistakes;
  }
  return [];
}

describe('loadConfig', () => {
  it('has a default for everything that is needed', () => {
    expect(load()).toMatchObject({
      data: join(folder, '.footnote'),
      host: '127.0.0.1',
      port: 4180,
      defaultMode: 'hybrid',
      chunking: { maxTokens: 1000, overlapTokens: 100, minTokens: 100 },
      contextMaxTokens: undefined,
    });
  });

  it('puts .env over the file, the environment over .env, and flags over all', () => {
    file('footnote.yaml', 'port: 1001\nhost: 127.0.0.2\ndata: from-file\nchunkMaxTokens: 500\n');
    file('.env', 'FOOTNOTE_PORT=1002\nFOOTNOTE_HOST=127.0.0.3\nFOOTNOTE_DATA=from-env-file\n');
    const config = load(
      { FOOTNOTE_PORT: '1003', FOOTNOTE_HOST: '127.0.0.4' },
      { FOOTNOTE_PORT: { value: '1004', place: '--port' } },
    );
    expect(config).toMatchObject({
      port: 1004,
      host: '127.0.0.4',
      data: join(folder, 'from-env-file'),
      chunking: { maxTokens: 500 },
    });
    expect(config.effective.find(({ name }) => name === 'CHUNK_MAX_TOKENS')?.origin).toBe('footnote.yaml:4');
    expect(config.effective.find(({ name }) => name === 'FOOTNOTE_DATA')?.origin).toBe('.env:3');
  });

  it('does not let .env change the process', () => {
    file('.env', 'FOOTNOTE_SOMETHING_OF_THIS_TEST=1\n');
    load();
    expect(process.env['FOOTNOTE_SOMETHING_OF_THIS_TEST']).toBeUndefined();
  });

  it.each(['yes', 'on', 'TRUE', 'no', '2', 'enabled'])('takes %s for no boolean', (value) => {
    expect(mistakes({ LOG_QUERIES: value })).toEqual([
      `environment: LOG_QUERIES must be true, false, 1 or 0, not "${value}".`,
    ]);
  });
  it.each(['true', 'false', '1', '0'])('takes %s for a boolean', (value) => {
    expect(mistakes({ LOG_QUERIES: value })).toEqual([]);
  });

  it.each(['feedback', 'acronyms,multi-query'])('says that a way to widen queries was removed: %s', (value) => {
    expect(mistakes({ QUERY_EXPANSION: value })).toEqual([
      `environment: QUERY_EXPANSION must be none or acronyms (feedback and multi-query ranked worse and were removed: leave them out), not "${value}".`,
    ]);
  });

  it.each([
    ['http://127.0.0.1:8000/v1/chat/completions', '/chat/completions'],
    ['http://127.0.0.1:8000/v1/chat/completions/', '/chat/completions/'],
    ['https://x.openai.azure.com/openai/deployments/y/chat/completions?api-version=2024-10-21', '/chat/completions'],
    ['http://127.0.0.1:8000/v1/completions', '/completions'],
    ['https://api.openai.com/v1/responses', '/responses'],
    ['http://127.0.0.1:8000/v1/embeddings', '/embeddings'],
    ['http://127.0.0.1:8000/v1/models', '/models'],
  ])('says which end %s must not have', (address, end) => {
    for (const name of ['OPENAI_BASE_URL', 'AZURE_OPENAI_ENDPOINT'])
      expect(mistakes({ [name]: address })).toEqual([
        expect.stringContaining(`${name} must be written without ${end} at its end, which is added for each call`),
      ]);
  });
  it.each([
    'http://127.0.0.1:11434/v1',
    'http://127.0.0.1:1/models/v1',
    'https://gateway.example/chat/completions/v1/',
  ])('takes %s for the address of an API', (address) => {
    expect(mistakes({ OPENAI_BASE_URL: address })).toEqual([]);
  });

  it('reports every mistake at once with its place', () => {
    file('footnote.yaml', 'port: many\n\nprot: 1\nopenaiApiKey: sk-secret-value\nhost: [a]\n');
    file('.env', 'A=1\nDEFAULT_MODE=fast\n');
    const found = mistakes({ CHUNK_MAX_TOKENS: '7', OPENAI_BASE_URL: 'ftp://x' });
    expect(found.join('\n')).toContain('footnote.yaml:3: there is no setting "prot". Did you mean "port"?');
    expect(found.join('\n')).toContain('footnote.yaml:4: "openaiApiKey" is a secret.');
    expect(found.join('\n')).toContain('footnote.yaml:5: "host" must be one value.');
    expect(found.join('\n')).toContain('footnote.yaml:1: port must be a whole number from 0 to 65535, not "many".');
    expect(found.join('\n')).toContain('.env:2: DEFAULT_MODE must be one of embedded, vector, hybrid, not "fast".');
    expect(found.join('\n')).toContain('environment: CHUNK_MAX_TOKENS must be at least 50');
    expect(found.join('\n')).toContain('environment: OPENAI_BASE_URL must be an http or https address');
    expect(found).toHaveLength(7);
    expect(found.join('\n')).not.toContain('sk-secret-value');
  });

  it.each(['MODEL_EMBED', 'MODEL_RERANK'])('says how models of a folder are named now: %s', (name) => {
    expect(() => loadConfig({ folder, environment: { [name]: 'local:minilm' } })).toThrow(
      'onnx:<folder> (which was local:<folder> before)',
    );
    expect(() => loadConfig({ folder, environment: { [name]: 'onnx:maker/minilm' } })).not.toThrow();
  });

  it('reports broken YAML with its line, and a file that is named but not there', () => {
    file('footnote.yaml', 'port: 1\n\nhost: [a\n');
    expect(mistakes()[0]).toMatch(/^footnote\.yaml:[34]: .*Check the YAML/);
    expect(() => loadConfig({ folder, environment: {}, file: 'other.yaml' })).toThrow(
      /other\.yaml: there is no such file/,
    );
  });

  it('refuses chunk sizes that contradict one another', () => {
    expect(mistakes({ CHUNK_MAX_TOKENS: '100', CHUNK_OVERLAP_TOKENS: '80' })).toHaveLength(1);
    expect(mistakes({ CHUNK_MAX_TOKENS: '100', CHUNK_OVERLAP_TOKENS: '10', CHUNK_MIN_TOKENS: '200' })).toHaveLength(1);
  });

  it('never carries a secret', () => {
    const config = load({ OPENAI_API_KEY: 'sk-secret-value' });
    expect(JSON.stringify(config)).not.toContain('sk-secret-value');
    expect(config.effective.find(({ name }) => name === 'OPENAI_API_KEY')).toMatchObject({
      value: '(set)',
      unused: false,
    });
  });

  it('is frozen', () => {
    expect(Object.isFrozen(load())).toBe(true);
  });
});

describe('settings', () => {
  it('have names of their own, in the environment and in the file, and defaults that hold', () => {
    expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
    // A secret is refused in a file, whichever of two it may be.
    const filed = settings.filter(({ secret }) => !secret);
    expect(new Set(filed.map(({ name }) => toFileKey(name))).size).toBe(filed.length);
    for (const { name, schema, default: value } of settings)
      if (value !== undefined) expect(schema.safeParse(value).success, name).toBe(true);
  });
});
