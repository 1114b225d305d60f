// The reader of events gives each event once, however its bytes are cut.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventReader, eventsOf } from '../../src/shared/events.ts';

const stream =
  'id: s.1\nevent: status\ndata: {"a":1}\n\n: still there\n\nid: s.2\ndata: {"b":"ü🌊"}\n\ndata: 1\ndata: 2\n\n';
const events = [{ id: 's.1', data: '{"a":1}' }, { id: 's.2', data: '{"b":"ü🌊"}' }, { data: '1\n2' }];

describe('events of a stream', () => {
  it('are the same wherever it is cut, and whatever ends its lines', () => {
    for (const text of [stream, stream.replaceAll('\n', '\r\n'), stream.replaceAll('\n', '\r')])
      fc.assert(
        fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
          const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
          const read = createEventReader();
          const found = places.slice(1).flatMap((to, at) => read(text.slice(places[at], to)));
          expect([...found, ...read('\n\n')]).toEqual(events);
        }),
      );
  });

  it('are read from bytes that cut characters in two, and the stream is let go of when nobody reads on', async () => {
    const bytes = new TextEncoder().encode(stream.slice(0, stream.indexOf('data: 1')));
    let isLetGo = false;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      },
      cancel() {
        isLetGo = true;
      },
    });
    const found: unknown[] = [];
    for await (const event of eventsOf<object>(body)) {
      found.push(event);
      if (found.length === 2) break;
    }
    expect(found).toEqual([{ a: 1 }, { b: 'ü🌊' }]);
    expect(isLetGo).toBe(true);
  });
});
