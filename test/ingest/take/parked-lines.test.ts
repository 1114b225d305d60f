// A line of JSONL that costs its parser the process is parked after three tries; those beside it are read all the while.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLines } from '../../../src/ingest/read/cut.ts';
import type { LinesJob, LinesReply } from '../../../src/ingest/read/parse.ts';
import { type FolderRun, openFolderRun, realParsers } from '../../../testkit/folder-run.ts';

const line = (id: string, text = `Text of ${id}.`): string => JSON.stringify({ id, text });
const deadly = line('d', 'DEADLY');

let place: FolderRun;
/** How often the deadly line was given to a parser. */
let deaths = 0;
let isMended = false;

/** As the pool replies when one line kills its parser (test/ingest/read/parser-pool.test.ts). */
async function withDeaths(job: LinesJob): Promise<LinesReply> {
  const lines = new TextDecoder().decode(job.bytes).split('\n');
  const isDeadly = (lineNumber: number): boolean =>
    !isMended && lines[lineNumber - job.firstLine]?.includes('DEADLY') === true;
  const wanted = job.only ?? Array.from({ length: job.lineCount }, (_, at) => job.firstLine + at);
  const dead = wanted.filter(isDeadly);
  deaths += dead.length;
  const only = wanted.filter((lineNumber) => !isDeadly(lineNumber));
  const read = only.length === 0 ? [] : readLines({ ...job, only });
  const faults = dead.map((lineNumber) => ({
    lineNumber,
    code: 'too-large' as const,
    fault: `Line ${lineNumber} made its parser run out of memory.`,
  }));
  return [...read, ...faults].toSorted((a, b) => a.lineNumber - b.lineNumber);
}

beforeEach(async () => {
  [deaths, isMended] = [0, false];
  place = await openFolderRun({ ...realParsers, readLines: withDeaths });
});
afterEach(() => place.close());

describe('a line that kills its parser', () => {
  it('is tried in three runs, then parked with its reason, and never again until it changes', async () => {
    await place.write('data.jsonl', [line('a'), deadly, line('b'), ''].join('\n'));
    for (const [run, state] of ['failed', 'failed', 'failed', 'parked', 'parked'].entries()) {
      const { files } = await place.sync();
      expect(files.get('data.jsonl:2'), `run ${run}`).toMatchObject({
        state,
        error: { code: 'too-large', message: expect.stringContaining('run out of memory') },
      });
      expect(deaths).toBe(Math.min(3, run + 1));
      expect(await place.uris()).toEqual(['data.jsonl#a', 'data.jsonl#b']);
    }
    const parked = await place.record.readings.failures({ minTries: 3 });
    expect(parked.data.map(({ uri, tries }) => [uri, tries])).toEqual([['data.jsonl:2', 3]]);

    // It moves: known by its bytes. It changes: read.
    await place.write('data.jsonl', [line('new'), line('a'), deadly, line('b'), ''].join('\n'));
    expect((await place.sync()).files.get('data.jsonl:3')?.state).toBe('parked');
    expect(deaths).toBe(3);
    expect((await place.record.readings.failures({})).data.map(({ uri }) => uri)).toEqual(['data.jsonl:3']);
    await place.write('data.jsonl', [line('a'), line('d', 'Harmless.'), ''].join('\n'));
    expect([...(await place.sync()).files.keys()]).not.toContain('data.jsonl:3');
    expect(await place.uris()).toEqual(['data.jsonl#a', 'data.jsonl#d']);
    expect((await place.record.readings.failures({})).data).toEqual([]);
  });

  it('is read again when somebody asks for it', async () => {
    await place.write('data.jsonl', [line('a'), deadly].join('\r\n'));
    for (let run = 0; run < 4; run += 1) await place.sync();
    expect(deaths).toBe(3);
    expect((await place.sync({ retry: true })).files.get('data.jsonl:2')?.state).toBe('failed');
    expect(deaths).toBe(4);
    expect((await place.sync()).files.get('data.jsonl:2')?.state).toBe('parked');
    isMended = true;
    await place.sync({ retry: true });
    expect(await place.uris()).toEqual(['data.jsonl#a', 'data.jsonl#d']);
    expect((await place.record.readings.failures({})).data).toEqual([]);
  });

  it('takes no document of its file for gone before it is given up', async () => {
    await place.write('data.jsonl', [line('a'), line('d')].join('\n'));
    await place.sync();
    await place.write('data.jsonl', [line('a'), deadly].join('\n'));
    await place.sync();
    expect(await place.uris()).toEqual(['data.jsonl#a', 'data.jsonl#d']);
    for (let run = 0; run < 3; run += 1) await place.sync();
    expect(await place.uris()).toEqual(['data.jsonl#a']);
  });

  it('is parked too in a file that is added by itself', async () => {
    const add = (retry = false) =>
      place.pipeline.addDocument({
        bytes: new TextEncoder().encode([line('a'), deadly].join('\n')),
        name: 'data.jsonl',
        source: 'files',
        ...(retry && { retry }),
      });
    for (let time = 0; time < 4; time += 1) await add();
    expect(deaths).toBe(3);
    const [first] = await add();
    expect(first?.warnings).toEqual([expect.stringMatching(/^Line 2: .*Parked after 3 tries/)]);
    await add(true);
    expect(deaths).toBe(4);
  });
});
