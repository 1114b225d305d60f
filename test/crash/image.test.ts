// The image, built by its Dockerfile and run as a container is: as a user without rights, on a read-only root, with a key from a secret file. It starts
// soon, reads every kind of file, is healthy, and a kill loses nothing that was acknowledged. Building it takes minutes: `npm run test:long`.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pictureOf } from '../../packages/readers/testkit/picture-fixture.ts';
import { documentIdOf } from '../../src/core/ids.ts';
import {
  buildImage,
  type Container,
  type Image,
  missingTools,
  ownedBy,
  sizeOf,
  startContainer,
} from '../../testkit/containers/image.ts';
import { readingSamples } from '../ingest/reading-samples.ts';
import { readText } from '../source-files.ts';

const missing = missingTools();
const isLong = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const kills = 5;
/** Of what is laid over the base. */
const mostBytes = 270_000_000;
/** Five times what the start is to take on a calm machine (3 s): whether it is soon is told by the figure, and that it is by this. */
const mostStartMs = 15_000;
const port = 24_180;
const url = `http://127.0.0.1:${port}`;

it.runIf(isLong)('the image can be built here', (context) => {
  if (missing.length > 0) context.skip(`no image is built: this machine lacks ${missing.join(', ')}`);
});

describe.runIf(isLong && missing.length === 0)('the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-image-'));
  const [data, documents] = [join(folder, 'data'), join(folder, 'documents')];
  const secret = randomBytes(32).toString('hex');
  const authorization = `Bearer ${secret}`;
  let image: Image;
  let container: Container | undefined;

  beforeAll(() => {
    image = buildImage(join(folder, 'build'));
    mkdirSync(data, { mode: 0o700 });
    mkdirSync(documents);
    writeFileSync(join(data, 'admin.key'), secret);
    ownedBy(image.config, data);
  }, 3_600_000);
  afterAll(async () => {
    await container?.end('SIGKILL');
    image?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Milliseconds until it was ready. */
  async function start(): Promise<number> {
    const startedAt = performance.now();
    const environment = {
      FOOTNOTE_PORT: String(port),
      FOOTNOTE_BOOTSTRAP_KEY_FILE: '/data/admin.key',
      MODEL_DETECT: 'off',
    };
    container = await startContainer(image, { data, documents, environment });
    for (;;) {
      const isReady = await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return performance.now() - startedAt;
      if (!statSync(`/proc/${container.pid}`, { throwIfNoEntry: false })) throw new Error(container.output());
      await pause(20);
    }
  }
  const inside = (...words: string[]) => {
    if (container === undefined) throw new Error('no container');
    return container.exec(...words);
  };

  it('says what it is, and holds neither tests nor sources nor secrets', () => {
    const { version } = JSON.parse(readText('package.json')) as { version: string };
    expect(image.config).toMatchObject({ User: '10001:10001', StopSignal: 'SIGTERM', Volumes: { '/data': {} } });
    expect(image.config.Labels).toMatchObject({ 'org.opencontainers.image.version': version });
    const all = readdirSync(join(image.root, 'opt/footnote'), { recursive: true, encoding: 'utf8' });
    const ours = all.filter((path) => !path.startsWith('node_modules/'));
    expect(
      ours.filter((path) => /(?:^|\/)(?:test|testkit|bench|secrets|\.env|\.git|\.footnote)(?:\/|$)/u.test(path)),
    ).toEqual([]);
    expect(all.filter((path) => path.endsWith('.ts'))).toEqual([]);
    expect(ours).toContain('models/encoder/onnx/model.onnx');
    const [bytes, own] = [sizeOf(image.root), sizeOf(join(image.root, 'opt/footnote'))];
    console.log(
      `the image: ${(bytes / 1e6).toFixed(0)} MB unpacked, ${(own / 1e6).toFixed(0)} MB of it beside the base`,
    );
    expect(own).toBeLessThan(mostBytes);
  });

  it('starts as user 10001 with the key of its secret file, and can write nowhere but to its data and to memory', async () => {
    const ready = [await start()];
    const status = readFileSync(`/proc/${container?.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/mu);
    expect(status).toMatch(/^NSpid:\t\d+\t1$/mu);
    expect((await fetch(`${url}/v1/documents`)).status).toBe(401);
    expect((await fetch(`${url}/admin/keys`, { headers: { authorization } })).status).toBe(200);
    expect(container?.output()).not.toContain(secret);
    for (const path of ['/opt/footnote/x', '/home/footnote/x', '/etc/x'])
      expect(inside('sh', '-c', `echo x > ${path}`).status).not.toBe(0);
    for (const path of ['/tmp/x', '/data/x']) expect(inside('sh', '-c', `echo x > ${path}`).status).toBe(0);
    expect(inside(...image.config.Healthcheck.Test.slice(1)).status).toBe(0);
    expect(await container?.end('SIGTERM')).toBe(0);
    ready.push(await start());
    expect(Math.max(...ready)).toBeLessThan(mostStartMs);
    console.log(
      `the image: ready ${ready.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(' at the first start, ')} at the next`,
    );
  });

  it('reads every kind of file, recognises text, orders by its encoder, and finds nothing wrong with itself', async () => {
    for (const [at, { name, bytes }] of (await readingSamples()).entries()) {
      mkdirSync(join(documents, String(at)));
      writeFileSync(join(documents, String(at), name), bytes);
    }
    writeFileSync(join(documents, 'scan.png'), await pictureOf(['The harbour master keeps a ledger of every vessel.']));
    const ingested = inside('footnote', 'ingest', '/mnt', '--json');
    expect([ingested.status, ingested.stderr]).toEqual([0, expect.any(String)]);
    const asked = inside('footnote', 'ask', 'Who keeps a ledger of every vessel?', '--json');
    expect((JSON.parse(asked.stdout) as { answer: string }).answer).toContain('harbour master');
    const doctor = inside('footnote', 'doctor', '--json');
    const { findings } = JSON.parse(doctor.stdout) as { findings: { area: string; state: string; detail: string }[] };
    const open = findings.filter(({ state, area }) => state !== 'ok' && area !== 'backup');
    // A chroot forbids user namespaces, as the seccomp profiles of containers do.
    expect(open).toEqual([
      expect.objectContaining({ area: 'parsers', state: 'warning', detail: expect.stringContaining('unshare') }),
    ]);
    expect(findings.find(({ area }) => area === 'encoder')?.detail).toMatch(/^passages are ordered by/u);
    const backup = inside('footnote', 'backup', '/data/today.tar');
    expect([backup.status, backup.stdout + backup.stderr]).toEqual([
      0,
      expect.stringContaining('Wrote /data/today.tar'),
    ]);
  });

  it(`loses nothing that was acknowledged, killed ${kills} times while it is fed`, async () => {
    const acknowledged: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const until = acknowledged.length + 5 + kill;
      const writers = [0, 1].map(async (writer) => {
        for (let at = 0; ; at += 1) {
          const uri = `kill-${kill}/${writer}-${at}.md`;
          const body = JSON.stringify({
            text: `Note ${uri} of the harbour. ${randomBytes(200).toString('hex')}`,
            uri,
            source: 'kill',
          });
          const headers = { authorization, 'content-type': 'application/json' };
          const response = await fetch(`${url}/v1/documents?wait=true`, { method: 'POST', headers, body }).catch(
            () => undefined,
          );
          if (response === undefined) return;
          expect(response.ok).toBe(true);
          const isWhole = await response.arrayBuffer().then(
            () => true,
            () => false,
          );
          if (!isWhole) return;
          acknowledged.push(uri);
        }
      });
      while (acknowledged.length < until) await pause(5);
      await container?.end('SIGKILL');
      await Promise.all(writers);
      await start();
      for (const uri of acknowledged) {
        const found = await fetch(`${url}/v1/documents/${documentIdOf('kill', uri)}`, { headers: { authorization } });
        expect([uri, found.status]).toEqual([uri, 200]);
      }
    }
    console.log(`the image: ${acknowledged.length} documents acknowledged before ${kills} kills, none lost`);
  });
});
