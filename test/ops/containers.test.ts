// What ships for containers and systemd says only what the product knows: settings, ports, folders, doors and models, and its files fit one another.
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config.ts';
import { doors } from '../../src/core/scope.ts';
import { listModels } from '../../src/http/foreign/models.ts';
import { chatRequestSchema } from '../../src/operations/openai.ts';
import { startServerProcess } from '../../testkit/server-process.ts';
import { readText, root } from '../source-files.ts';

interface Composed {
  readonly image: string;
  readonly ports: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly secrets?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly mem_limit?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}
interface Compose {
  readonly services: Readonly<Record<string, Composed>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
}

const compose = parse(readText('compose.yaml')) as Compose;
const [footnote] = Object.values(compose.services) as [Composed];
const dockerfile = readText('Dockerfile');
const unit = readText('ops/systemd/footnote.service');
const known = new Set(settings.map(({ name }) => name));

/** The words of an instruction in its exec form, of the stage that runs. */
function execForm(instruction: string): readonly string[] {
  const [, words = ''] = new RegExp(`^${instruction}\\b[^[\\n]*(\\[.*\\])$`, 'mu').exec(dockerfile) ?? [];
  return JSON.parse(words) as readonly string[];
}
const imageEnvironment = Object.fromEntries(
  [...dockerfile.matchAll(/^(?:ENV | {4})([A-Z_]+)=(\S+)(?: \\)?$/gmu)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);

describe('Dockerfile', () => {
  it('sets what the product knows, and serves every address on its usual port', () => {
    const { HOME: home, ...environment } = imageEnvironment;
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    const config = loadConfig({ folder: '/', environment });
    expect(config).toMatchObject({ data: '/data', host: '0.0.0.0', port: loadConfig({ environment: {} }).port });
    expect(dockerfile).toContain(`\nVOLUME ${config.data}\nEXPOSE ${config.port}\n`);
    expect(dockerfile).toContain(`mkdir -m 700 ${config.data} ${home}`);
  });

  it('runs as nobody of the base, by words and not by a shell', () => {
    expect(dockerfile.match(/^USER .*$/gmu)).toEqual(['USER 10001:10001']);
    expect(execForm('ENTRYPOINT')).toEqual(['node', '/opt/footnote/bin/footnote.mjs']);
    expect(execForm('CMD')).toEqual(['serve']);
    expect(dockerfile).toContain('\nSTOPSIGNAL SIGTERM\n');
  });

  it('has the version of the package', () => {
    const { version, license } = JSON.parse(readText('package.json')) as { version: string; license: string };
    expect(dockerfile).toContain(`\nARG VERSION=${version}\n`);
    expect(dockerfile).toContain(`org.opencontainers.image.licenses="${license}"`);
  });

  it('sends the builder nothing but what it copies and the package is made from', () => {
    const [first, ...rest] = readText('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    const { files } = JSON.parse(readText('package.json')) as { files: readonly string[] };
    const sent = rest.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    for (const name of [
      ...files.filter((name) => !name.endsWith('dist')),
      'src',
      'packages',
      'scripts',
      'LICENSE',
      '.npmrc',
    ])
      expect(sent).toContain(name);
    expect(sent.filter((name) => /^(?:test|bench|docs|secrets|\.env|\.git|\.footnote)/u.test(name))).toEqual([]);
  });
});

describe('the health check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-health-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const check = (port: string) =>
    promisify(execFile)(process.execPath, [join(root, 'ops/healthcheck.mjs')], { env: { FOOTNOTE_PORT: port } }).then(
      () => 0,
      ({ code }: { code: number }) => code,
    );

  it('is one script, for the image and for compose', () => {
    const words = execForm('HEALTHCHECK');
    expect(words).toEqual(['node', '/opt/footnote/ops/healthcheck.mjs']);
    expect(footnote.healthcheck?.test).toEqual(['CMD', ...words]);
  });

  it('says whether a server lives', async () => {
    const server = await startServerProcess(join(folder, 'data'), { environment: { HOME: folder } });
    const { port } = new URL(server.url);
    expect(await check(port)).toBe(0);
    await server.stop();
    expect(await check(port)).toBe(1);
  });
});

describe('compose.yaml', () => {
  it('sets what the product knows, in comments too, and nothing that it refuses', () => {
    const commented = [...readText('compose.yaml').matchAll(/^ +# ([A-Z][A-Z_]+): (.*)$/gmu)];
    expect(commented.length).toBeGreaterThan(2);
    const names = [...Object.keys(footnote.environment), ...commented.map(([, name = '']) => name)];
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    for (const [, name = '', value = ''] of commented) {
      const environment = { ...imageEnvironment, ...footnote.environment, [name]: value };
      expect(() => loadConfig({ folder: '/', environment })).not.toThrow();
    }
  });

  it('reads the first key from its secret, and keeps all data in its volume', () => {
    const { bootstrapKeyFile, data, models } = loadConfig({
      folder: '/',
      environment: { ...imageEnvironment, ...footnote.environment },
    });
    expect(footnote.secrets?.map((name) => `/run/secrets/${name}`)).toEqual([bootstrapKeyFile]);
    expect(Object.values(compose.secrets ?? {})).toEqual([{ file: './secrets/admin.key' }]);
    expect(readText('.gitignore')).toContain('\nsecrets/\n');
    expect(footnote.volumes).toEqual([`${Object.keys(compose.volumes)[0]}:${data}`]);
    expect(models.folder.startsWith(`${data}/`)).toBe(true);
  });

  it('lets in who is on this machine, writes nowhere else, and takes no more memory than it says', () => {
    expect(footnote.ports).toEqual([`127.0.0.1:4180:${imageEnvironment['FOOTNOTE_PORT']}`]);
    expect(footnote).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      mem_limit: '4g',
      cap_drop: ['ALL'],
      init: true,
    });
  });
});

describe('compose.openwebui.yaml', () => {
  const source = readText('compose.openwebui.yaml');
  const { services } = parse(source) as Compose;
  const { 'open-webui': webui, ...others } = services;

  it('asks the server of compose.yaml, once that lives, with a key for this door alone', () => {
    expect(others).toEqual({});
    const [name = ''] = Object.keys(compose.services);
    expect(webui?.environment['OPENAI_API_BASE_URL']).toBe(`http://${name}:${imageEnvironment['FOOTNOTE_PORT']}/v1`);
    expect(webui?.depends_on).toEqual({ [name]: { condition: 'service_healthy' } });
    const ways = [...source.matchAll(/--doors ([a-z]+)/gu)].map(([, way]) => way);
    expect(ways.length).toBeGreaterThan(0);
    expect(ways.filter((way) => !doors.some((door) => door === way))).toEqual([]);
  });

  it('sends along what the server takes', () => {
    const { custom_params: own } = JSON.parse(webui?.environment['DEFAULT_MODEL_PARAMS'] ?? '') as {
      custom_params: object;
    };
    const messages = [{ role: 'user', content: 'How tall is it?' }];
    const asked = chatRequestSchema.parse({ model: webui?.environment['DEFAULT_MODELS'], messages, ...own });
    expect(asked.footnote).toEqual({ events: 'open-webui' });
  });

  it('names models that the server lists', async () => {
    const { data } = await listModels({ sources: { list: async () => [] } as never }, 0);
    const ids = data.map(({ id }) => id);
    for (const name of ['TASK_MODEL_EXTERNAL', 'DEFAULT_MODELS']) expect(ids).toContain(webui?.environment[name]);
  });
});

describe('compose.postgresql.yaml', () => {
  const source = readText('compose.postgresql.yaml');
  const { services, secrets } = parse(source, { merge: true }) as Compose;
  const { postgres, balancer } = services;
  const servers = Object.entries(services).filter(([name]) => name.startsWith('footnote-'));
  const filled = (text = ''): string => text.replaceAll(/\$\{POSTGRES_PASSWORD:[^}]*\}/gu, 'word');
  const balancing = readText('ops/haproxy/haproxy.cfg');

  it('gives each server what the product knows, the one database, and a folder of its own', () => {
    expect(servers.length).toBe(2);
    for (const [name, { environment, volumes, ...server }] of servers) {
      const given = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filled(value)]));
      expect(Object.keys(given).filter((key) => !known.has(key))).toEqual([]);
      const config = loadConfig({ folder: '/', environment: { ...imageEnvironment, ...given } });
      expect(volumes).toEqual([`${name}:${config.data}`]);
      const address = new URL(config.secret('FOOTNOTE_DATABASE_URL') ?? '');
      expect(address).toMatchObject({ hostname: 'postgres', port: '5432', password: 'word' });
      expect([address.username, address.pathname.slice(1)]).toEqual([
        postgres?.environment['POSTGRES_USER'],
        postgres?.environment['POSTGRES_DB'],
      ]);
      expect(filled(postgres?.environment['POSTGRES_PASSWORD'])).toBe('word');
      expect(server).toMatchObject({
        image: footnote.image,
        secrets: footnote.secrets,
        healthcheck: footnote.healthcheck,
        read_only: true,
        depends_on: { postgres: { condition: 'service_healthy' } },
      });
      expect('ports' in server).toBe(false);
    }
    expect(secrets).toEqual(compose.secrets);
  });

  it('lets in who is on this machine, by a balancer that asks each server whether it is ready', () => {
    expect(balancer?.ports).toEqual(footnote.ports);
    expect(balancer?.volumes).toEqual(['./ops/haproxy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro']);
    const port = imageEnvironment['FOOTNOTE_PORT'];
    expect(balancing).toContain(`\n    bind :${port}\n`);
    const asked = [...balancing.matchAll(/^ {4}server \w+ (\S+) cookie \w+$/gmu)].map(([, address]) => address);
    expect(asked).toEqual(servers.map(([name]) => `${name}:${port}`));
    expect(balancing).toContain('uri /readyz ');
  });

  const haproxy = spawnSync('haproxy', ['-v']).status === 0;
  it.skipIf(!haproxy)('is balanced by rules that haproxy takes (skipped where it is not installed)', () => {
    const checked = spawnSync('haproxy', ['-c', '-f', join(root, 'ops/haproxy/haproxy.cfg')], { encoding: 'utf8' });
    expect([checked.status, checked.stderr]).toEqual([0, expect.not.stringContaining('[ALERT]')]);
  });
});

