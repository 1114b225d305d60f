import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import {
  examineConfig,
  examineEncoder,
  examineFolder,
  examineModels,
  examineParsers,
  examineRuntime,
} from '../../src/footnote/doctor.ts';
import type { ParserPool } from '../../src/ingest/read/parse.ts';
import { missingWalls } from '../../src/ingest/read/sandbox.ts';
import { createStandInEncoder } from '../models/encoder/stand-in-encoder.ts';
import { root } from '../source-files.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-doctor-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('doctor', () => {
  it('knows which Node and which SQLite are too old', () => {
    const of = (node: string, sqlite: string) =>
      examineRuntime({ ...process.versions, node, sqlite }).map(({ state }) => state);
    expect(of('24.0.0', '3.51.3')).toEqual(['ok', 'ok']);
    expect(of('22.19.0', '3.53.0')).toEqual(['problem', 'ok']);
    expect(of('25.1.0', '3.51.2')).toEqual(['ok', 'problem']);
    expect(of('24.0.0', '3.46.1')).toEqual(['ok', 'problem']);
  });

  it('looks at the data folder, there or not', async () => {
    await chmod(folder, 0o700);
    expect((await examineFolder(folder)).map(({ state }) => state)).toEqual(['ok', 'ok']);
    const [missing] = await examineFolder(join(folder, 'a/b'));
    expect(missing).toMatchObject({ state: 'ok', detail: expect.stringContaining('can be made') });
    await chmod(folder, 0o755);
    const open = (await examineFolder(folder)).find(({ state }) => state === 'warning');
    expect(open?.advice).toBe(`Run: chmod 700 ${folder}`);
  });

  it('names settings that have no effect', () => {
    const config = loadConfig({ folder, environment: { FOOTNOTE_PORT: '1', SEMANTIC_MEMORY_DB_PATH: 'x' } });
    const findings = examineConfig(config);
    expect(findings[0]?.detail).toBe('2 settings given');
    expect(findings.slice(1).map(({ detail }) => detail)).toEqual([
      'SEMANTIC_MEMORY_DB_PATH (environment) is not used by this version.',
    ]);
  });

  it('says that words of documents may leave for the web, where they may', () => {
    const areas = (value: string): string[] =>
      examineConfig(loadConfig({ folder: '/', environment: { ENABLE_WEB_SEARCH_ANY_WORDS: value } })).map(
        ({ area }) => area,
      );
    expect(areas('true')).toContain('web search');
    expect(areas('false')).not.toContain('web search');
  });

  it('runs the encoder, and names the command that repairs one that does not run', async () => {
    const of = (environment: Readonly<Record<string, string>>) => loadConfig({ folder: '/', environment });
    expect(await examineEncoder(of({ ENCODER: 'off' }))).toMatchObject([{ state: 'ok' }]);
    let isClosed = false;
    const encoder = {
      ...createStandInEncoder(),
      warm: async () => undefined,
      close: async () => {
        isClosed = true;
      },
    };
    expect(await examineEncoder(of({}), async () => encoder)).toMatchObject([
      { area: 'encoder', state: 'ok', detail: expect.stringContaining('stand-in') },
    ]);
    expect(isClosed).toBe(true);
    const died = {
      ...encoder,
      encodeQuery: async () => Promise.reject(new FootnoteError('upstream-unavailable', 'It died.')),
    };
    expect(await examineEncoder(of({}), async () => died)).toMatchObject([
      { state: 'warning', detail: expect.stringContaining('It died.'), advice: expect.stringContaining('npm install') },
    ]);
  });

  it('names steps that are on and have no model', () => {
    const areas = (environment: Record<string, string>): string[] =>
      examineModels(loadConfig({ folder: '/', environment })).map(({ area }) => area);
    const steps = { ENABLE_CRITIC: 'true', ENABLE_MULTI_AGENT: 'true' };
    expect(areas({})).toEqual(['models']);
    expect(areas(steps)).toEqual(['models', 'critic', 'team']);
    expect(areas({ ENABLE_ASSESSMENT: 'true' })).toEqual(['models', 'assessment']);
    const keyed = { ...steps, OPENAI_API_KEY: 'sk-test', MODEL_CRITIC: 'openai:gpt-5.2' };
    expect(areas(keyed)).toEqual(['models']);
  });

  it('names the kinds of files that cannot be read here, and closes the pool', async () => {
    let isClosed = false;
    const pool: ParserPool = {
      async parse({ name }) {
        if (name.endsWith('.pdf')) throw new FootnoteError('internal', 'The library is missing.');
        return {} as never;
      },
      async close() {
        isClosed = true;
      },
    };
    const findings = await examineParsers(pool, []);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ state: 'problem', detail: expect.stringContaining('.pdf') });
    expect(isClosed).toBe(true);
  });

  it('reads a sample of every kind with the real parsers', async () => {
    const walls = missingWalls();
    const found = (await examineParsers()).map(({ state, detail }) => `${state} ${detail}`);
    expect(found[0]).toBe('ok read samples of .md .html .csv .json .ts .py .pdf');
    expect(found).toHaveLength(walls.length === 0 ? 1 : 2);
  });

  it('says which walls around parsers the system does not offer, as in a container', async (context) => {
    const walls = `console.log(JSON.stringify((await import('./src/ingest/read/sandbox.ts')).missingWalls()))`;
    const script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" --input-type=module --eval "$1"';
    const { status, stdout } = spawnSync(
      'unshare',
      ['--user', '--map-root-user', 'sh', '-c', script, process.execPath, walls],
      { cwd: root, encoding: 'utf8' },
    );
    if (status !== 0) return context.skip('this system makes no user namespaces');
    expect(JSON.parse(stdout)).toEqual(['a network namespace (unshare)']);
    const pool: ParserPool = { parse: async () => ({}) as never, close: async () => undefined };
    expect(await examineParsers(pool, JSON.parse(stdout))).toEqual([
      expect.objectContaining({ state: 'ok' }),
      expect.objectContaining({
        area: 'parsers',
        state: 'warning',
        detail: expect.stringContaining('does not lock parsers up with a network namespace (unshare)'),
        advice: expect.stringContaining('Containers'),
      }),
    ]);
  });
});
