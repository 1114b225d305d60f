// What a request was given comes again in the order of the record, whatever the pace of the machine: by small programs whose parts run at the same
// time and change what the others do.
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { LoggedEvent, PortCall } from '../../../src/core/events.ts';
import type { Clock } from '../../../src/core/ids.ts';
import { nextTurn } from '../../../src/core/waiting/pieces.ts';
import { createPlayer } from '../../../src/footnote/replay/player.ts';
import { toThrown } from '../../../src/footnote/replay/recorded-calls.ts';
import { createEventLog, withRecorder } from '../../../src/trace/recorder.ts';
import { createTape } from '../../../src/trace/tape.ts';

interface Web {
  ask(what: string): Promise<string>;
}
/** Tells what came about, in order. `pause` is work that no port shows, of so many turns of the event loop. */
type Program = (web: Web, clock: Clock, pause: () => Promise<void>) => Promise<readonly string[]>;

const turns = (count: number) => async (): Promise<void> => {
  for (let at = 0; at < count; at += 1) await nextTurn();
};

/** A web whose answers come when the test gives them. */
function openWeb() {
  const waiting = new Map<string, PromiseWithResolvers<string>[]>();
  const next = (what: string): PromiseWithResolvers<string> => {
    const one = waiting.get(what)?.shift();
    if (!one) throw new Error(`Nobody asked for ${what}.`);
    return one;
  };
  return {
    web: {
      ask(what: string) {
        const one = Promise.withResolvers<string>();
        waiting.set(what, [...(waiting.get(what) ?? []), one]);
        return one.promise;
      },
    } satisfies Web,
    give: (what: string, answer: string) => next(what).resolve(answer),
    fail: (what: string) => next(what).reject(new FootnoteError('upstream-unavailable', 'It is down.')),
    /** Of those who asked for the same, the last one. */
    giveLast: (what: string, answer: string) => waiting.get(what)?.pop()?.resolve(answer),
  };
}
type OpenWeb = ReturnType<typeof openWeb>;

async function record(program: Program, answer: (web: OpenWeb) => Promise<void>) {
  let ms = 0;
  const clock = { now: () => '2026-11-23T12:00:00.000Z', elapsedMs: () => (ms += 1) };
  const tape = createTape({ clock, ids: { next: (prefix) => prefix } });
  tape.clock.elapsedMs();
  const log = createEventLog(clock, () => tape.mark());
  const open = openWeb();
  const web = withRecorder('web', open.web, { sink: log.sink, clock: tape.clock });
  const running = program(web, tape.clock, turns(2));
  await turns(5)();
  await answer(open);
  const told = await running;
  log.sink({ type: 'tape', ...tape.written() });
  return { told, events: log.events };
}

async function replay(program: Program, events: readonly LoggedEvent[], silent = 2) {
  const player = createPlayer(events);
  player.tape.clock.elapsedMs();
  const web: Web = {
    async ask(what) {
      const { response, error } = await player.ask({ port: 'web', method: 'ask', request: [what] });
      if (error) throw toThrown(error);
      return String(response);
    },
  };
  const told = await player.play(program(web, player.tape.clock, turns(silent)));
  return { told, divergences: player.divergences() };
}

/** Three at a time; who has a place while two have failed asks nobody. */
const guarded: Program = async (web) => {
  const told: string[] = [];
  const queue = ['four', 'five'];
  let failures = 0;
  const one = async (what: string): Promise<void> => {
    if (failures >= 2) told.push(`${what} was not asked`);
    else
      try {
        told.push(await web.ask(what));
      } catch {
        failures += 1;
        told.push(`${what} failed`);
      }
    // Whoever waits for the place hears of it a little later.
    for (let at = 0; at < 3; at += 1) await Promise.resolve();
    const next = queue.shift();
    if (next !== undefined) await one(next);
  };
  await Promise.all(['one', 'two', 'three'].map(one));
  return told;
};

