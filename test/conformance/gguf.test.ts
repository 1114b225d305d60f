// The writer in its child process with real weights and the real runtime: SmolLM2-135M, which writes nonsense quickly. FOOTNOTE_GGUF_MODELS names a folder of
// models with `smol.gguf` and an installed runtime; without it nothing here runs.
import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDeadline } from '../../src/core/deadline.ts';
import { openWriter, type Writer } from '../../src/models/gguf/writer.ts';
import type { GenerateRequest } from '../../src/models/language/generation.ts';
import { seededRandom } from '../../testkit/models/hostile-gallery.ts';

const models = process.env['FOOTNOTE_GGUF_MODELS'];
const kills = process.env['FOOTNOTE_TEST_LONG'] ? 20 : 4;

describe.skipIf(models === undefined)('a writer with real weights', () => {
  const given = models ?? '';
  let folder = '';
  const opened: Writer[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gguf-'));
    await symlink(join(given, 'runtime'), join(folder, 'runtime'));
    const source = await open(join(given, 'smol.gguf'));
    const half = await open(join(folder, 'half.gguf'), 'w');
    const { size } = await stat(join(given, 'smol.gguf'));
    const bytes = Buffer.alloc(Math.floor(size / 2));
    await source.read(bytes, 0, bytes.length, 0);
    await half.write(bytes);
    await Promise.all([source.close(), half.close()]);
    await symlink(join(given, 'smol.gguf'), join(folder, 'smol.gguf'));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((writer) => writer.close()));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const writerOf = (name = 'smol'): Writer => {
    const writer = openWriter(name, { folder, contextTokens: 2_048 });
    opened.push(writer);
    return writer;
  };
  const asking = (content: string, more: Partial<GenerateRequest> = {}): GenerateRequest => ({
    messages: [
      { role: 'system', content: 'Answer in one sentence.' },
      { role: 'user', content },
    ],
    maxOutputTokens: 24,
    ...more,
  });
  const within = (signal?: AbortSignal) => ({ deadline: createDeadline(250_000, signal) });

  it('writes the same to the same prompt, and counts what it read anew', async () => {
    const writer = writerOf();
    const first = await writer.generate(asking('What is a lighthouse for?'), within());
    expect(first.text.length).toBeGreaterThan(0);
    expect(first.usage.inputTokens).toBeGreaterThan(10);
    const between = await writer.generate(asking('What is a harbour?'), within());
    expect(between.usage.cachedInputTokens).toBeGreaterThan(0);
    const again = await writer.generate(asking('What is a lighthouse for?'), within());
    expect(again.text).toBe(first.text);
  });

  it('is held to the form of JSON', async () => {
    const schema = {
      type: 'object',
      properties: { isTrue: { type: 'boolean' } },
      required: ['isTrue'],
      additionalProperties: false,
    };
    const { text } = await writerOf().generate(asking('Is water wet?', { json: { name: 'truth', schema } }), within());
    expect(typeof (JSON.parse(text) as { isTrue: unknown }).isTrue).toBe('boolean');
  });

  it('gives the chances of words, and writes as ever after it', async () => {
    const writer = writerOf();
    const question = 'Is water wet? Answer Yes or No.';
    const choices = ['Yes', 'No', 'The', 'Water', 'It', 'I', 'Is', 'As', 'A'];
    const asked = asking(question, { choices });
    const { text, usage } = await writer.generate(asked, within());
    const chances = JSON.parse(text) as Record<string, number>;
    expect(Object.keys(chances)).toEqual(choices);
    expect(Object.values(chances).every((chance) => chance >= 0 && chance <= 1)).toBe(true);
    expect(Object.values(chances).reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 2);
    // Where other words are likelier nothing is said of these.
    expect((await writer.generate(asking(question, { choices: ['Zebra', 'Violin'] }), within())).text).toBe('{}');
    expect(usage.outputTokens).toBeLessThanOrEqual(1);
    expect((await writer.generate(asked, within())).text).toBe(text);
    const fresh = await writerOf().generate(asking('What is a lighthouse for?'), within());
    expect((await writer.generate(asking('What is a lighthouse for?'), within())).text).toBe(fresh.text);
  });

  it('serves eight callers one after another, each told its place', async () => {
    const writer = writerOf();
    const places: number[] = [];
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        writer.generate(asking(`Count to ${at}.`, { maxOutputTokens: 6 }), {
          ...within(),
          waits: (ahead) => void places.push(ahead),
        }),
      ),
    );
    expect(all.every(({ finish }) => finish === 'length' || finish === 'stop')).toBe(true);
    expect(places.slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(places.filter((ahead) => ahead === 0)).toHaveLength(7);
  });

  it('lets go of a text that is left, also while its prompt is read', async () => {
    const writer = writerOf();
    await writer.generate(asking('Hello.'), within());
    for (const afterMs of [5, 60]) {
      const leaving = new AbortController();
      const left = writer.generate(
        asking('A long story. '.repeat(100), { maxOutputTokens: 400 }),
        within(leaving.signal),
      );
      setTimeout(() => leaving.abort(), afterMs);
      await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    }
    const again = await writer.generate(asking('A long story. '.repeat(100)), within());
    expect(again.usage.cachedInputTokens).toBeGreaterThan(100);
    expect(again.text).toBe((await writerOf().generate(asking('A long story. '.repeat(100)), within())).text);
  });

  it('is replaced wherever it is killed, and nothing hangs', async () => {
    const random = seededRandom(41);
    const writer = writerOf();
    for (let round = 0; round < kills; round += 1) {
      const writing = writer.generate(asking('Tell a story.', { maxOutputTokens: 400 }), within());
      const outcome = writing.then(
        () => 'written',
        ({ code }: { code: string }) => code,
      );
      await new Promise((resolve) => setTimeout(resolve, 400 + 1_500 * random()));
      const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
      for (const line of children.split('\n').filter((one) => one.includes('writer-child')))
        process.kill(Number.parseInt(line, 10), 'SIGKILL');
      expect(['upstream-unavailable', 'written']).toContain(await outcome);
    }
    expect((await writer.generate(asking('Hello.'), within())).text.length).toBeGreaterThan(0);
  });

  it('says that a file is cut off', async () => {
    await expect(writerOf('half').generate(asking('Hello.'), within())).rejects.toMatchObject({
      code: 'config-invalid',
      details: { fault: 'file-cut-off' },
    });
  });
});
