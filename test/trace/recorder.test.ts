import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import { freezeJson, printJson } from '../../src/core/traces/kept-json.ts';
import { createEventLog, toTraceJson, toTraceText, withRecorder } from '../../src/trace/recorder.ts';
import { callContext } from '../../testkit/request-context.ts';

function recorded<Port extends object>(port: Port): { port: Port; events: FootnoteEvent[] } {
  const events: FootnoteEvent[] = [];
  return { port: withRecorder('p', port, callContext({ sink: (event) => events.push(event) })), events };
}

describe('withRecorder', () => {
  it('records arguments and results of asynchronous and synchronous methods', async () => {
    const { port, events } = recorded({
      name: 'x',
      twice: async (n: number) => n * 2,
      plain: (text: string) => text.length,
    });
    expect(port.name).toBe('x');
    expect(await port.twice(4)).toBe(8);
    expect(port.plain('abc')).toBe(3);
    expect(events).toMatchObject([
      { type: 'call', call: { port: 'p', method: 'twice', request: [4], response: 8 } },
      { type: 'call', call: { port: 'p', method: 'plain', request: ['abc'], response: 3 } },
    ]);
  });

  it('records errors and throws them on unchanged', async () => {
    const failure = new FootnoteError('not-found', 'gone');
    const { port, events } = recorded({
      later: async () => Promise.reject(failure),
      now: () => {
        throw failure;
      },
    });
    await expect(port.later()).rejects.toBe(failure);
    expect(() => port.now()).toThrow(failure);
    expect(events.map((event) => event.type === 'call' && event.call.error?.code)).toEqual(['not-found', 'not-found']);
  });

  it('keeps every field that JSON can name, whatever its name does to an object', () => {
    const text = '{"__proto__":{"a":1},"constructor":2,"toString":[3]}';
    const kept = toTraceJson(JSON.parse(text));
    expect(JSON.stringify(kept)).toBe(text);
    expect((kept as { a?: number }).a).toBeUndefined();
  });

  it('keeps vectors to the last bit, and small', async () => {
    const vector = Float32Array.from({ length: 300 }, (_, at) => Math.sin(at) / 3);
    const { port, events } = recorded({ near: async (given: Float32Array) => [given.subarray(1, 3)] });
    await port.near(vector);
    const [event] = events;
    const call = event?.type === 'call' ? event.call : undefined;
    const read = (kept: unknown): number[] => {
      const [first] = kept as readonly { readonly float32: string }[];
      const bytes = Buffer.from(first?.float32 ?? '', 'base64');
      return [...new Float32Array(new Uint8Array(bytes).buffer)];
    };
    expect(read(call?.request)).toEqual([...vector]);
    expect(read(call?.response)).toEqual([...vector.subarray(1, 3)]);
    expect(JSON.stringify(call?.request).length).toBeLessThan(vector.byteLength * 1.4);
  });

  it('keeps `this` of the port', () => {
    const { port } = recorded({
      count: 1,
      next() {
        this.count += 1;
        return this.count;
      },
    });
    expect(port.next()).toBe(2);
  });
});

describe('toTraceJson', () => {
  it('is total: cycles, depth, bytes, signals and odd numbers', () => {
    const cyclic: Record<string, unknown> = { a: 1 };
    cyclic['self'] = cyclic;
    let deep: unknown = 'bottom';
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    const result = toTraceJson({
      cyclic,
      deep,
      bytes: new Uint8Array(3),
      signal: new AbortController().signal,
      nan: Number.NaN,
      big: 10n,
      list: [undefined, 1],
    });
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({
      cyclic: { a: 1, self: '[circular]' },
      bytes: { bytes: 3 },
      nan: 'NaN',
      big: '10',
      list: [null, 1],
    });
  });
});

