// A worker thread: each question is settled once, by its answer or because the thread ended.
import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { type Thread, threadEnded } from '../../src/threads/questions.ts';
import { askFlagged, startThread, type ThreadOptions } from '../../src/threads/thread.ts';
import type { EchoOrder } from './echo-child.ts';

type Echo = Thread<EchoOrder, string>;

const opened: Echo[] = [];
const open = (options: Partial<ThreadOptions> = {}): Echo => {
  const thread: Echo = startThread({
    name: 'echo',
    entry: new URL('echo-child.ts', import.meta.url),
    onEnd: () => undefined,
    ...options,
  });
  opened.push(thread);
  return thread;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((thread) => thread.end()));
});
const ask = (thread: Echo, text: string) => thread.ask((task) => ({ task, text }));

describe('a thread', () => {
  it('answers each question by its number, in any order, after what it was told before', async () => {
    const thread = open();
    thread.tell({ text: 'heat' });
    const asked = ['hang', 'a', 'b'].map((text) => ask(thread, text));
    expect(new Set(asked.map(({ number }) => number)).size).toBe(3);
    expect(await Promise.all(asked.slice(1).map(({ answer }) => answer))).toEqual(['heat a', 'heat b']);
    expect([await thread.up, thread.isUp(), thread.waiting()]).toEqual([true, true, 1]);
  });

  it('hands on what the work throws, with its details', async () => {
    await expect(ask(open(), 'fail').answer).rejects.toMatchObject({ code: 'data-corrupt', details: { part: 7 } });
  });

  it.each([
    ['die', undefined],
    ['throw', 'a fault of the runtime'],
  ])('tells all who wait that it ended (%s), its owner first, and who asks afterwards', async (how, fault) => {
    const seen: unknown[] = [];
    const thread = open({ onEnd: (why) => seen.push(why) });
    const asked = [ask(thread, 'hang'), ask(thread, how)].map(({ answer }) => answer.then((got) => seen.push(got)));
    await Promise.all(asked);
    await thread.ended;
    expect(seen).toEqual([fault, threadEnded, threadEnded]);
    expect(await ask(thread, 'a').answer).toBe(threadEnded);
    expect(thread.waiting()).toBe(0);
  });

  it('says why it cannot come up, and that it ended before it was up', async () => {
    expect(await open({ setup: 'refuses' }).up).toMatchObject({ code: 'config-invalid' });
    const thread = open({ setup: 'never comes up' });
    await thread.end();
    expect([await thread.up, thread.isUp()]).toEqual([false, false]);
  });

  it('forgets a question once', async () => {
    const thread = open();
    const { number } = ask(thread, 'hang');
    expect([thread.forget(number), thread.forget(number), thread.waiting()]).toEqual([true, false, 0]);
  });

  it('hears by its flag that nobody waits any more', async () => {
    const thread = open();
    await thread.up;
    const controller = new AbortController();
    const answers: ReturnType<typeof ask>['answer'][] = [];
    const asked = askFlagged((cancel) => {
      const { answer } = thread.ask((task) => ({ task, text: 'until cancelled', cancel }));
      answers.push(answer);
      return answer;
    }, controller.signal);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    expect(await Promise.all(answers)).toEqual(['true']);
    const never = (): Promise<string> => {
      throw new Error('nothing was to be asked');
    };
    await expect(askFlagged(never, controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it.each([
    ['keeps the process until its answer comes, and no longer', '', '"four"'],
    ['keeps no process where it is not to hold one', ', holds: false', ''],
  ])('%s', (_what, options, printed) => {
    const of = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const program = `
      import { startThread } from ${of('../../src/threads/thread.ts')};
      const thread = startThread({ name: 'echo', entry: new URL(${of('echo-child.ts')}), onEnd: () => undefined${options} });
      thread.ask((task) => ({ task, text: 'four' })).answer.then((answer) => console.log(JSON.stringify(answer)));`;
    const given = ['--input-type=module', '-e', program];
    expect(execFileSync(process.execPath, given, { encoding: 'utf8', timeout: 120_000, env: {} }).trim()).toBe(printed);
  });

  it('is waited for while it ends, whatever is settled or forgotten meanwhile', () => {
    const of = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
    const program = `
      const { startThread } = await import(${of('../../src/threads/thread.ts')});
      const thread = startThread({ name: 'echo', entry: new URL(${of('echo-child.ts')}), onEnd: () => undefined });
      await thread.ask((task) => ({ task, text: 'a' })).answer;
      const { number } = thread.ask((task) => ({ task, text: 'hang' }));
      const ending = thread.end();
      thread.forget(number);
      await ending;
      console.log('ended');`;
    const given = ['--input-type=module', '-e', program];
    expect(execFileSync(process.execPath, given, { encoding: 'utf8', timeout: 120_000, env: {} }).trim()).toBe('ended');
  });
});
