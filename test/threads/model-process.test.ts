import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { EmbeddedTexts, EmbedWork, LocalSetup } from '../../src/models/local/protocol.ts';
import { createModelProcess, type ModelProcess, type ModelProcessOptions } from '../../src/threads/model-process.ts';

const setup: LocalSetup = {
  task: 'embed',
  folder: '',
  graph: 'loads',
  dimensions: 1,
  windowTokens: 8,
  pooling: 'mean',
  poolsPrefix: true,
  needsSentenceOutput: false,
  lowercase: false,
  batchTokens: 8,
  threads: 1,
};

describe('the process of a local model', () => {
  type Process = ModelProcess<EmbedWork, EmbeddedTexts>;
  const opened: Process[] = [];
  let starts = 0;
  const open = (options: Partial<ModelProcessOptions> = {}, graphs: readonly string[] = []): Process => {
    starts = 0;
    const child: Process = createModelProcess({
      prepare: async () => ({ ...setup, graph: graphs[starts++] ?? 'loads' }),
      entry: new URL('../models/local/local-stand-in.ts', import.meta.url),
      ...options,
    });
    opened.push(child);
    return child;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((child) => child.close()));
  });
  const embed = (child: Process, text: string, signal?: AbortSignal) =>
    child.run({ kind: 'embed', texts: [text], prefix: '', urgent: true }, signal);
  const numberOf = async (child: Process): Promise<number | undefined> => (await embed(child, 'who')).vectors[0];

  it('serves many at once, started once', async () => {
    const child = open();
    const results = await Promise.all(['a', 'bb', 'ccc'].map((text) => embed(child, text)));
    expect(results.map(({ truncated }) => truncated)).toEqual([1, 2, 3]);
    expect(starts).toBe(1);
  });

  it.each(['die', 'throw'])('is replaced after it died (%s), and says so to all who waited', async (how) => {
    const child = open();
    const first = await numberOf(child);
    const waiting = [embed(child, 'hang'), embed(child, how)];
    for (const outcome of await Promise.allSettled(waiting))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'upstream-unavailable' } });
    expect(await numberOf(child)).not.toBe(first);
  });

  it('is ended when it gives no sign of life', async () => {
    const child = open({ stepTimeoutMs: 300 });
    await expect(embed(child, 'hang')).rejects.toMatchObject({
      code: 'upstream-unavailable',
      message: expect.stringContaining('no sign of life for 0.3 s'),
    });
    expect((await embed(child, 'a')).truncated).toBe(1);
  });

  it('is ended when it hangs, although everybody gave up who asked, one soon after another', async () => {
    const child = open({ stepTimeoutMs: 300 });
    const ask = (): Promise<string> =>
      embed(child, 'hang', AbortSignal.timeout(20)).then(
        () => '',
        ({ message }: Error) => message,
      );
    await expect.poll(ask, { interval: 5, timeout: 120_000 }).toContain('no sign of life');
    expect((await embed(child, 'a')).truncated).toBe(1);
  });

  it('is ended when it does not load, and started again for the next', async () => {
    const child = open({ loadTimeoutMs: 10_000 }, ['never loads']);
    await expect(embed(child, 'a')).rejects.toMatchObject({ code: 'upstream-unavailable' });
    expect((await embed(child, 'a')).truncated).toBe(1);
  });

  it('is loaded before the first text comes where that is wanted, and closed while it loads', async () => {
    const child = open();
    await child.warm();
    expect((await embed(child, 'a')).truncated).toBe(1);
    expect(starts).toBe(1);
    const slow = open({}, ['never loads']);
    const warming = slow.warm();
    await slow.close();
    await expect(warming).rejects.toMatchObject({ code: 'upstream-unavailable' });
    await expect(slow.warm()).rejects.toMatchObject({ message: expect.stringContaining('was closed') });
  });

  it('passes on why the model cannot be loaded or run, and tries again', async () => {
    const child = open({}, ['refuses']);
    const refused = { code: 'config-invalid', details: { fault: 'weights-damaged' } };
    const both = await Promise.allSettled([embed(child, 'a'), embed(child, 'b')]);
    for (const outcome of both) expect(outcome).toMatchObject({ status: 'rejected', reason: refused });
    await expect(embed(child, 'fail')).rejects.toMatchObject({ details: { fault: 'dimensions' } });
    expect((await embed(child, 'a')).truncated).toBe(1);
    expect(starts).toBe(2);
  });

  it('lets one give up, while it loads and while it works, and serves the others', async () => {
    const child = open();
    const controller = new AbortController();
    const early = embed(child, 'hang', controller.signal);
    const other = embed(child, 'a');
    controller.abort();
    await expect(early).rejects.toMatchObject({ code: 'cancelled' });
    expect((await other).truncated).toBe(1);
    const deadline = new AbortController();
    const late = embed(child, 'hang', deadline.signal);
    deadline.abort(new DOMException('late', 'TimeoutError'));
    await expect(late).rejects.toMatchObject({ code: 'deadline-exceeded' });
    expect(starts).toBe(1);
  });

  it('is given back when idle, and another one comes', async () => {
    const child = open({ idleMs: 0 });
    const first = await numberOf(child);
    await expect.poll(() => numberOf(child), { interval: 5, timeout: 120_000 }).not.toBe(first);
  });

  it('does not keep the process alive while it is idle', async () => {
    const of = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const program = `
      import { createModelProcess } from ${of('../../src/threads/model-process.ts')};
      const child = createModelProcess({ prepare: async () => ({ graph: 'loads' }), entry: new URL(${of('../models/local/local-stand-in.ts')}) });
      const { truncated } = await child.run({ kind: 'embed', texts: ['four'], prefix: '', urgent: true });
      console.log(truncated);`;
    const options = { timeout: 120_000, env: {} };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], options);
    expect(stdout).toBe('4\n');
  });

  it('ends at once when it is closed', async () => {
    const child = open();
    await numberOf(child);
    const waiting = embed(child, 'hang');
    const expected = expect(waiting).rejects.toMatchObject({ code: 'upstream-unavailable' });
    await child.close();
    await expected;
    await expect(embed(child, 'a')).rejects.toMatchObject({ code: 'upstream-unavailable' });
  });
});
