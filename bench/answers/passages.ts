// Do passages answer? Folders of real documents from public packages, with questions that somebody wrote from the documents without having seen any output
// (bench/answers/folders). A server in default settings is asked each question over HTTP, with the sentence encoder and without it.
// `npm run bench passages [FOLDER ...]`: the folders are fetched by their scripts (Debian, npm and PyPI packages), and kept in PASSAGE_FOLDERS where that is set.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServerProcess } from '../../testkit/server-process.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { writeResult } from '../report.ts';
import { fetchInto, syncFolder } from './passage-folders.ts';
import { type AskedQuestion, askQuestion, type FolderQuestion } from './passages-score.ts';

const own = join(import.meta.dirname, 'folders');
/** Asked for the first time when the weights stood. */
const sealed: ReadonlySet<string> = new Set(['science', 'web']);

interface Folder {
  readonly name: string;
  readonly script: string;
  readonly questions: string;
}

const realdocs = sharedData('realdocs');
const folders: readonly Folder[] = [
  ...(realdocs
    ? [{ name: 'db', script: join(realdocs, 'fetch.sh'), questions: join(realdocs, 'questions.jsonl') }]
    : []),
  ...['libs', 'tools', 'mail', 'idiomas', 'science', 'web'].map((name) => ({
    name,
    script: join(own, name, 'fetch.sh'),
    questions: join(own, name, 'questions.jsonl'),
  })),
];

const wanted = process.argv.slice(2).filter((argument) => folders.some(({ name }) => name === argument));
const chosen = wanted.length > 0 ? folders.filter(({ name }) => wanted.includes(name)) : folders;
const kept = process.env['PASSAGE_FOLDERS'];
const target = kept ?? (await mkdtemp(join(tmpdir(), 'footnote-folders-')));
await mkdir(target, { recursive: true });

async function askAll(folder: Folder): Promise<Readonly<Record<'encoder' | 'words', readonly AskedQuestion[]>>> {
  const path = fetchInto(target, folder.script, folder.name);
  const lines = (await readFile(folder.questions, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const questions = lines.map((line) => JSON.parse(line) as FolderQuestion);
  const data = await mkdtemp(join(tmpdir(), 'footnote-passages-'));
  const asked: Record<'encoder' | 'words', AskedQuestion[]> = { encoder: [], words: [] };
  try {
    for (const order of ['encoder', 'words'] as const) {
      const server = await startServerProcess(data, { environment: { ENCODER: order === 'encoder' ? 'on' : 'off' } });
      try {
        if (order === 'encoder') await syncFolder(server.url, path);
        for (const question of questions) asked[order].push(await askQuestion(server.url, question));
      } finally {
        await server.stop();
      }
    }
  } finally {
    await rm(data, { recursive: true });
  }
  return asked;
}

const share = (some: readonly AskedQuestion[], test: (one: AskedQuestion) => boolean): number =>
  some.length === 0 ? 0 : Math.round((1000 * some.filter(test).length) / some.length) / 10;

/** Mean distance of confidence and truth over tenths of confidence. */
function calibrationErrorOf(asked: readonly AskedQuestion[]): number {
  const bins = Map.groupBy(asked, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)));
  const distances = [...bins.values()].map((bin) =>
    Math.abs(bin.reduce((sum, { confidence, first }) => sum + confidence - (first ? 1 : 0), 0)),
  );
  return Math.round((1000 * distances.reduce((sum, one) => sum + one, 0)) / Math.max(1, asked.length)) / 1000;
}

function rowOf(name: string, asked: readonly AskedQuestion[]): (string | number)[] {
  const answerable = asked.filter(({ isAnswerable }) => isAnswerable);
  const single = answerable.filter(({ isFollowUp }) => !isFollowUp);
  const followUps = answerable.filter(({ isFollowUp }) => isFollowUp);
  const asserted = asked.filter((one) => one.asserted);
  const searched = single.filter(({ hit }) => hit !== undefined);
  const pinned = answerable.filter(({ first, pinpoint }) => first && pinpoint !== undefined);
  const times = asked.map(({ totalMs }) => totalMs).sort((a, b) => a - b);
  return [
    name,
    single.length,
    share(single, ({ first }) => first),
    share(single, ({ three }) => three),
    share(followUps, ({ first }) => first),
    share(searched, ({ hit }) => hit === 0),
    share(searched, ({ hit = -1 }) => hit >= 0 && hit < 3),
    share(searched, ({ hit = -1 }) => hit >= 0),
    share(answerable, (one) => one.asserted),
    share(asserted, ({ first }) => first),
    share(
      asked.filter(({ isAnswerable }) => !isAnswerable),
      (one) => one.asserted,
    ),
    calibrationErrorOf(asked),
    share(pinned, ({ pinpoint }) => pinpoint === true),
    Math.round(answerable.reduce((sum, { words }) => sum + words, 0) / Math.max(1, answerable.length)),
    Math.round(times[Math.floor(times.length / 2)] ?? 0),
  ];
}

const columns = [
  'set',
  'single questions',
  'first passage',
  'one of three',
  'follow-ups, first',
  'search: first',
  'three',
  'ten',
  'asserted',
  'of them right',
  'unanswerable asserted',
  'calibration error',
  'mark in a right passage right',
  'words shown',
  'p50 ms',
];

const results = new Map<string, Readonly<Record<'encoder' | 'words', readonly AskedQuestion[]>>>();
for (const folder of chosen) {
  const asked = await askAll(folder);
  results.set(folder.name, asked);
  for (const order of ['encoder', 'words'] as const) console.log(order, ...rowOf(folder.name, asked[order]));
}
if (!kept) await rm(target, { recursive: true });

const tableOf = (order: 'encoder' | 'words', of: (name: string) => boolean) => {
  const some = [...results].filter(([name]) => of(name));
  const rows = some.map(([name, asked]) => rowOf(name, asked[order]));
  const all = some.flatMap(([, asked]) => asked[order]);
  return some.length > 1 ? [...rows, rowOf('together', all)] : rows;
};
const unseen = [...results].filter(([name]) => sealed.has(name)).flatMap(([, asked]) => asked.encoder);
const single = unseen.filter(({ isAnswerable, isFollowUp }) => isAnswerable && !isFollowUp);
const [first, three] = [share(single, (one) => one.first), share(single, (one) => one.three)];

if (wanted.length === 0)
  await writeResult('passages', {
    title: 'Passages of real folders',
    command: 'npm run bench passages',
    seed: null,
    data: chosen.map(({ questions }) => questions),
    metrics: { unseenFirst: first, unseenThree: three },
    goals: [
      { what: 'first passage answers, folders never seen', wanted: '>= 60 %', got: `${first} %`, met: first >= 60 },
      { what: 'one of three answers, folders never seen', wanted: '>= 80 %', got: `${three} %`, met: three >= 80 },
    ],
    tables: [
      { title: 'Never seen, with the encoder', columns, rows: tableOf('encoder', (name) => sealed.has(name)) },
      { title: 'Never seen, words alone', columns, rows: tableOf('words', (name) => sealed.has(name)) },
      {
        title: 'Seen while weights were set, with the encoder',
        columns,
        rows: tableOf('encoder', (name) => !sealed.has(name)),
      },
      { title: 'Seen, words alone', columns, rows: tableOf('words', (name) => !sealed.has(name)) },
    ],
    notes: [
      'An answer is right where its passages, with their headings, hold what a pattern for the answer finds.',
      'The folder tools holds manual pages in roff, which are read as plain text.',
    ],
  });
