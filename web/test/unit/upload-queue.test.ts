// Files go in lots, one after another, a refusal stops none of the others, and what was refused or stopped can be tried again.
import { describe, expect, it } from 'vitest';
import { createUploadQueue, outcomeOf, type Taken, type Upload } from '../../src/documents/upload-queue.ts';

const taken = (status: 'created' | 'unchanged'): Taken => ({
  documents: [{ id: 'doc_1', status, chunks: 1 }],
  warnings: [],
});

function open(
  send: (given: string, stopped: AbortSignal) => Promise<Taken>,
  remove: (id: string) => Promise<unknown> = () => Promise.reject(new Error('Nothing is to be removed.')),
  known: () => Promise<void> = () => Promise.resolve(),
) {
  const seen: string[] = [];
  let last: readonly Upload<string>[] = [];
  const queue = createUploadQueue<string>({
    known,
    fits: (together, next) => next.startsWith('+') && together.length < 3,
    async send(together, told, stopped) {
      for (const [at, given] of together.entries()) {
        const became = await send(given, stopped);
        told(at, became);
      }
    },
    remove,
    refusalOf: (error) => ({ title: 'Refused', detail: String(error) }),
    onChange(uploads) {
      last = uploads;
      seen.push(uploads.map(({ given, state }) => `${given} ${state.is}`).join(', '));
    },
  });
  return { queue, seen, states: () => last.map(({ state }) => state.is), last: () => last };
}

describe('the queue of uploads', () => {
  it('sends one after another, and goes on after a refusal', async () => {
    let atOnce = 0;
    const { queue, seen, last } = open(async (given) => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await Promise.resolve();
      atOnce -= 1;
      if (given === 'b') throw new Error('no');
      return taken(given === 'c' ? 'unchanged' : 'created');
    });
    await Promise.all([queue.add(['a', 'b']), queue.add(['c'])]);
    expect(seen).toContain('a added, b reading, c waiting');
    expect(seen.at(-1)).toBe('a added, b refused, c unchanged');
    expect(outcomeOf(last())).toBe('3 files: 1 added, 1 unchanged, 1 refused.');
  });

  it('sends together what fits, and what a lot was not told of shares its refusal', async () => {
    const { queue, seen } = open(async (given) => {
      if (given === '+c') throw new Error('no');
      return taken('created');
    });
    await queue.add(['a', '+b', '+c', '+d', 'e']);
    expect(seen).toContain('a reading, +b reading, +c reading, +d waiting, e waiting');
    expect(seen).toContain('a added, +b added, +c refused, +d reading, e waiting');
    expect(seen.at(-1)).toBe('a added, +b added, +c refused, +d added, e added');
  });

  it('tries again what was refused, alone', async () => {
    const sent: string[] = [];
    const { queue, states, last } = open(async (given) => {
      sent.push(given);
      if (sent.length === 2) throw new Error('busy');
      return taken('created');
    });
    await queue.add(['a', 'b']);
    expect(states()).toEqual(['added', 'refused']);
    await queue.retry(last()[1]?.key ?? 0);
    expect(sent).toEqual(['a', 'b', 'b']);
    expect(states()).toEqual(['added', 'added']);
  });

  it('lets files wait until they can be sent, and refuses those that cannot', async () => {
    const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const known = [...asked].map(({ promise }) => promise);
    const { queue, states, last } = open(
      () => Promise.resolve(taken('created')),
      undefined,
      () => known.shift() ?? Promise.reject(new Error('asked too often')),
    );
    const refused = queue.add(['a']);
    const other = queue.add(['b']);
    expect(states()).toEqual(['waiting', 'waiting']);
    asked[0].reject(new Error('nobody knows'));
    await Promise.all([refused, other]);
    expect(states()).toEqual(['refused', 'refused']);
    const again = queue.retry(last()[0]?.key ?? 0);
    expect(states()).toEqual(['waiting', 'refused']);
    asked[1].resolve();
    await again;
    expect(states()).toEqual(['added', 'refused']);
  });

  it('takes away what a file brought, and of what it replaced nothing', async () => {
    const removed: string[] = [];
    const { queue, states, last } = open(
      async (given) => ({
        documents: (['created', given === 'b' ? 'updated' : 'created'] as const).map((status, at) => ({
          id: `${given}${at}`,
          status,
          chunks: 1,
        })),
        warnings: [],
      }),
      async (id) => {
        if (id === 'c0') throw new Error('busy');
        removed.push(id);
      },
    );
    await queue.add(['a', 'b', 'c']);
    const all = last().map(({ key }) => key);
    await expect(queue.undo([...all].reverse())).rejects.toThrow('busy');
    expect(removed).toEqual(['a0', 'a1', 'b0']);
    expect(states()).toEqual(['undone', 'undone', 'added']);
    await queue.undo(all.slice(0, 2));
    expect(removed).toHaveLength(3);
    await queue.retry(all[0] ?? 0);
    expect(states()).toEqual(['added', 'undone', 'added']);
  });

  it('stops what is read and what waits, and forgets what has ended alone', async () => {
    const { queue, states } = open(
      (_given, stopped) =>
        new Promise((_resolve, reject) => stopped.addEventListener('abort', () => reject(new Error('aborted')))),
    );
    const done = queue.add(['a', 'b']);
    await expect.poll(states).toEqual(['reading', 'waiting']);
    queue.clear();
    expect(states()).toEqual(['reading', 'waiting']);
    queue.stop();
    await done;
    expect(states()).toEqual(['stopped', 'stopped']);
    queue.clear();
    expect(states()).toEqual([]);
  });
});