describe('toTraceText', () => {
  it('is the text of toTraceJson, of plain values and of others', () => {
    const odd = fc.constantFrom<unknown>(
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      -0,
      12n,
      undefined,
      Symbol('s'),
      () => 1,
      new Uint8Array(3),
      Float32Array.of(1, 0.1),
      AbortSignal.abort(),
      new Date(0),
      new Map([[1, 2]]),
      { toJSON: () => 'other', a: 1 },
      Object.create(null),
      [],
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        odd,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(toTraceText(value)).toBe(JSON.stringify(toTraceJson(value)));
      }),
      { numRuns: 2_000, seed: 20_261_122 },
    );
  });

  it('takes the JSON that a value carries, alone and in a list', () => {
    const one = freezeJson({ text: 'a "b"', list: [1, { c: null }] });
    const two = freezeJson({ d: 2 });
    expect(toTraceText(one)).toBe(JSON.stringify(one));
    expect(toTraceText([one, { e: Number.NaN }, two, undefined])).toBe(
      `[${JSON.stringify(one)},{"e":"NaN"},{"d":2},null]`,
    );
  });
});

describe('what is recorded of a call', () => {
  it('stays as it was when the call ended', async () => {
    const answer = { hits: ['a'] };
    const { port, events } = recorded({ find: async (given: string[]) => (given.length > 0 ? answer : undefined) });
    const given = ['q'];
    await port.find(given);
    await port.find([]);
    given.push('later');
    answer.hits.push('later');
    const [call, empty] = events.map((event) => (event.type === 'call' ? event.call : undefined));
    expect(call).toEqual({
      port: 'p',
      method: 'find',
      request: [['q']],
      response: { hits: ['a'] },
      latencyMs: call?.latencyMs,
    });
    expect(JSON.parse(JSON.stringify(call))).toEqual(call);
    expect(empty).not.toHaveProperty('response');
  });

  it('is not copied where it carries its JSON, alone or in a list', async () => {
    const row = freezeJson({ text: 'a' });
    const { port, events } = recorded({ rows: async (): Promise<readonly object[]> => [row, { odd: Number.NaN }] });
    await port.rows();
    const [event] = events;
    const response = event?.type === 'call' ? event.call.response : undefined;
    expect(response).toEqual([row, { odd: 'NaN' }]);
    expect((response as readonly object[])[0]).toBe(row);
    expect(printJson(response)).toBe('[{"text":"a"},{"odd":"NaN"}]');
  });

  it('has the failure too', async () => {
    const { port, events } = recorded({ find: async () => Promise.reject(new FootnoteError('not-found', 'gone "x"')) });
    await expect(port.find()).rejects.toThrow();
    const [event] = events;
    const call = event?.type === 'call' ? event.call : undefined;
    expect(call?.error).toEqual({ code: 'not-found', message: 'gone "x"' });
  });
});

describe('createEventLog', () => {
  it('has calls end when they did, however long it takes to print what they gave', async () => {
    let now = 10;
    const clock = { now: () => '', elapsedMs: () => now };
    const log = createEventLog(clock);
    const slowToPrint = {
      get word() {
        now += 50;
        return 'said';
      },
    };
    const said = async (): Promise<object> => {
      now = 30;
      return slowToPrint;
    };
    async function* parts(): AsyncGenerator<object, void, void> {
      now = 200;
      yield slowToPrint;
    }
    const port = withRecorder('p', { said, parts }, callContext({ sink: log.sink, clock }));
    await port.said();
    now = 150;
    for await (const _ of port.parts()) now = 260;
    const calls = log.events.flatMap(({ atMs, event }) =>
      event.type === 'call' ? [[event.call.latencyMs, atMs]] : [],
    );
    // Since 10: one from 10 to 30, one from 150 to 260.
    expect(calls).toEqual([
      [20, 20],
      [110, 250],
    ]);
    expect(now).toBeGreaterThan(300);
  });

  it('numbers events without gaps and never runs backwards', () => {
    let clock = 10;
    const log = createEventLog({ now: () => '', elapsedMs: () => clock });
    log.sink({ type: 'delta', text: 'a' });
    clock = 5;
    log.sink({ type: 'delta', text: 'b' });
    expect(log.events.map(({ seq, atMs }) => [seq, atMs])).toEqual([
      [1, 0],
      [2, 0],
    ]);
  });
});
