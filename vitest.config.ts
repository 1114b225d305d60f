// The suites of this repository, one vitest project each. `unit` mirrors src/ and stays fast, `readers` are the tests of
// packages/readers; the others have folders of their own under test/. A suite marked long runs only under `npm run test:long`, which sets FOOTNOTE_TEST_LONG.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { memoryFolder } from './test/memory-folder.ts';

/**
 * Milliseconds after which a test counts as hung. Generous: other programs on the machine take what they take, and a test that has to be quick
 * sets a limit to processor time (testkit/processor-time.ts).
 */
const hungMs = 300_000;

/** Folders under test/ that are suites of their own; everything else under test/ is `unit`. */
const suites = {
  conformance: hungMs,
  contract: hungMs,
  scenario: hungMs,
  replay: hungMs,
  faults: 600_000,
  security: 600_000,
  crash: 600_000,
  costs: 1_800_000,
} as const;

const inMemory = memoryFolder === undefined ? {} : { TMPDIR: memoryFolder };
/** Suites whose data folders lie on the disk. */
const onDisk: ReadonlySet<string> = new Set(['crash', 'costs']);

/** Suites whose files each have a process of their own: they kill, starve, measure or watch it. The others load the program once for each worker. */
const ofOwnProcesses: ReadonlySet<string> = new Set(['faults', 'crash', 'costs', 'security']);

const documents = ['test/architecture.test.ts', 'test/docs.test.ts'];
const own = Object.keys(suites).map((name) => `test/${name}/**`);

export default defineConfig({
  // Threads and children that tests start are those of the bundled program.
  resolve: {
    alias: [
      {
        find: /^.*\/threads\/entry-file\.ts$/,
        replacement: join(import.meta.dirname, 'testkit/bundled-entry-file.ts'),
      },
    ],
  },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    globals: false,
    restoreMocks: true,
    setupFiles: ['./test/setup.ts'],
    globalSetup: ['./test/built.ts', './test/memory-folder.ts'],
    // Programs that tests start find their code compiled: half of the time that one takes to start.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/footnote-compiled') },
    reporters: ['default', './test/reporter.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'docs', include: documents, testTimeout: hungMs, hookTimeout: hungMs },
      },
      {
        extends: true,
        test: {
          name: 'readers',
          env: inMemory,
          include: ['packages/readers/test/**/*.test.ts'],
          // They share their processes: readers keep nothing, and their parsers are loaded once.
          isolate: false,
          testTimeout: hungMs,
          hookTimeout: hungMs,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          env: inMemory,
          include: ['test/**/*.test.ts', 'bench/**/*.test.ts', 'web/test/unit/**/*.test.ts'],
          exclude: [...documents, ...own, '**/fixtures/**'],
          // They share their processes, as they leave nothing behind that another file would see: a process for each file, which loads the same
          // modules again, was two thirds of the processor time of small ones.
          isolate: false,
          testTimeout: hungMs,
          hookTimeout: hungMs,
        },
      },
      ...Object.entries(suites).map(([name, testTimeout]) => ({
        extends: true as const,
        test: {
          name,
          env: onDisk.has(name) ? {} : inMemory,
          include: [`test/${name}/**/*.test.ts`],
          isolate: ofOwnProcesses.has(name),
          testTimeout,
          hookTimeout: testTimeout,
        },
      })),
    ],
  },
});