describe('calls of parts that run at the same time', () => {
  it('fail together where they failed together: nobody goes on in between', async () => {
    const then = await record(guarded, async ({ fail }) => {
      for (const what of ['one', 'two', 'three']) fail(what);
    });
    expect(then.told).toContain('four was not asked');
    expect(await replay(guarded, then.events)).toEqual({ told: then.told, divergences: [] });
  });

  it('fail one after the other where they did: whoever went on in between does', async () => {
    const then = await record(guarded, async ({ fail, give }) => {
      fail('one');
      await turns(3)();
      fail('two');
      give('four', 'It is four.');
      await turns(3)();
      fail('three');
    });
    expect(then.told).toContain('It is four.');
    expect(await replay(guarded, then.events)).toEqual({ told: then.told, divergences: [] });
  });

  it('are told apart by when they began, where they ask for the same', async () => {
    const same: Program = async (web) => {
      const told: string[] = [];
      const one = async (name: string): Promise<void> => void told.push(`${name}: ${await web.ask('the same')}`);
      await Promise.all(['first', 'second'].map(one));
      return told;
    };
    const then = await record(same, async ({ giveLast }) => {
      giveLast('the same', 'second to ask, first to know');
      await turns(3)();
      giveLast('the same', 'first to ask');
    });
    expect(then.told).toEqual(['second: second to ask, first to know', 'first: first to ask']);
    expect(await replay(same, then.events)).toEqual({ told: then.told, divergences: [] });
  });

  it('go on where each was given what the other asked for: they asked for the same in another order than then', async () => {
    /** Either part asks for the same behind some work, and then for something of its own. */
    const crossed =
      (first: number, second: number): Program =>
      async (web) => {
        const told: string[] = [];
        const one = async (name: string, work: number): Promise<void> => {
          await turns(work)();
          told.push(`${name}: ${await web.ask('the same')}`);
          told.push(await web.ask(name));
        };
        await Promise.all([one('first', first), one('second', second)]);
        return told;
      };
    const then = await record(crossed(0, 12), async ({ give }) => {
      give('the same', 'it');
      await turns(3)();
      give('first', 'first ends');
      await turns(12)();
      give('the same', 'it');
      await turns(3)();
      give('second', 'second ends');
    });
    expect(then.told).toEqual(['first: it', 'first ends', 'second: it', 'second ends']);
    const now = await replay(crossed(6, 0), then.events);
    expect(now.divergences).toEqual([]);
    expect(now.told.toSorted()).toEqual(then.told.toSorted());
  });

  it.each([0, 2, 60])('end behind the beginning of others, however long that takes: %i turns', async (silent) => {
    const racing: Program = async (web, _, pause) => {
      const told: string[] = [];
      const slow = async (): Promise<void> => {
        await pause();
        told.push('slow asks');
        told.push(await web.ask('slow'));
      };
      const quick = async (): Promise<void> => void told.push(await web.ask('quick'));
      await Promise.all([slow(), quick()]);
      return told;
    };
    const then = await record(racing, async ({ give }) => {
      give('quick', 'quick ends');
      give('slow', 'slow ends');
    });
    expect(then.told).toEqual(['slow asks', 'quick ends', 'slow ends']);
    expect(await replay(racing, then.events, silent)).toEqual({ told: then.told, divergences: [] });
  });

  it('are given where a piece of a stream, by the clock of a machine that was held up, came after what it led to', async () => {
    const call = (atMs: number, latencyMs: number, given: Partial<PortCall>): LoggedEvent => ({
      seq: 1,
      atMs,
      event: { type: 'call', call: { port: 'web', method: 'ask', request: ['effect'], latencyMs, ...given } },
    });
    const asked = { model: 'compatible:fake', messages: [] };
    const player = createPlayer([
      call(129, 1, { response: 'effect' }),
      // It began at 54 and had this piece at 104; that it ended was noted 46 ms late.
      call(200, 100, {
        port: 'answer.model',
        method: 'answer@3',
        request: asked,
        response: { text: 'text', pieces: [4, 50_000] },
      }),
    ]);
    const program = async (): Promise<readonly unknown[]> => {
      const stream = await player.streamModel(asked, new AbortController().signal);
      await stream.piece(0);
      const { response } = await player.ask({ port: 'web', method: 'ask', request: ['effect'] });
      return [...stream.pieces, response, (await stream.end()).response];
    };
    expect(await player.play(program())).toMatchObject(['text', 'effect', { text: 'text' }]);
    expect(player.divergences()).toEqual(['the trace is from before times and ids were recorded']);
  });

  it('that a program of today makes no more are said, and the others come', async () => {
    const both: Program = async (web) => Promise.all([web.ask('old'), web.ask('kept')]);
    const then = await record(both, async ({ give }) => {
      give('old', 'old');
      give('kept', 'kept');
    });
    const now = await replay(async (web) => [await web.ask('kept')], then.events);
    expect(now).toEqual({ told: ['kept'], divergences: ['web.ask was not asked'] });
  });

  it('that end after a reading of the clock do so though the program of today reads it less often', async () => {
    const reading: Program = async (web, clock) => {
      for (let at = 0; at < 5; at += 1) clock.elapsedMs();
      return [await web.ask('one'), await web.ask('two')];
    };
    const then = await record(reading, async ({ give }) => {
      give('one', '1');
      await turns(3)();
      give('two', '2');
    });
    const now = await replay(async (web) => [await web.ask('one'), await web.ask('two')], then.events);
    expect(now).toEqual({ told: ['1', '2'], divergences: [] });
  });
});
