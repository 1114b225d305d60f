// The proportions of the house, counted: lines of the program, files side by side, ports, circles between folders; and how long its checks
// took, read from what they printed.
//
//   npm run check | tee check.log; bash .ci/run | tee ci.log
//   npm run bench house -- --check check.log --ci ci.log
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { folderCircles } from '../../testkit/folder-circles.ts';
import { mostPortLines, portsOf } from '../../testkit/ports.ts';
import { toGoal } from '../engine/engine-goals.ts';
import { writeResult } from '../report.ts';

const { values: logs } = parseArgs({ options: { check: { type: 'string' }, ci: { type: 'string' } } });
const root = join(import.meta.dirname, '../..');
const mostLines = 62_000;
const mostSideBySide = 25;
/** The first review of the house counted the same way, before the readers moved out. */
const linesAtReview = 89_225;

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const listed = execFileSync(
  'git',
  ['ls-files', 'src', 'packages/readers/src', 'test', 'testkit', 'packages/readers/test'],
  {
    cwd: root,
    encoding: 'utf8',
  },
);
const files = listed.split('\n').filter((path) => path.endsWith('.ts'));
const texts = new Map(files.map((path) => [path, read(path)]));

const linesOf = (path: string): readonly string[] => (texts.get(path) ?? '').trimEnd().split('\n');
const isComment = (line: string): boolean => /^\s*(?:\/\/|\/\*|\*)/u.test(line);
const below = (folder: string): readonly string[] =>
  files.filter((path) => path.startsWith(`${folder}/`) || path === folder);

interface Size {
  readonly files: number;
  /** With blanks and comments. */
  readonly lines: number;
  readonly comments: number;
  readonly blank: number;
}
function sizeOf(paths: readonly string[]): Size {
  const lines = paths.flatMap(linesOf);
  return {
    files: paths.length,
    lines: lines.length,
    comments: lines.filter(isComment).length,
    blank: lines.filter((line) => line.trim() === '').length,
  };
}
const row = (name: string, { files, lines, comments, blank }: Size): (string | number)[] => [
  name,
  files,
  lines,
  lines - comments - blank,
  comments,
];

const source = sizeOf(below('src'));
const readers = sizeOf(below('packages/readers/src'));
const rooms = [...new Set(below('src').map((path) => path.split('/').slice(0, 2).join('/')))]
  .map((room) => ({ room, size: sizeOf(below(room)) }))
  .toSorted((a, b) => b.size.lines - a.size.lines);

const sideBySide = new Map<string, number>();
for (const path of [...below('src'), ...below('packages/readers/src')])
  sideBySide.set(dirname(path), (sideBySide.get(dirname(path)) ?? 0) + 1);
const fullest = Math.max(...sideBySide.values());

const ports = portsOf(read('ARCHITECTURE.md')).map((path) => ({ path, lines: linesOf(path).length }));
const longestPort = Math.max(...ports.map(({ lines }) => lines));

const program = new Map([...texts].filter(([path]) => /^(?:src|packages\/readers\/src)\//u.test(path)));
const circles = folderCircles(program);

/** Minutes that all steps of a log took together; undefined where there is none. */
function minutesOf(log: string | undefined): number | undefined {
  const took = log === undefined ? undefined : /^took (\d+) s$/mu.exec(readFileSync(log, 'utf8'))?.[1];
  return took === undefined ? undefined : Number(took) / 60;
}
const minutes = { check: minutesOf(logs.check), ci: minutesOf(logs.ci) };

await writeResult('house', {
  title: 'The house: lines, folders, ports, checks',
  command: 'npm run bench house -- --check check.log --ci ci.log',
  metrics: {
    'lines of src': source.lines,
    'lines of src, code alone': source.lines - source.comments - source.blank,
    'files of src': source.files,
    'lines of packages/readers/src': readers.lines,
    'lines of tests': sizeOf(below('test')).lines,
    'most files side by side': fullest,
    'longest port, lines': longestPort,
    'circles between folders': circles.length,
  },
  goals: [
    { what: 'Lines of src', wanted: `<= ${mostLines}`, got: source.lines, met: source.lines <= mostLines },
    { what: 'Files side by side', wanted: `<= ${mostSideBySide}`, got: fullest, met: fullest <= mostSideBySide },
    { what: 'Lines of a port', wanted: `<= ${mostPortLines}`, got: longestPort, met: longestPort <= mostPortLines },
    { what: 'Circles between folders', wanted: '0', got: circles.length, met: circles.length === 0 },
    toGoal({ what: 'Minutes of `npm run check` on two cores', limit: 4, got: minutes.check }),
    toGoal({ what: 'Minutes of all that `.ci/run` tests, on two cores', limit: 15, got: minutes.ci }),
  ],
  tables: [
    {
      title: 'Lines by folder',
      columns: ['folder', 'files', 'lines', 'code', 'comments'],
      rows: [...rooms.map(({ room, size }) => row(room, size)), row('packages/readers/src', readers)],
    },
    {
      title: 'Ports',
      columns: ['port', 'lines'],
      rows: ports.map(({ path, lines }) => [path, lines]),
    },
  ],
  notes: [
    `Lines are counted with blanks and comments, as the review of 2026-11-22 did, which found ${linesAtReview} with the readers inside.`,
    'Minutes are those of this machine with nothing else at work; npm ci and what is installed for tests come before them.',
    'The goal for src is of before hosted stores, connectors, federation, agent, memory, archive, evaluations and traces were built into it.',
    'That no folder holds more than 25 files, no port more than 60 lines, and no two folders import each other in a circle is kept by test/architecture.test.ts; that an option of requests takes three files and a parser four by test/scenario/seams.test.ts.',
  ],
});
