import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { lineRuns } from '../../src/canonical/line-runs.ts';
import { isJsonlOfDocuments, type JsonlFault, type JsonlRecord, recordsOf } from '../../src/data/jsonl.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
async function all(input: Parameters<typeof lineRuns>[0]): Promise<(JsonlRecord | JsonlFault)[]> {
  const runs = await Array.fromAsync(lineRuns(input));
  return runs.flatMap((run) => [...recordsOf(run)]);
}

describe('recordsOf', () => {
  it('takes over id, title, uri, dates and metadata', async () => {
    const line = {
      _id: 7,
      title: ' T ',
      text: 'x\r\ny',
      url: 'http://u',
      date: '2020-01-02',
      lang: 'en-GB',
      stars: 3,
      metadata: { by: 'me', updated: '2021-02-03T04:05:06Z' },
    };
    const [record] = await all(bytes(JSON.stringify(line)));
    expect(record).toMatchObject({
      lineNumber: 1,
      id: '7',
      title: 'T',
      uri: 'http://u',
      text: 'x\ny',
      publishedAt: '2020-01-02',
      updatedAt: '2021-02-03T04:05:06.000Z',
      language: 'en',
      metadata: { stars: 3, by: 'me' },
    });
  });

  it('reports bad lines and goes on', async () => {
    const records = await all(bytes('{"text": "a"}\r\n\nnope\n[1]\n{"id": "x"}\n{"text": "b"}'));
    expect(records.map((record) => ('error' in record ? `${record.lineNumber}!` : record.text))).toEqual([
      'a',
      '3!',
      '4!',
      '5!',
      'b',
    ]);
    expect(
      records
        .filter((record) => 'error' in record)
        .every((fault) => (fault as JsonlFault).error.code === 'invalid-media'),
    ).toBe(true);
  });

  it('reads gzip, and streams cut anywhere', async () => {
    const packed = gzipSync(bytes('{"text": "é漢"}\n'.repeat(50)));
    const stream = async function* () {
      for (const byte of packed) yield Uint8Array.of(byte);
    };
    const records = await all(stream());
    expect(records).toHaveLength(50);
    expect(records[49]).toMatchObject({ lineNumber: 50, text: 'é漢' });
  });

  it('refuses a gzip bomb and a damaged stream', async () => {
    const bomb = gzipSync(new Uint8Array(80_000_000).fill(0x20));
    await expect(all(bomb)).rejects.toMatchObject({ code: 'too-large' });
    const packed = gzipSync(bytes('{"text": "a"}\n'.repeat(1000)));
    await expect(all(packed.subarray(0, packed.length - 12))).rejects.toMatchObject({ code: 'invalid-media' });
  });

  it('does not let a line reach the prototype', async () => {
    const [record] = await all(
      bytes('{"text": "a", "__proto__": {"polluted": 1}, "metadata": {"__proto__": {"polluted": 1}}}'),
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((record as JsonlRecord).metadata['polluted']).toBeUndefined();
  });
});

describe('a dump of questions', () => {
  const lines = [
    { id: 7, question: 'Must it stop for a backup?', answer: 'No, it runs on.', url: 'https://qa.example/7', votes: 3 },
    { question: 'Why twice?\nI saw it twice.', answer: 'It is delivered at least once.', title: 'Duplicates' },
  ];
  const dump = lines.map((line) => JSON.stringify(line)).join('\n');

  it('is a document for each question, under its question', async () => {
    expect(await isJsonlOfDocuments(bytes(dump))).toBe(true);
    expect([...recordsOf({ bytes: bytes(dump), firstLine: 1 })]).toMatchObject([
      {
        id: '7',
        title: 'Must it stop for a backup?',
        uri: 'https://qa.example/7',
        text: 'No, it runs on.',
        metadata: { votes: 3 },
      },
      { title: 'Duplicates', text: 'Why twice?\nI saw it twice.\n\nIt is delivered at least once.', metadata: {} },
    ]);
  });

  it.each([
    ['a passage beside it', { question: 'What?', answer: 'That.', context: 'x'.repeat(300) }],
    ['no answer', { question: 'What?', answer: '' }],
    ['an answer that is a list', { question: 'What?', answer: ['That.'] }],
  ])('is none with %s', async (_, line) => {
    expect(await isJsonlOfDocuments(bytes(JSON.stringify(line)))).toBe(false);
  });
});

describe('isJsonlOfDocuments', () => {
  it.each([
    ['{"text": "a"}', true],
    ['\n{"id": 1, "text": "a"}\n', true],
    ['{"a": 1}\n{"text": "a"}', false],
    ['not json\n{"text": "a"}', true],
    ['', false],
  ])('%j: %s', async (text, expected) => {
    expect(await isJsonlOfDocuments(bytes(text))).toBe(expected);
  });
});