const systemd = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' });

describe('footnote.service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-unit-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const hasSystemd = systemd('--version').status === 0;

  it('sets what the product knows, in comments too', () => {
    const given = [...unit.matchAll(/^#?Environment=(.*)$/gmu)].flatMap(([, words = '']) => words.split(' '));
    const environment = Object.fromEntries(given.map((word) => word.split('=') as [string, string]));
    const { HOME: _, ...own } = environment;
    expect(Object.keys(own).filter((name) => !known.has(name))).toEqual([]);
    expect(loadConfig({ folder: '/', environment })).toMatchObject({
      data: '/var/lib/footnote/data',
      host: '0.0.0.0',
      bootstrapKeyFile: '/%d/admin-key',
    });
    expect(unit).toContain('\nStateDirectory=footnote\n');
  });

  it('allows what the product is made of: namespaces for parsers, memory that V8 compiles to', () => {
    expect(unit).toMatch(/^RestrictNamespaces=user net$/mu);
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/mu);
    expect(unit).toMatch(
      /^ExecStart=\S+\/node \/opt\/footnote\/node_modules\/footnote-server\/bin\/footnote\.mjs serve$/mu,
    );
  });

  const absent = hasSystemd ? '' : ' (not tried: systemd-analyze is not installed)';
  it.skipIf(!hasSystemd)(`is a unit that systemd takes, and exposes little${absent}`, () => {
    const path = join(folder, 'footnote.service');
    copyFileSync(join(root, 'ops/systemd/footnote.service'), path);
    // The user and the program of this machine stand in for those that an installation makes.
    writeFileSync(path, unit.replace('/usr/bin/node', process.execPath).replaceAll('=footnote\n', '=root\n'));
    expect(readFileSync(path, 'utf8')).toContain(`ExecStart=${process.execPath} `);
    const verified = systemd('verify', path);
    expect([verified.status, verified.stderr]).toEqual([0, expect.not.stringContaining('footnote.service')]);
    // 2.1 as it stands; a service without any of it has 9.6.
    const judged = systemd('security', '--offline=true', '--threshold=25', join(root, 'ops/systemd/footnote.service'));
    expect([judged.status, judged.stdout]).toEqual([0, expect.stringMatching(/exposure level[^\n]*: [12]\.\d OK/u)]);
  });
});
