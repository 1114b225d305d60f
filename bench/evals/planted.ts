// Whether `footnote eval compare --gate` catches what makes answers worse, and nothing else: twenty regressions and twenty changes without effect
// are planted, one at a time, in a copy of the program, which then runs the same suite; each run is held against that of the program as it is.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readJsonl } from '../../src/evals/datasets.ts';
import { compareRuns, readRun } from '../../src/evals/suite/compare.ts';
import type { SuiteRun } from '../../src/evals/suite/run.ts';
import { sharedRoot } from '../../testkit/shared-data.ts';
import { writeResult } from '../report.ts';
import { type PlantedChange, regressions, sameAsBefore } from './planted-changes.ts';

const root = resolve(import.meta.dirname, '../..');
const set = join(sharedRoot, 'hotpotqa-100');
const answerable = 40;
const updated = 12;
/** Passages that no question is about. */
const others = 60;

const lineSchema = z.looseObject({ _id: z.string(), text: z.string(), title: z.string().optional() });

async function lines(name: string): Promise<z.infer<typeof lineSchema>[]> {
  const all = [];
  for (const end of ['jsonl', 'jsonl.gz'])
    try {
      for await (const one of readJsonl(join(set, `${name}.${end}`), lineSchema)) all.push(one);
      return all;
    } catch {
      // The other form.
    }
  throw new Error(`${set} has no ${name}.`);
}

/** Questions with answers and relevant documents, questions that nothing answers, and documents of our own that change between two rounds. */
async function writeSuite(folder: string): Promise<void> {
  const corpus = await lines('corpus');
  const queries = await lines('queries');
  const qrels = new Map<string, Record<string, number>>();
  for (const line of readFileSync(join(set, 'qrels/test.tsv'), 'utf8').trim().split('\n').slice(1)) {
    const [query = '', document = '', grade] = line.trim().split('\t');
    qrels.set(query, { ...qrels.get(query), [document]: Number(grade) });
  }
  const answerOf = (query: z.infer<typeof lineSchema>): string =>
    String((query['metadata'] as { answer?: unknown }).answer);
  const asked = queries.filter((query) => !/^(?:yes|no)$/iu.test(answerOf(query))).slice(0, answerable);
  const rooms = Array.from({ length: updated }, (_, at) => ({
    name: `Quarnex ${String.fromCharCode(65 + at)}${at}`,
    first: 40 + 7 * at,
    later: 300 + 11 * at,
  }));
  const documents = (figure: 'first' | 'later') =>
    rooms.map((room, at) => ({
      _id: `room-${at}`,
      title: room.name,
      text: `The laboratory ${room.name} has room for ${room[figure]} visitors. It was inspected by the fire brigade of the town.`,
    }));
  const cases = [
    ...asked.map((query) => ({
      id: query._id,
      question: query.text,
      answers: [answerOf(query)],
      relevant: qrels.get(query._id) ?? {},
    })),
    ...rooms.map(({ name }, at) => ({
      id: `lacking-${at}`,
      question: `Which violin concerto did the plumber of ${name} record on ${at + 3} wax cylinders?`,
      unanswerable: true,
    })),
    ...(['first', 'later'] as const).flatMap((figure) =>
      rooms.map((room, at) => ({
        id: `${figure}-${at}`,
        question: `How many visitors does the laboratory ${room.name} have room for?`,
        answers: [`${room[figure]} visitors`],
        relevant: { [`room-${at}`]: 1 },
        ...(figure === 'later' && { afterUpdate: true }),
      })),
    ),
  ];
  const relevant = new Set(cases.flatMap((one) => ('relevant' in one ? Object.keys(one.relevant) : [])));
  let spare = others;
  const passages = corpus.filter(({ _id }) => relevant.has(_id) || spare-- > 0);
  const print = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  mkdirSync(folder);
  writeFileSync(join(folder, 'corpus.jsonl'), print([...passages, ...documents('first')]));
  writeFileSync(join(folder, 'update.jsonl'), print(documents('later')));
  writeFileSync(join(folder, 'cases.jsonl'), print(cases));
}

