import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { LocalSetup } from '../../../src/models/local/protocol.ts';
import { createLocalThread, type LocalThread, type LocalThreadOptions } from '../../../src/models/local/thread.ts';

const setup: LocalSetup = {
  task: 'embed',
  peer: '',
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

describe('the thread of a local model', () => {
  const opened: LocalThread[] = [];
  let starts = 0;
  const open = (options: Partial<LocalThreadOptions> = {}, graphs: readonly string[] = []): LocalThread => {
    starts = 0;
    const thread = createLocalThread({
      prepare: async () => ({ ...setup, graph: graphs[starts++] ?? 'loads' }),
      entry: new URL('local-thread-child.ts', import.meta.url),
      ...options,
    });
    opened.push(thread);
    return thread;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((thread) => thread.close()));
  });
  const embed = (thread: LocalThread, text: string, signal?: AbortSignal) =>
    thread.embed({ texts: [text], prefix: '', urgent: true }, signal);
  const numberOf = async (thread: LocalThread): Promise<number | undefined> => (await embed(thread, 'who')).vectors[0];

  it('serves many at once, started once', async () => {
    const thread = open();
    const results = await Promise.all(['a', 'bb', 'ccc'].map((text) => embed(thread, text)));
    expect(results.map(({ truncated }) => truncated)).toEqual([1, 2, 3]);
    expect(starts).toBe(1);
  });

  it.each(['die', 'throw'])('is replaced after it died (%s), and says so to all who waited', async (how) => {
    const thread = open();
    const first = await numberOf(thread);
    const waiting = [embed(thread, 'hang'), embed(thread, how)];
    for (const outcome of await Promise.allSettled(waiting))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'upstream-unavailable' } });
    expect(await numberOf(thread)).not.toBe(first);
  });

  it('is ended when it gives no sign of life', async () => {
    const thread = open({ stepTimeoutMs: 300 });
    await expect(embed(thread, 'hang')).rejects.toMatchObject({
      code: 'upstream-unavailable',
      message: expect.stringContaining('no sign of life for 0.3 s'),
    });
    expect((await embed(thread, 'a')).truncated).toBe(1);
  });

  it('is ended when it does not load, and started again for the next', async () => {
    const thread = open({ loadTimeoutMs: 500 }, ['never loads']);
    await expect(embed(thread, 'a')).rejects.toMatchObject({ code: 'upstream-unavailable' });
    expect((await embed(thread, 'a')).truncated).toBe(1);
  });

  it('is loaded before the first text comes where that is wanted, and closed while it loads', async () => {
    const thread = open();
    await thread.warm();
    expect((await embed(thread, 'a')).truncated).toBe(1);
    expect(starts).toBe(1);
    const slow = open({}, ['never loads']);
    const warming = slow.warm();
    await slow.close();
    await expect(warming).rejects.toMatchObject({ code: 'upstream-unavailable' });
    await expect(slow.warm()).rejects.toMatchObject({ message: expect.stringContaining('was closed') });
  });

  it('passes on why the model cannot be loaded or run, and tries again', async () => {
    const thread = open({}, ['refuses']);
    const refused = { code: 'config-invalid', details: { fault: 'weights-damaged' } };
    const both = await Promise.allSettled([embed(thread, 'a'), embed(thread, 'b')]);
    for (const outcome of both) expect(outcome).toMatchObject({ status: 'rejected', reason: refused });
    await expect(embed(thread, 'fail')).rejects.toMatchObject({ details: { fault: 'dimensions' } });
    expect((await embed(thread, 'a')).truncated).toBe(1);
    expect(starts).toBe(2);
  });

  it('lets one give up, while it loads and while it works, and serves the others', async () => {
    const thread = open();
    const controller = new AbortController();
    const early = embed(thread, 'hang', controller.signal);
    const other = embed(thread, 'a');
    controller.abort();
    await expect(early).rejects.toMatchObject({ code: 'cancelled' });
    expect((await other).truncated).toBe(1);
    const deadline = new AbortController();
    const late = embed(thread, 'hang', deadline.signal);
    deadline.abort(new DOMException('late', 'TimeoutError'));
    await expect(late).rejects.toMatchObject({ code: 'deadline-exceeded' });
    expect(starts).toBe(1);
  });

  it('is given back when idle, and another one comes', async () => {
    const thread = open({ idleMs: 0 });
    const first = await numberOf(thread);
    await expect.poll(() => numberOf(thread), { interval: 5, timeout: 120_000 }).not.toBe(first);
  });

  it('does not keep the process alive while it is idle', async () => {
    const of = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const program = `
      import { createLocalThread } from ${of('../../../src/models/local/thread.ts')};
      const thread = createLocalThread({ prepare: async () => ({ graph: 'loads' }), entry: new URL(${of('local-thread-child.ts')}) });
      const { truncated } = await thread.embed({ texts: ['four'], prefix: '', urgent: true });
      console.log(truncated);`;
    const options = { timeout: 120_000, env: {} };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], options);
    expect(stdout).toBe('4\n');
  });

  it('ends at once when it is closed', async () => {
    const thread = open();
    await numberOf(thread);
    const waiting = embed(thread, 'hang');
    const expected = expect(waiting).rejects.toMatchObject({ code: 'upstream-unavailable' });
    await thread.close();
    await expected;
    await expect(embed(thread, 'a')).rejects.toMatchObject({ code: 'upstream-unavailable' });
  });
});
