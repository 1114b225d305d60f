// Learning from an index on a thread of its own: the same model whatever the order and the segments, the same results where no
// thread can be had, and an end as soon as nobody waits.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/core/ids.ts';
import { createBitmap, setBit } from '../../../src/engine/bitmap.ts';
import { buildSegment, type Entry } from '../../../src/engine/build-segment.ts';
import type { SharedSegment } from '../../../src/engine/live-segment.ts';
import { createCorpusTrainer } from '../../../src/models/corpus/trainer.ts';
import { sharedPart } from '../../../src/models/corpus/work.ts';
import { latentFromBytes } from '../../../src/models/corpus/latent-bytes.ts';
import { createLatentSemantics, finish, trainLatentSemantics } from '../../../src/models/corpus/latent-semantics.ts';
import { createRandom } from '../../../testkit/history.ts';

const folder = mkdtempSync(join(tmpdir(), 'footnote-corpus-'));
const trainer = createCorpusTrainer({ version: '1' });
/** Has no thread: its file is not there. */
const threadless = createCorpusTrainer({ version: '1', entry: pathToFileURL(join(folder, 'absent.ts')) });
afterAll(async () => {
  await trainer.close();
  await threadless.close();
  rmSync(folder, { recursive: true, force: true });
});

const subjects = [
  'otter river fish bank',
  'engine piston valve oil',
  'court judge appeal law',
  'bread yeast oven flour',
];

/** Terms of chunk `at`: one of four subjects, and words of its own. */
function fieldsOf(at: number): string[][] {
  const random = createRandom(at + 1);
  const subject = (subjects[at % subjects.length] ?? '').split(' ');
  const body = Array.from({ length: 30 }, () =>
    random.below(3) === 0 ? `word${random.below(60)}` : (subject[random.below(4)] as string),
  );
  return [[subject[0] as string, `title${at % 7}`], [`part${at % 5}`], body];
}

const entryOf = (at: number, row: number): Entry => ({
  row,
  key: `chk_${at}`,
  group: `doc_${at >> 1}`,
  fields: fieldsOf(at),
  extra: fieldsOf(at)[0] as string[],
});

/** Segments of these sizes over the chunks in this order. */
function partsOf(order: readonly number[], sizes: readonly number[] = [order.length]): SharedSegment[] {
  let row = 1;
  let from = 0;
  return sizes.map((size) => {
    const entries = order.slice(from, from + size).map((at) => entryOf(at, row++));
    from += size;
    return { bytes: buildSegment(entries).bytes, dead: undefined };
  });
}

const plain = Array.from({ length: 120 }, (_, at) => at);
const hashOf = (at: number): string => sha256(`chk_${at}`).slice(0, 12);
const inSampleOrder = (order: readonly number[]): number[] =>
  order.toSorted((left, right) => (hashOf(left) < hashOf(right) ? -1 : 1));
const shuffled = (seed: number): number[] => {
  const random = createRandom(seed);
  const order = [...plain];
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other] as number, order[at] as number];
  }
  return order;
};