/** A copy of the program with one change in it. */
function plant(folder: string, { name, file, find, replace }: PlantedChange): string {
  const copy = join(folder, 'program');
  if (!existsSync(copy)) {
    mkdirSync(copy);
    // `src` is taken once: the checkout may be edited meanwhile.
    execFileSync('cp', ['-a', join(root, 'src'), join(folder, 'sound')]);
    for (const part of ['package.json', 'packages', 'corpus']) execFileSync('cp', ['-a', join(root, part), copy]);
    // Parsers may read real files below the program alone.
    execFileSync('cp', ['-al', join(root, 'node_modules'), copy]);
  }
  rmSync(join(copy, 'src'), { recursive: true, force: true });
  execFileSync('cp', ['-a', join(folder, 'sound'), join(copy, 'src')]);
  if (file === undefined || find === undefined || replace === undefined) return copy;
  const path = join(copy, 'src', file);
  const text = readFileSync(path, 'utf8');
  if (text.split(find).length !== 2) throw new Error(`${name}: what is to be replaced does not stand in ${file} once.`);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  return copy;
}

function run(folder: string, change: PlantedChange): SuiteRun {
  const program = plant(folder, change);
  const out = join(folder, 'out');
  rmSync(out, { recursive: true, force: true });
  const done = spawnSync(
    process.execPath,
    [join(program, 'src/cli/main.ts'), 'eval', 'run', join(folder, 'suite'), '--out', out, '--json'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, TMPDIR: tmpdir(), ...change.environment },
    },
  );
  if (done.status !== 0) throw new Error(`${change.name}: ${done.stderr.slice(-400)}`);
  return readRun(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')), 'run.json');
}

/** A change that no longer fits is told before the first minutes are spent. */
function isFitting({ name, file, find }: PlantedChange): boolean {
  if (file === undefined || find === undefined) return true;
  const path = join(root, 'src', file);
  const isThere = existsSync(path) && readFileSync(path, 'utf8').split(find).length === 2;
  if (!isThere) console.error(`${name}: what is to be replaced does not stand in ${file} once.`);
  return isThere;
}

const unfitting = [...regressions, ...sameAsBefore].filter((change) => !isFitting(change));
if (unfitting.length > 0) throw new Error('Mend planted-changes.ts first.');
const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const wanted = ({ name }: PlantedChange): boolean => chosen.length === 0 || chosen.some((word) => name.includes(word));
const folder = mkdtempSync(join(tmpdir(), 'footnote-planted-'));
try {
  await writeSuite(join(folder, 'suite'));
  const before = run(folder, { name: 'the program as it is' });
  if ((before.summary['answer in the whole']?.mean ?? 0) < 0.3)
    throw new Error('The program as it is answers too little: something else is wrong.');
  console.log(`${before.results.length} questions, ${Object.keys(before.summary).length} measures`);
  const rows: (string | number)[][] = [];
  let [caught, refusedSame] = [0, 0];
  for (const [kind, changes] of [
    ['worse', regressions],
    ['same', sameAsBefore],
  ] as const)
    for (const change of changes.filter(wanted)) {
      const comparison = compareRuns(before, run(folder, change));
      const isRefused = comparison.refused.length > 0;
      if (isRefused && kind === 'worse') caught++;
      if (isRefused && kind === 'same') refusedSame++;
      const why = comparison.refused.map((reason) => reason.split(':')[0]).join(', ');
      rows.push([kind, change.name, isRefused ? 'refused' : 'let through', comparison.changed.length, why]);
      console.log(kind, isRefused ? 'refused' : 'let through', change.name, comparison.changed.length, why);
    }
  const hash = createHash('sha256')
    .update(JSON.stringify([regressions, sameAsBefore]))
    .digest('hex');
  if (chosen.length === 0)
    await writeResult('planted', {
      title: 'Planted regressions and changes without effect at the gate of suites',
      command: 'npm run bench planted',
      seed: 1,
      data: [set],
      metrics: {
        regressions: regressions.length,
        caught,
        'without effect': sameAsBefore.length,
        'refused without reason': refusedSame,
        questions: before.results.length,
        'planted changes': hash.slice(0, 12),
      },
      goals: [
        {
          what: 'Regressions caught',
          wanted: '20 of 20',
          got: `${caught} of ${regressions.length}`,
          met: caught === 20 && regressions.length === 20,
        },
        {
          what: 'Changes without effect refused',
          wanted: '0 of 20',
          got: `${refusedSame} of ${sameAsBefore.length}`,
          met: refusedSame === 0 && sameAsBefore.length === 20,
        },
      ],
      tables: [
        {
          title: 'Each change',
          columns: ['kind', 'change', 'gate', 'questions that changed', 'measures that fell'],
          rows,
        },
      ],
      notes: [
        'Each change is made in the source of a copy of the program, or in its settings, and the suite is run anew by its command line.',
        'The suite: 40 questions of HotpotQA over their passages and 60 others, 12 that nothing answers, 12 about documents that change between two rounds.',
      ],
    });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
