// Chunks as an encoder reads them: in windows, under their titles, and only in a language that it knows.
import { describe, expect, it } from 'vitest';
import { createChunkEncoder, windowsOf } from '../../../src/models/encoder/chunk-encoder.ts';
import { createStandInEncoder } from './stand-in-encoder.ts';

const sentence = 'The pump is checked every morning before the first guest arrives. ';
const long = sentence.repeat(40);

function open() {
  const encoder = createStandInEncoder();
  const gaveWay: number[] = [];
  const chunks = createChunkEncoder({
    ...encoder,
    about: async () => ({ id: encoder.id, dimensions: encoder.dimensions }),
    giveWay: async () => void gaveWay.push(encoder.calls.length),
  });
  return { chunks, calls: encoder.calls, gaveWay };
}

describe('windowsOf', () => {
  it('loses nothing but space between its pieces, and ends them with a sentence', () => {
    const windows = windowsOf(long);
    expect(windows.length).toBeGreaterThan(2);
    expect(windows.join(' ')).toBe(long.trim());
    for (const window of windows) {
      expect(window.endsWith('.')).toBe(true);
      expect(window.length).toBeLessThanOrEqual(920);
    }
  });

  it('cuts a text without sentences or spaces all the same, and adds a short rest to the window before it', () => {
    expect(windowsOf('x'.repeat(2_000)).map(({ length }) => length)).toEqual([800, 800, 400]);
    expect(windowsOf(`${'x'.repeat(800)} rest`)).toEqual([`${'x'.repeat(800)} rest`]);
    expect(windowsOf('short')).toEqual(['short']);
    expect(windowsOf(' \n ')).toEqual([]);
  });
});

describe('createChunkEncoder', () => {
  it('is the mean of the windows, of length 1, each under the titles of the chunk', async () => {
    const { chunks, calls, gaveWay } = open();
    const vector = await chunks.encodeChunk({ head: 'Pool', text: `${'a '.repeat(400)}${'b '.repeat(400)}` });
    expect(calls).toEqual([[`Pool\n${'a '.repeat(400).trim()}`], [`Pool\n${'b '.repeat(400).trim()}`]]);
    expect(vector[0]).toBeCloseTo(Math.SQRT1_2, 6);
    expect([vector[1], vector[2]]).toEqual([vector[0], 0]);
    // Before each window, not once for the chunk.
    expect(gaveWay).toEqual([0, 1]);
  });

  it('says nothing of a text in another language, and does not ask', async () => {
    const { chunks, calls } = open();
    const german = 'Die Pumpe wird jeden Morgen geprüft, bevor der erste Gast kommt, und das ist nicht alles.';
    const none = new Float32Array(3);
    expect(await chunks.encodeChunk({ head: 'Becken', text: german })).toEqual(none);
    expect(await chunks.encodeQuery(german)).toEqual(none);
    expect(await chunks.encodeQuery('متى يتم فحص المضخة؟')).toEqual(none);
    expect(await chunks.encodeChunk({ head: '', text: ' ' })).toEqual(none);
    expect(calls).toEqual([]);
    expect(await chunks.encodeQuery('abba')).not.toEqual(none);
  });
});