describe('learning from an index', () => {
  it('gives the model of the chunks, whatever their order, segments and dead', async () => {
    const first = await trainer.train(partsOf(plain));
    expect(first.chunks).toBe(120);
    expect(first.model?.space).toMatch(/^corpus-lsa-1-[0-9a-f]{16}$/);
    for (const seed of [1, 2, 3]) {
      // The last chunk stands there twice, once deleted under another key.
      const parts = partsOf(shuffled(seed), [50, 7, 63]);
      const strange = { ...entryOf(5000, 1000), fields: [['other'], [], ['other', 'other']] };
      const dead = createBitmap(1);
      setBit(dead, 0);
      parts.push({ bytes: buildSegment([strange]).bytes, dead });
      const again = await trainer.train(parts);
      expect(again).toMatchObject({ digest: first.digest, sketch: first.sketch, chunks: 120 });
      expect(Buffer.from(again.model?.bytes ?? []).equals(first.model?.bytes ?? Buffer.alloc(1))).toBe(true);
      expect(await trainer.digest(parts)).toEqual({ digest: first.digest, sketch: first.sketch, chunks: 120 });
    }
    const other = await trainer.digest(partsOf([...plain.slice(0, -1), 777]));
    expect(other.digest).not.toBe(first.digest);
    const version = createCorpusTrainer({ version: '2' });
    expect((await version.digest(partsOf(plain))).digest).not.toBe(first.digest);
    await version.close();
  });

  it('reads titles twice, headings and text once, as the model was measured with', async () => {
    const { model } = await trainer.train(partsOf(plain));
    const documents = inSampleOrder(plain).map((at) => {
      const [title = [], heading = [], body = []] = fieldsOf(at);
      return { terms: [...title, ...title, ...heading, ...body] };
    });
    const weights = finish(trainLatentSemantics(documents));
    expect(latentFromBytes(model?.bytes ?? new Uint8Array())).toEqual(weights);
  });

  it('sketches a corpus by the first of its keys, in the order of their hashes', async () => {
    const { sketch } = await trainer.survey(partsOf(plain));
    const first = inSampleOrder(plain).map((at) => hashOf(at).slice(0, 8));
    expect(sketch).toBe(first.slice(0, 512).join(''));
  });

  it('embeds rows, and leaves out documents that are not whole', async () => {
    const parts = partsOf(plain, [60, 60]);
    const { model } = await trainer.train(parts);
    if (!model) throw new Error('nothing was learned');
    const dead = createBitmap(60);
    setBit(dead, 0);
    const [one, two] = parts as [SharedSegment, SharedSegment];
    const rows = [
      { firstRow: 60, lastRow: 61 },
      { firstRow: 1, lastRow: 2 },
      { firstRow: 120, lastRow: 121 },
    ];
    const [across, broken, beyond] = await trainer.embed([{ ...one, dead }, two], { model, documents: rows });
    expect([broken, beyond]).toEqual([undefined, undefined]);
    const semantics = createLatentSemantics(latentFromBytes(model.bytes));
    const [title = [], heading = [], body = []] = fieldsOf(60);
    expect(across?.subarray(model.dimensions)).toEqual(semantics.embed([...title, ...title, ...heading, ...body]));
    expect(across?.length).toBe(2 * model.dimensions);
  });

  it('does the same without a thread, and lets others run meanwhile', async () => {
    const parts = partsOf(plain, [100, 20]);
    const [there, here] = await Promise.all([trainer.train(parts), threadless.train(parts)]);
    expect(here).toEqual(there);
    const documents = [{ firstRow: 3, lastRow: 9 }];
    const given = { model: here.model as NonNullable<typeof here.model>, documents };
    expect(await threadless.embed(parts, given)).toEqual(await trainer.embed(parts, given));
  });

  it('learns nothing from too few chunks', async () => {
    expect(await trainer.train(partsOf(plain.slice(0, 31)))).toMatchObject({ chunks: 31, model: undefined });
    expect((await trainer.train(partsOf(plain.slice(0, 50)))).model?.dimensions).toBeGreaterThan(4);
  });

  it('ends at once when nobody waits any more', async () => {
    for (const one of [trainer, threadless]) {
      const controller = new AbortController();
      const parts = partsOf(Array.from({ length: 3000 }, (_, at) => at));
      const training = one.train(parts, controller.signal);
      setImmediate(() => controller.abort());
      await expect(training).rejects.toMatchObject({ code: 'cancelled' });
      await expect(one.survey(partsOf(plain), AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    }
    // The thread is free again.
    expect((await trainer.survey(partsOf(plain))).chunks).toBe(120);
  });

  it('tries work of a thread that died on another, and not a third time', async () => {
    const entry = join(folder, 'dying.mjs');
    const memory = join(folder, 'died');
    const real = fileURLToPath(new URL('../../../src/models/corpus/corpus-worker.ts', import.meta.url));
    const write = (always: boolean): void =>
      writeFileSync(
        entry,
        `import { existsSync, writeFileSync } from 'node:fs';
         import { parentPort } from 'node:worker_threads';
         parentPort.on('message', () => {
           if (!${always} && existsSync(${JSON.stringify(memory)})) return;
           writeFileSync(${JSON.stringify(memory)}, '');
           process.exit(7);
         });
         await import(${JSON.stringify(pathToFileURL(real).href)});`,
      );
    write(false);
    const once = createCorpusTrainer({ version: '1', entry: pathToFileURL(entry) });
    expect((await once.survey(partsOf(plain))).chunks).toBe(120);
    await once.close();
    write(true);
    const twice = createCorpusTrainer({ version: '1', entry: pathToFileURL(entry) });
    await expect(twice.survey(partsOf(plain))).rejects.toMatchObject({ code: 'upstream-unavailable' });
    await twice.close();
  });

  it('holds no process, and its thread ends when it was idle', () => {
    const script = join(folder, 'idle.ts');
    const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    writeFileSync(
      script,
      `import { buildSegment } from ${at('../../../src/engine/build-segment.ts')};
       import { createCorpusTrainer } from ${at('../../../src/models/corpus/trainer.ts')};
       const entries = Array.from({ length: 40 }, (_, at) => ({ row: at + 1, key: 'k' + at, group: 'g', fields: [['a' + (at % 3), 'b']], extra: [] }));
       const trainer = createCorpusTrainer({ version: '1', idleMs: 60_000 });
       const hold = setInterval(() => undefined, 1000);
       const { chunks } = await trainer.survey([{ bytes: buildSegment(entries).bytes, dead: undefined }]);
       clearInterval(hold);
       process.stdout.write(String(chunks));`,
    );
    const printed = execFileSync(process.execPath, [script], { encoding: 'utf8', timeout: 120_000 });
    expect(printed).toBe('40');
  });
});

describe('what two corpora share', () => {
  const survey = (from: number, to: number) =>
    trainer.survey(partsOf(Array.from({ length: to - from }, (_, at) => from + at)));

  it('is exact for small ones and an estimate for large ones', async () => {
    const [base, grown, half, apart, none] = await Promise.all([
      survey(0, 200),
      survey(0, 250),
      survey(100, 300),
      survey(500, 600),
      trainer.survey([]),
    ]);
    expect(sharedPart(base, base)).toBe(1);
    expect(sharedPart(base, grown)).toBeCloseTo(0.8, 6);
    expect(sharedPart(grown, base)).toBeCloseTo(0.8, 6);
    expect(sharedPart(base, half)).toBeCloseTo(0.5, 6);
    expect(sharedPart(base, apart)).toBe(0);
    expect(sharedPart(none, none)).toBe(1);
    expect(sharedPart(none, base)).toBe(0);
    const [large, larger] = await Promise.all([survey(0, 4000), survey(0, 5000)]);
    expect(Math.abs(sharedPart(large, larger) - 0.8)).toBeLessThan(0.06);
  });
});
