// `footnote models` as a person types it, without a model, with one that cannot be used, and beside a running server.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFakeServer } from '../../src/testing/fake-http.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';
import { localFiles, openStandIn } from '../models/hub/stand-in-hub.ts';
import { hasLocalRuntime } from '../models/local-runtime.ts';
import { writeTinyModel } from '../models/local-tiny-model.ts';

const canRun = hasLocalRuntime();
let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
});
afterAll(() => place.remove());

describe('footnote models', () => {
  it('shows the model that needs nothing', async () => {
    const { code, out } = await place.run(['models']);
    expect(code).toBe(0);
    expect(out).toContain('Embedding model: corpus (default)');
    expect(out).toMatch(/^answer +off +not set +answers are passages of the documents$/m);
    expect(out).toContain('Nothing leaves this machine.');
    expect(out).toContain('which is not there');
    const tested = await place.run(['models', 'test']);
    expect(tested).toMatchObject({ code: 0, out: expect.stringContaining('learned from the documents') });
  });

  it('shows what is wrong with a local one, fails with it, and says when a server goes by other settings', async () => {
    const { stop } = await place.serve();
    writeTinyModel(join(place.folder, 'models/tiny'), {}, { 'onnx/model.onnx': undefined });
    const env = { MODEL_EMBED: 'onnx:tiny' };
    const listed = await place.run(['models'], { env });
    expect(listed.code).toBe(1);
    expect(listed.out).toContain('XX  onnx:tiny');
    expect(listed.out).toContain('holds no ONNX file');
    expect(listed.err).toMatch(/A server \(pid \d+\) is running/);
    const asJson = (await place.run(['models', '--json'], { env })).json();
    expect(asJson).toMatchObject({ configured: { usable: false }, note: expect.stringContaining('A server') });
    const tested = await place.run(['models', 'test'], { env });
    expect(tested).toMatchObject({ code: 1, out: expect.stringContaining('holds no ONNX file') });
    await stop();
  });

  it('tries each role that is on, says what one lacks, and takes no role that there is not', async () => {
    const fake = await openFakeServer((request) =>
      renderChat(
        request.body['model'] === 'locked'
          ? { error: { status: 401, message: 'no' } }
          : { text: '{"words": ["ready"]}' },
        request,
      ),
    );
    const env = {
      OPENAI_BASE_URL: `${fake.address}/v1`,
      MODEL_ANSWER: 'compatible:writer',
      MODEL_JUDGE: 'compatible:locked',
      MODEL_PRICES: 'compatible:writer = 10 / 100',
    };
    const listed = await place.run(['models'], { env });
    expect(listed.out).toMatch(/^answer +compatible:writer +environment +unknown +10 \/ 100 \/ 10$/m);
    expect(listed.out).toMatch(/^planner +off +not set +nothing asks it as things are set$/m);
    expect(fake.requests).toEqual([]);
    const tested = await place.run(['models', 'test'], { env });
    expect(tested.code).toBe(1);
    expect(tested.out).toMatch(
      /^ok {2}answer: compatible:writer streamed a value of the schema, \d+ ms, 20 \+ 10 tokens, 0\.0012 \$$/m,
    );
    expect(tested.out).toMatch(/^XX {2}judge: compatible:locked, config-invalid after \d+ ms\n {6}.*HTTP 401/m);
    const one = await place.run(['models', 'test', 'answer', '--json'], { env });
    expect(one.code).toBe(0);
    expect(one.json()).toMatchObject({ ok: true, trials: [{ role: 'answer', ok: true }], skipped: [] });
    const none = await place.run(['models', 'test', 'writer'], { env });
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('There is no role "writer"') });
    await fake.close();
  });

  it('asks the one that writes answers six questions, and says what it can be trusted with', async () => {
    const said = (question: string): string => {
      if (question.includes('lighthouse of Sandholm?') && question.includes('How tall')) return '43 metres.';
      if (question.includes('P-7')) return 'The valve V-2 must be closed and the pressure released.';
      if (question.includes('dogs')) return 'Yes, dogs are not allowed in the dining hall of the Strandhof.';
      if (question.includes('Kündigungsfrist'))
        return 'Nach der Probezeit beträgt die Kündigungsfrist sechs Wochen zum Monatsende.';
      return question.includes('cabin') ? 'A cabin costs 95 euros.' : 'NOT FOUND';
    };
    const fake = await openFakeServer((request) => {
      const { messages } = request.body as { messages: readonly { content: string }[] };
      return renderChat({ text: said(messages.at(-1)?.content ?? '') }, request);
    });
    const env = { OPENAI_BASE_URL: `${fake.address}/v1`, MODEL_ANSWER: 'compatible:writer', ANSWER_FORM: 'prose' };
    const { out, code } = await place.run(['models', 'test', 'answer'], { env });
    expect(code).toBe(0);
    expect(out).toMatch(/^ok {2}How tall is the lighthouse of Sandholm\? answered, \d+ ms$/m);
    expect(out).toContain('Of 4 questions that the documents answer, its own sentences answer 4;');
    expect(out).toContain('Of 2 questions that they do not answer, it invents nothing.');
    expect(out).toContain('Trust it to put answers into a sentence or two');
    const { exam } = (await place.run(['models', 'test', 'answer', '--json'], { env })).json() as { exam: object };
    expect(exam).toMatchObject({ form: 'prose', failed: { count: 0 } });
    await fake.close();
  });

  it('fetches one that was agreed to, shows it, reads it again, and removes it', async () => {
    const hub = await openStandIn({ files: localFiles('BertForSequenceClassification', 1) });
    const env = { HF_ENDPOINT: hub.address };
    const shown = await place.run(['models', 'get'], { env });
    expect(shown.out).toMatch(/^minilm +orders passages +92 MB +200 MB +apache-2\.0 +English +not run here$/m);
    expect(hub.requests).toEqual([]);
    const unsaid = await place.run(['models', 'get', 'minilm'], { env });
    expect(unsaid).toMatchObject({ code: 2, err: expect.stringContaining('licence apache-2.0') });
    const got = await place.run(['models', 'get', 'minilm', '--yes'], { env });
    expect(got).toMatchObject({ code: 0, out: expect.stringContaining('footnote models use minilm') });
    const used = { env: { MODEL_RERANK: 'onnx:minilm' } };
    const listed = await place.run(['models'], used);
    expect(listed.out).toMatch(/^minilm +orders passages +0\.0 MB +apache-2\.0 +never +MODEL_RERANK$/m);
    expect((await place.run(['models', 'verify'])).code).toBe(0);
    await writeFile(join(place.folder, 'models/minilm/onnx/model.onnx'), 'other');
    const differs = await place.run(['models', 'verify', 'minilm']);
    expect(differs).toMatchObject({ code: 1, out: expect.stringContaining('onnx/model.onnx differ or are gone') });
    expect((await place.run(['models', 'remove', 'minilm'], used)).code).toBe(5);
    expect((await place.run(['models', 'remove', 'minilm'])).code).toBe(0);
    expect((await place.run(['models', '--json'])).json()).toMatchObject({ kept: [], running: [] });
    await hub.close();
  });

  it('shows how the models of a running server stand, and so does the doctor', async () => {
    const fact = 'The lighthouse is 43 metres tall.';
    const reply = { claims: [{ text: fact, quotes: [{ id: 1, quote: fact }] }], insufficient: false };
    const fake = await openFakeServer((request) =>
      renderChat(
        request.body['model'] === 'locked' ? { error: { status: 401 } } : { text: JSON.stringify(reply) },
        request,
      ),
    );
    const served = await openWorkplace();
    const env = { OPENAI_BASE_URL: `${fake.address}/v1`, MODEL_ANSWER: 'compatible:locked, compatible:spare' };
    const { server, stop } = await served.serve([], env);
    let log = '';
    server.stderr?.on('data', (data: Buffer) => (log += data.toString()));
    const untried = await served.run(['doctor'], { env });
    expect(untried).toMatchObject({ code: 0, out: expect.not.stringContaining('model compatible') });
    await writeFile(join(served.folder, 'lighthouse.txt'), fact);
    await served.run(['ingest', 'lighthouse.txt']);
    const asked = await served.run(['ask', 'How tall is the lighthouse?']);
    expect(asked.out).toContain('written by compatible:spare');
    expect(asked.out).toMatch(
      /note \(answer-model\): compatible:locked failed: .*HTTP 401.*compatible:spare was asked/u,
    );

    const spent = (await served.run(['usage', '--by', 'model'])).out;
    expect(spent).toMatch(/^compatible:locked +0 calls .* 1 refused$/mu);
    expect(spent).toMatch(/^compatible:spare +1 call .*price unknown$/mu);
    const examined = await served.run(['doctor'], { env });
    expect(examined.code).toBe(1);
    expect(examined.out).toMatch(
      /^XX {2}model compatible:locked: failing, failed once, circuit closed; last failure config-invalid at \S+: .*HTTP 401/mu,
    );
    expect(examined.out).toMatch(/^ok {2}model compatible:spare: serving, circuit closed, served last at /mu);
    const listed = await served.run(['models'], { env });
    expect(listed.out).toMatch(/^XX {2}compatible:locked: failing, .*config-invalid/mu);
    expect((await served.run(['models', '--json'], { env })).json()).toMatchObject({
      server: { roles: [{ role: 'answer', status: 'degraded', code: 'config-invalid' }] },
    });
    await stop();
    const lines = log
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as { event: string }] : []))
      .filter(({ event }) => event !== 'search');
    expect(lines).toEqual([
      expect.objectContaining({
        event: 'model-failed',
        model: 'compatible:locked',
        code: 'config-invalid',
        status: 401,
      }),
    ]);
    await served.remove();
    await fake.close();
  });

  it('prints what docs/models.md shows of it', async () => {
    const said = await readFile(resolve(import.meta.dirname, '../../docs/models.md'), 'utf8');
    const shown = /\$ footnote models test --calls-only\n([\s\S]*?)\n *```/u.exec(said)?.[1] ?? '';
    const fake = await openFakeServer((request) =>
      request.path.endsWith('/models')
        ? {
            headers: { 'content-type': 'application/json' },
            chunks: [JSON.stringify({ data: [{ id: 'qwen3:8b', max_model_len: 40_960 }] })],
          }
        : renderChat({ text: '{"words": ["ready"]}', usage: { input: 11, output: 6 } }, request),
    );
    const env = { OPENAI_BASE_URL: `${fake.address}/v1`, MODEL_ANSWER: 'compatible:qwen3:8b' };
    const { out, code } = await place.run(['models', 'test', '--calls-only'], { env });
    expect(code).toBe(0);
    const plain = (text: string): string =>
      text
        .split('\n')
        .map((line) => line.trim().replace(/\d+ ms/u, 'some ms'))
        .join('\n')
        .trim();
    expect(plain(out)).toBe(plain(shown));
    await fake.close();
  });

  it('says what is half configured wherever it says that answers are off, and which end an address must not have', async () => {
    const env = { AZURE_OPENAI_API_KEY: 'not-a-key' };
    const hint = 'set AZURE_OPENAI_ENDPOINT too';
    for (const words of [['models'], ['models', 'test'], ['doctor']])
      expect(await place.run(words, { env })).toMatchObject({ code: 0, out: expect.stringContaining(hint) });
    const whole = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1/chat/completions' };
    expect(await place.run(['models', 'test'], { env: whole })).toMatchObject({
      code: 11,
      err: expect.stringContaining('OPENAI_BASE_URL must be written without /chat/completions at its end'),
    });
  });

  it.skipIf(!canRun)('tries a local one', async () => {
    writeTinyModel(join(place.folder, 'models/tiny'));
    const env = { MODEL_EMBED: 'onnx:tiny' };
    const { code, out, err } = await place.run(['models', 'test', 'embed', '--text', 'the river'], { env });
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toMatch(/embed: local:tiny@[0-9a-f]{16} embedded two texts in 8 dimensions/);
  });
});
