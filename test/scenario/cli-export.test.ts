// What is known in one data folder, moved into another as lines of JSON: to the same answers, twice as once, and not at all where a line is not good.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

describe('an export', () => {
  let place: Workplace;
  let lines: string[];
  beforeAll(async () => {
    place = await openWorkplace();
    await appendFile(join(place.folder, 'pier.md'), '# The pier\n\nThe pier of Aveiro is 210 metres long.\n');
    const chat = { conversation_id: 'roof', turn_id: 't1', title: 'The roof', timestamp: '2024-03-01T10:00:00Z' };
    const said = [
      { ...chat, role: 'user', text: 'Which solar panels fit our roof?' },
      { ...chat, role: 'assistant', text: 'Panels of 1.7 m fit twice.' },
    ];
    await writeFile(join(place.folder, 'chat.jsonl'), said.map((one) => `${JSON.stringify(one)}\n`).join(''));
    for (const words of [
      ['ingest', 'pier.md'],
      ['import', 'jsonl', 'chat.jsonl'],
      ['memory', 'add', 'I always moor at the old pier.'],
    ])
      expect((await place.run(words)).code, words.join(' ')).toBe(0);
    const { id } = (await place.run(['ask', 'How long is the pier?', '--json'])).json() as { id: string };
    expect((await place.run(['feedback', 'give', id, 'up', '--comment', 'Right.'])).code).toBe(0);
    const exported = await place.run(['export']);
    lines = exported.out.trim().split('\n');
    await writeFile(join(place.folder, 'all.jsonl'), exported.out);
  });
  afterAll(() => place.remove());

  /** Lists come as pages or whole. */
  async function rows<Row>(words: readonly string[], data: string): Promise<readonly Row[]> {
    const value = (await place.run([...words, 'list', '--json', '--data', data])).json() as Row[] | { data: Row[] };
    return Array.isArray(value) ? value : value.data;
  }
  const documentsIn = async (data: string) =>
    (await rows<{ id: string }>(['documents'], data)).map(({ id }) => id).toSorted();

  it('is brought in twice as once, to the same answer', async () => {
    expect(lines.map((line) => (JSON.parse(line) as { kind?: string }).kind)).toEqual(
      expect.arrayContaining([undefined, 'document', 'conversation', 'memory', 'feedback']),
    );
    for (const again of [false, true]) {
      const report = await place.run(['import', 'footnote', 'all.jsonl', '--data', 'other', '--json']);
      expect(report.json(), `${report.err} ${again}`).toMatchObject({ conversation: 1, memory: 1, feedback: 1 });
    }
    expect(await documentsIn('other')).toEqual(await documentsIn('.footnote'));
    expect(await rows(['conversations'], 'other')).toMatchObject([{ conversation_id: 'roof', turns: 1 }]);
    expect(await rows(['memory'], 'other')).toHaveLength(1);
    expect(await rows(['feedback'], 'other')).toMatchObject([{ rating: 'up', comment: 'Right.' }]);
    const asked = async (data: string) =>
      ((await place.run(['ask', 'How long is the pier?', '--json', '--data', data])).json() as { answer: string })
        .answer;
    expect(await asked('other')).toBe(await asked('.footnote'));
  });

  it('is refused by the number of a line that is not good, and nothing of it is brought in', async () => {
    const bad = [
      [...lines, '{"kind":'],
      [...lines.slice(0, 2), '{"kind":"planet"}', ...lines.slice(2)],
      lines.slice(1),
      [lines[0] ?? '', '{"kind":"document","uri":"x"}'],
    ];
    for (const [at, number] of [lines.length + 1, 3, 1, 2].entries()) {
      await writeFile(join(place.folder, 'bad.jsonl'), `${bad[at]?.join('\n')}\n`);
      const { code, err } = await place.run(['import', 'footnote', 'bad.jsonl', '--data', `bad-${at}`]);
      expect([code, err]).toEqual([2, expect.stringContaining(`line ${number}:`) as string]);
    }
    const newer = JSON.stringify({ ...(JSON.parse(lines[0] ?? '') as object), version: 2 });
    await writeFile(join(place.folder, 'bad.jsonl'), newer);
    expect((await place.run(['import', 'footnote', 'bad.jsonl', '--data', 'bad'])).code).toBe(12);
    expect(await readFile(join(place.folder, 'all.jsonl'), 'utf8')).toContain('footnote-export');
  });
});
