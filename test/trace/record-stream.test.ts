// Streams in the trace: whole, failed in the middle, left by their reader, and ended by a signal that the stream has not noticed yet.

import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import { systemClock } from '../../src/core/ids.ts';
import { recordStream, type StreamRecord } from '../../src/trace/record-stream.ts';
import { withRecorder } from '../../src/trace/recorder.ts';
import { callContext } from '../../testkit/request-context.ts';

async function* count(to: number, failure?: Error): AsyncGenerator<number, void, void> {
  for (let n = 1; n <= to; n++) yield n;
  if (failure) throw failure;
}

function recorded(source: AsyncIterable<number>, signal?: AbortSignal) {
  const records: StreamRecord<number>[] = [];
  return { records, stream: recordStream(source, (record) => records.push(record), { clock: systemClock, signal }) };
}

describe('recordStream', () => {
  it('passes every part on at once, and reports them at the end', async () => {
    const { records, stream } = recorded(count(3));
    const seen: number[] = [];
    for await (const part of stream) {
      seen.push(part);
      expect(records).toEqual([]);
    }
    expect(seen).toEqual([1, 2, 3]);
    expect(records).toEqual([
      {
        parts: [1, 2, 3],
        atMs: expect.any(Array),
        wasLeft: false,
        latencyMs: expect.any(Number),
        endedMs: expect.any(Number),
      },
    ]);
  });

  it('keeps what came before a failure, and throws it on unchanged', async () => {
    const failure = new FootnoteError('upstream-unavailable', 'cut');
    const { records, stream } = recorded(count(2, failure));
    await expect(Array.fromAsync(stream)).rejects.toBe(failure);
    expect(records).toMatchObject([
      { parts: [1, 2], wasLeft: false, error: { code: 'upstream-unavailable', message: 'cut' } },
    ]);
  });

  it('says that the reader left, and closes the source', async () => {
    let isClosed = false;
    async function* source() {
      try {
        yield* count(9);
      } finally {
        isClosed = true;
      }
    }
    const { records, stream } = recorded(source());
    for await (const part of stream) if (part === 2) break;
    expect(isClosed).toBe(true);
    expect(records).toMatchObject([{ parts: [1, 2], wasLeft: true }]);
    expect(records[0]).not.toHaveProperty('error');
  });

  it('reports in the moment of an abort, once', async () => {
    const leaving = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    async function* slow() {
      yield 1;
      await promise;
    }
    const { records, stream } = recorded(slow(), leaving.signal);
    await stream.next();
    const next = stream.next();
    leaving.abort();
    expect(records).toMatchObject([{ parts: [1], wasLeft: true }]);
    resolve();
    await next;
    expect(records).toHaveLength(1);
  });

  it('tells a deadline from a reader who left', async () => {
    const deadline = new AbortController();
    const { records, stream } = recorded(count(3), deadline.signal);
    await stream.next();
    deadline.abort(new DOMException('late', 'TimeoutError'));
    expect(records).toMatchObject([{ wasLeft: false, error: { code: 'deadline-exceeded' } }]);
  });

  it('reports nothing of a stream that nobody read', async () => {
    const { records, stream } = recorded(count(3));
    await stream.return();
    expect(records).toEqual([]);
  });
});

describe('withRecorder', () => {
  it('records streams of any port when they are over', async () => {
    const events: FootnoteEvent[] = [];
    const port = withRecorder(
      'p',
      { count: (to: number) => count(to) },
      callContext({ sink: (event) => events.push(event) }),
    );
    expect(await Array.fromAsync(port.count(2))).toEqual([1, 2]);
    expect(events).toMatchObject([
      { type: 'call', call: { port: 'p', method: 'count', request: [2], response: { parts: [1, 2], wasLeft: false } } },
    ]);
  });
});
