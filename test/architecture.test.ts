// The shape of the house, kept by tools: import fence, file size, headers, names, environment, egress, lock and licences.
// Each check is shown to fail on a planted violation, so that it cannot go blind unseen.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benches } from '../bench/names.ts';
import { fenceRows, leastModules, readerRooms, runFence } from '../scripts/fence.ts';
import { folderCircles } from '../testkit/folder-circles.ts';
import { mostPortLines, portsOf } from '../testkit/ports.ts';
import { codeOnly, listFiles, readText, root } from './source-files.ts';

const sources = ['src', 'packages/readers/src'].flatMap((folder) => listFiles(folder, /\.ts$/));
const isTest = (path: string): boolean => /^(packages\/[^/]+\/|web\/)?(test|testkit)\//.test(path);
const programs = ['src', 'packages', 'scripts', 'bench', 'bin', 'test', 'testkit', 'web'].flatMap((folder) =>
  listFiles(folder, /\.(tsx?|mjs)$/),
);

describe('import fence', () => {
  it('holds, over modules that were really read', async () => {
    const { modules, violations } = await runFence();
    expect(violations).toEqual([]);
    expect(modules).toBeGreaterThanOrEqual(leastModules);
    expect(modules).toBeGreaterThanOrEqual(sources.length * 0.95);
  });

  it('has a row for every folder and file of src', () => {
    const known = new Set(fenceRows().map(({ from }) => from));
    const present = new Set(listFiles('src', /\.ts$/).map((path) => path.split('/')[1]?.replace(/\.ts$/, '')));
    expect([...present].filter((name) => name !== undefined && !known.has(name))).toEqual([]);
  });

  it('has a row for every room of the readers, in an order without a way back', () => {
    const rooms = readerRooms();
    const present = sources.flatMap((path) => /^packages\/readers\/src\/([^/]+)\//.exec(path)?.[1] ?? []);
    expect(rooms.map(({ from }) => from).toSorted()).toEqual([...new Set(present)].toSorted());
    const shown = readText('packages/readers/README.md');
    for (const [at, { from, allowed }] of rooms.entries()) {
      expect(shown).toMatch(new RegExp(`^\\| ${from} \\| [^|]+ \\| ${allowed.join(' ') || 'nothing'} \\|$`, 'm'));
      const below = rooms.slice(0, at).map(({ from }) => from);
      expect(allowed.filter((room) => !below.includes(room))).toEqual([]);
    }
  });

  describe('planted', () => {
    const planted: Record<string, string> = {
      'package.json': '{"name":"planted","type":"module","dependencies":{"zod":"1"},"devDependencies":{"docx":"1"}}',
      'tsconfig.json': '{"compilerOptions":{"module":"nodenext","target":"es2024"}}',
      'src/core/answer.ts': "import { find } from '../stores/store.ts';\nexport const answer = find;\n",
      'src/core/typed.ts': "import type { Answer } from '../http/app.ts';\nexport type Typed = Answer;\n",
      'src/text/words/words.ts': "import { stem } from './stem.ts';\nexport const words = stem;\n",
      'src/text/words/stem.ts':
        "import { words } from './words.ts';\nimport './absent.ts';\nexport const stem = words;\n",
      'src/text/alone.ts': 'export const alone = 1;\n',
      'packages/readers/src/canonical/decode.ts':
        "import { mail } from '../mail/mail.ts';\nexport const decode = mail;\n",
      'packages/readers/src/mail/mail.ts':
        "import { r } from '../../../../src/retrieval/retrieve.ts';\nexport const mail = r;\n",
      'src/stores/store.ts': 'export const find = 1;\n',
      'src/stores/embedded/embedded-store.ts':
        "import { DatabaseSync } from 'node:sqlite';\nimport { find } from '../store.ts';\nexport const e = [DatabaseSync, find];\n",
      'src/retrieval/retrieve.ts':
        "import { DatabaseSync } from 'node:sqlite';\nimport { e } from '../stores/embedded/embedded-store.ts';\nimport 'docx';\nexport const r = [e, DatabaseSync];\n",
      'src/http/app.ts':
        "import fastify from 'fastify';\nimport 'csv-parse';\nimport 'node:worker_threads';\nexport const app = fastify;\nexport type Answer = 1;\n",
      'src/cli/main.ts':
        "import { app } from '../http/app.ts';\nconst late = await import('../engine/search.ts');\nexport const m = [app, late];\n",
      'src/engine/search.ts': "import { find } from '../stores/store.ts';\nexport const s = find;\n",
      'src/footnote/lost.ts':
        "import { find } from '../stores/store.ts';\nimport { fake } from '../testing/fake.ts';\nexport const lost = [find, fake];\n",
      'src/testing/fake.ts': 'export const fake = 1;\n',
      'test/a.test.ts':
        "import '../src/core/answer.ts';\nimport '../src/core/typed.ts';\nimport '../src/text/words/words.ts';\nimport '../src/retrieval/retrieve.ts';\n",
      'src/answer/verify.ts': 'export const verify = 1;\n',
      'src/evals/judges/judge.ts': "import { verify } from '../../answer/verify.ts';\nexport const judge = verify;\n",
      'bench/a.ts': 'export const a = 1;\n',
    };
    const folder = mkdtempSync(join(tmpdir(), 'footnote-fence-'));
    let violations: readonly string[] = [];

    beforeAll(async () => {
      for (const [path, text] of Object.entries(planted)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      ({ violations } = await runFence(folder));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.each([
      ['row-core: src/core/answer.ts -> src/stores/store.ts'],
      ['row-core: src/core/typed.ts -> src/http/app.ts'],
      ['row-engine: src/engine/search.ts -> src/stores/store.ts'],
      ['row-cli: src/cli/main.ts -> src/engine/search.ts'],
      ['row-readers: packages/readers/src/mail/mail.ts -> src/retrieval/retrieve.ts'],
      ['room-canonical: packages/readers/src/canonical/decode.ts -> packages/readers/src/mail/mail.ts'],
      ['home-sqlite: src/retrieval/retrieve.ts -> node:sqlite'],
      ['home-csv: src/http/app.ts -> '],
      ['home-threads: src/http/app.ts -> '],
      ['adapters-only-from-composition: src/retrieval/retrieve.ts -> src/stores/embedded/embedded-store.ts'],
      ['no-dev-dependency-at-run-time: src/retrieval/retrieve.ts -> '],
      ['no-undeclared-package: src/http/app.ts -> '],
      ['no-cycle: src/text/'],
      ['no-unresolvable: src/text/words/stem.ts -> ./absent.ts'],
      ['no-orphan: src/text/alone.ts'],
      ['reached-by-a-test: src/engine/search.ts'],
      ['reached-by-the-program: src/footnote/lost.ts'],
      ['judges-apart-from-the-verifier: src/evals/judges/judge.ts -> src/answer/verify.ts'],
      ['nothing-imports-the-test-kit: src/footnote/lost.ts -> src/testing/fake.ts'],
    ])('%s', (expected) => {
      expect(violations.filter((line) => line.startsWith(expected))).not.toEqual([]);
    });

    it('accuses nothing that is allowed', () => {
      expect(violations.filter((line) => line.includes('src/stores/embedded/embedded-store.ts -> '))).toEqual([]);
      expect(violations.filter((line) => /^home-fastify|^reached-by-a-test: src\/cli\/main/.test(line))).toEqual([]);
    });
  });
});

const bannedWords = new Set(
  'util utils helper helpers common manager managers service services base handler handlers misc cfg opts req'.split(
    ' ',
  ),
);
const shortForms = ['cfg', 'opts', 'req'];
const shortNames = new RegExp(`(?<![.\\w])(${shortForms.join('|')})\\b(?!:)`, 'g');
const wordsOf = (name: string): string[] =>
  name.split(/(?<=[a-z0-9])(?=[A-Z])|[-_.$]/).map((word) => word.toLowerCase());

function bannedNames(path: string, code: string): string[] {
  const declared = code.matchAll(
    /\b(?:(?:class|interface|type)|export\s+(?:async\s+)?(?:const|let|function))\s+([A-Za-z_$][\w$]*)/g,
  );
  const short = code.matchAll(shortNames);
  const names = [...declared, ...short].map((match) => match[1] ?? '');
  const parts = path.split('/').map((part) => part.replace(/\.(test\.)?(tsx?|mjs)$/, ''));
  return [...names, ...parts].filter((name) =>
    wordsOf(name).some((word) => bannedWords.has(word) || shortForms.includes(word)),
  );
}

/** The least that a test may wait for what should come at once: a machine with other work takes its time. */
const generousMs = 60_000;
const toMs = (digits: string): number => Number(digits.replaceAll('_', ''));

/** Expectations about the clock on the wall, and times after which a test counts as hung, that a busy machine would miss. */
function wallLimits(code: string): string[] {
  const expected = [
    ...code.matchAll(/expect\([^;]*?(?:performance|Date)\.now\(\)[^;]*?\.toBeLessThan(?:OrEqual)?\(([^;]*)\);/g),
  ];
  const given = [
    ...code.matchAll(/^(?:it|test)\([^\n]*, ([\d_]{4,})\);|^ {0,4}\}, ([\d_]{4,})\);|\btimeout: ([\d_]{4,})/gm),
  ];
  return [...expected, ...given].flatMap(([text, ...limits]) => {
    // The time for which the process had no processor was added.
    if (limits.some((limit) => /starved/.test(limit ?? ''))) return [];
    const most = Math.max(...limits.flatMap((limit) => limit?.match(/[\d_]+/g) ?? []).map(toMs));
    return most < generousMs ? [text] : [];
  });
}

const readsEnvironment = (code: string): boolean =>
  /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[|\bimport\s*\{[^}]*\benv\b[^}]*\}|\bloadEnvFile\b/.test(code);
const callsOut = (code: string): boolean =>
  /(?<![.\w])fetch\s*\(|\bnew (WebSocket|EventSource|XMLHttpRequest)\b/.test(code);

/** What serves requests, or is called by what does: its time and its ids come with the request (core/context.ts), so that a replay has them. */
const serving = /^src\/(core|agent|answer|retrieval|trace|models|memory|vectors)\//;
/** Files of these folders that read a clock or make chance themselves, and why a replay does not miss it. */
const ownClocks: Readonly<Record<string, string>> = {
  'src/core/ids.ts': 'is the clock, and makes the ids, of the process',
  'src/core/deadline.ts': 'goes by the clock of the process where it is given none: outside of requests',
  'src/core/waiting/pieces.ts': 'gives way to others on the event loop',
  'src/models/calls/attempts.ts': 'is the timing that is injected where nothing else is',
  'src/models/embedding/attempts.ts': 'stands behind a recorded port, which a replay does not call',
  'src/models/language/ai-sdk/ai-sdk.ts': 'stands behind a recorded port',
  'src/models/gguf/writer.ts': 'stands behind a recorded port',
  'src/models/local/lock.ts': 'notes when a model came and was last loaded, which no answer depends on',
  'src/models/local/reranker.ts': 'stands behind a recorded port',
};

/** Clocks and chance that code takes for itself; deadlines within a request that go by another clock than the request. */
function ownTime(code: string): string[] {
  const taken = code.matchAll(
    /\bperformance\.now\b|\bDate\.now\b|\bnew Date\(\s*\)|\brandomUUID\b|\brandomBytes\b|\bMath\.random\b|\bsystemClock\b|\brandomIds\b/g,
  );
  const unclocked = [...code.matchAll(/\bcreateDeadline\(([^;]*?)\);/g)].filter(
    ([, given = '']) => !/\bclock\b/.test(given),
  );
  return [...taken, ...unclocked].map(([text]) => text);
}

/** Where a call is made an event by hand. */
const tellsCalls = (text: string): boolean => /\(\{\s*type: 'call'/.test(text);

describe('folders', () => {
  it('import each other in one direction', () => {
    const files = new Map(sources.map((path) => [path, readText(path)]));
    expect(folderCircles(files)).toEqual([]);
    const planted = new Map([...files, ['src/text/planted.ts', "import './words/stem.ts';"]]);
    planted.set('src/text/words/stem.ts', "import { a } from '../planted.ts';");
    planted.set('src/text/planted.ts', "import { b } from './words/stem.ts';");
    expect(folderCircles(planted)).toContainEqual(['src/text', 'src/text/words']);
  });

  it('hold at most 25 files side by side', () => {
    const counts = new Map<string, number>();
    for (const path of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
  });
});

describe('ports', () => {
  it('fit on a screen or two', () => {
    const ports = portsOf(readText('ARCHITECTURE.md'));
    expect(ports).toEqual(expect.arrayContaining(['src/stores/store.ts', 'packages/readers/src/reader.ts']));
    expect(ports.length).toBeGreaterThan(10);
    const lengths = ports.map((path) => ({ path, lines: readText(path).trimEnd().split('\n').length }));
    expect(lengths.filter(({ lines }) => lines > mostPortLines)).toEqual([]);
  });
});

/** Functions above a limit of the linter, each with its reason. It may only be lowered. */
const mostSuppressions = 61;

describe('functions', () => {
  it('above 80 lines of their own or with more than 25 ways through them carry a reason', () => {
    const silent = sources.filter((path) =>
      /(?:oxlint|eslint)-disable(?!-next-line [^\n]+ -- [A-Z][^\n]+\.\n)/.test(readText(path)),
    );
    expect(silent).toEqual([]);
  });

  it('above the limits only become fewer', () => {
    const count = sources.reduce((sum, path) => sum + readText(path).split('oxlint-disable').length - 1, 0);
    expect(count).toBeLessThanOrEqual(mostSuppressions);
  });

  it('are refused by the linter otherwise', () => {
    const folder = mkdtempSync(join(tmpdir(), 'footnote-lint-'));
    const lines = (count: number): string => "  console.log('one');\n".repeat(count);
    const branches = (count: number): string => '  if (value > 1) value -= 1;\n'.repeat(count);
    mkdirSync(join(folder, 'src'));
    copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    cpSync(join(root, 'scripts/lint'), join(folder, 'scripts/lint'), { recursive: true });
    writeFileSync(join(folder, 'src/long.ts'), `export function long() {\n${lines(81)}}\n`);
    // Lines of inner functions are theirs, up to 300 in all.
    const methods = (count: number): string => `  function part() {\n${lines(70)}}\n  part();\n`.repeat(count);
    writeFileSync(join(folder, 'src/parted.ts'), `export function parted() {\n${methods(3)}}\n`);
    writeFileSync(join(folder, 'src/endless.ts'), `export function endless() {\n${methods(5)}}\n`);
    writeFileSync(join(folder, 'src/branched.ts'), `export function many(value: number) {\n${branches(26)}}\n`);
    writeFileSync(
      join(folder, 'src/allowed.ts'),
      `export function allowed(value: number) {\n${branches(20)}${lines(50)}}\n`,
    );
    const linter = join(root, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [linter, '-f', 'unix', '.'], { cwd: folder, encoding: 'utf8' });
    rmSync(folder, { recursive: true, force: true });
    const refused = stdout.matchAll(/^(?:\.\/)?src\/(\w+)\.ts:.*\/(?:eslint|house)\((.+)\)\]$/gm);
    expect([...refused].map(([, file, rule]) => `${file}: ${rule}`).toSorted()).toEqual([
      'branched: complexity',
      'endless: max-lines-per-function',
      'long: own-lines',
    ]);
  });
});

describe('files', () => {
  it('keep one promise each: at most 400 lines, 600 in tests', () => {
    const lengths = programs.map((path) => ({ path, lines: readText(path).split('\n').length - 1 }));
    const long = lengths.filter(({ path, lines }) => lines > (isTest(path) ? 600 : 400));
    expect(long).toEqual([]);
  });

  it('open with a comment that says what they promise', () => {
    const bare = programs.filter(
      (path) => !/^(#![^\n]*\n)?(\/\/|\/\*)/.test(readText(path)) && !/\.(test|d)\.ts$/.test(path),
    );
    expect(bare).toEqual([]);
  });

  it('use no banned name', () => {
    const found = programs.flatMap((path) =>
      bannedNames(path, codeOnly(readText(path))).map((name) => `${path}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  it('read the environment in src/config.ts only', () => {
    const readers = sources.filter((path) => readsEnvironment(codeOnly(readText(path))));
    expect(readers.filter((path) => path !== 'src/config.ts')).toEqual([]);
  });

  it('let no request leave the process but from src/net, and to our own server from src/cli', () => {
    const callers = sources.filter((path) => callsOut(codeOnly(readText(path))));
    expect(callers.filter((path) => !/^src\/(net|cli)\//.test(path))).toEqual([]);
  });

  it('set no limit to the clock on the wall, which other programs on the machine use too', () => {
    const tests = programs.filter(isTest);
    const found = tests.flatMap((path) => wallLimits(codeOnly(readText(path))).map((limit) => `${path}: ${limit}`));
    expect(found).toEqual([]);
  });

  it('that serve requests take their time and their ids from the request', () => {
    const found = sources
      .filter((path) => serving.test(path))
      .filter((path) => ownTime(codeOnly(readText(path))).length > 0);
    expect(found.toSorted()).toEqual(Object.keys(ownClocks).toSorted());
  });

  it('join no timer by AbortSignal.any: Node 24 keeps for ever what is joined again', () => {
    const joined = sources.filter((path) => {
      const code = codeOnly(readText(path));
      return code.includes('AbortSignal.any(') && code.includes('AbortSignal.timeout(');
    });
    expect(joined).toEqual([]);
  });

  it('make calls events in one place, the recorder', () => {
    expect(sources.filter((path) => tellsCalls(readText(path)))).toEqual(['src/trace/recorder.ts']);
  });

  it('would be caught otherwise', () => {
    expect(ownTime('const at = performance.now() - Date.now();')).toHaveLength(2);
    expect(ownTime('const at = new Date(); const id = randomUUID();')).toHaveLength(2);
    expect(ownTime('const at = new Date(told); const ms = clock.elapsedMs();')).toEqual([]);
    expect(ownTime('const own = createDeadline(Math.min(a, b), signal);')).toHaveLength(1);
    expect(ownTime('const own = createDeadline(Math.min(a, b), signal, clock);')).toEqual([]);
    expect(tellsCalls("sink({\n  type: 'call',\n  call });")).toBe(true);
    expect(wallLimits('expect(performance.now() - startedAt).toBeLessThan(5000);')).toHaveLength(1);
    expect(wallLimits('expect(Date.now() - from, name).toBeLessThanOrEqual(2_000);')).toHaveLength(1);
    expect(wallLimits('expect(performance.now() - startedAt).toBeLessThan(2 * timeoutMs + 60_000);')).toEqual([]);
    expect(wallLimits('expect(tookMs()).toBeLessThan(500);')).toEqual([]);
    expect(wallLimits('expect(performance.now() - from).toBeLessThan(500 + starvedMs());')).toEqual([]);
    expect(wallLimits("it('reads', read, 20_000);\nit('x', async () => {\n}, 10_000);")).toHaveLength(2);
    expect(wallLimits("it('reads', { timeout: 15_000 }, read);")).toHaveLength(1);
    expect(wallLimits("it('reads', { timeout: 60_000 }, read);\nsetTimeout(read, 5);\n}, 5);")).toEqual([]);
    expect(bannedNames('src/text/string-utils.ts', '')).toEqual(['string-utils']);
    expect(bannedNames('src/a.ts', 'class SessionManager {} const f = (opts) => opts')).toContain('SessionManager');
    expect(bannedNames('src/a.ts', 'const f = (req) => req.body')).toContain('req');
    expect(bannedNames('src/a.ts', 'const database = baseline + request')).toEqual([]);
    expect(readsEnvironment(codeOnly("const home = process.env['HOME'];"))).toBe(true);
    expect(readsEnvironment(codeOnly("import { env } from 'node:process';"))).toBe(true);
    expect(readsEnvironment(codeOnly('// process.env is read elsewhere\n'))).toBe(false);
    expect(callsOut(codeOnly("await fetch('https://example.org')"))).toBe(true);
    expect(callsOut(codeOnly("store.fetch('a') // fetch('b')"))).toBe(false);
  });
});

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Lock = Readonly<Record<string, LockEntry>>;

const lock = (JSON.parse(readText('package-lock.json')) as { packages: Lock }).packages;

/** Optional platform packages that the lock names but does not hold: `npm ci` fails on them elsewhere. */
function missingPlatforms(packages: Lock): string[] {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
      .map((name) => `${path}: ${name}`),
  );
}

const permissive = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MIT-0 Python-2.0 Unlicense Zlib'.split(
    ' ',
  ),
);
/** Packages whose lock entry states no licence; read in the package itself. */
const statedElsewhere: Readonly<Record<string, string>> = { 'node_modules/format': 'MIT' };

/** What builds the pages: it is no part of them, and no part of what is packed. */
const builds = /^node_modules\/lightningcss(?:-|$)/;

const isPermissive = (licence: string): boolean =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => permissive.has(name.trim())));

const restricted = (packages: Lock): string[] =>
  Object.entries(packages)
    .filter(([path, entry]) => path !== '' && !entry.dev && entry.link !== true && !builds.test(path))
    .map(([path, entry]) => [path, entry.license ?? statedElsewhere[path] ?? 'none stated'] as const)
    .filter(([, licence]) => !isPermissive(licence))
    .map(([path, licence]) => `${path}: ${licence}`);

/** Of a package of this repository the lock names the folder. */
const lockedVersion = (name: string): string | undefined => {
  const entry = lock[`node_modules/${name}`];
  return entry?.link === true
    ? (JSON.parse(readText(`${entry.resolved}/package.json`)) as LockEntry).version
    : entry?.version;
};

describe('packages', () => {
  it('install everywhere from the lock', () => {
    expect(missingPlatforms(lock)).toEqual([]);
    expect(missingPlatforms({ a: { optionalDependencies: { 'a-darwin': '1' } } })).toEqual(['a: a-darwin']);
  });

  it('are pinned exactly, and the lock agrees', () => {
    const manifests = ['package.json', 'packages/readers/package.json', 'web/package.json'].map(
      (path) => JSON.parse(readText(path)) as Record<string, Record<string, string>>,
    );
    const pins = manifests.flatMap((manifest) =>
      Object.entries({ ...manifest['dependencies'], ...manifest['devDependencies'] }),
    );
    expect(pins.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    expect(pins.filter(([name, version]) => lockedVersion(name) !== version)).toEqual([]);
  });

  it('are free of copyleft at run time', () => {
    expect(restricted(lock)).toEqual([]);
    expect(restricted({ 'node_modules/a': { license: 'AGPL-3.0' }, 'node_modules/b': {} })).toHaveLength(2);
    expect(isPermissive('(MIT OR GPL-3.0-or-later)')).toBe(true);
    expect(isPermissive('(MIT AND GPL-3.0-or-later)')).toBe(false);
  });

  it('come with the full text of our own licence', () => {
    expect(readText('LICENSE')).toContain('Apache License\n                           Version 2.0, January 2004');
    expect(readText('LICENSE')).toContain('END OF TERMS AND CONDITIONS');
  });
});

describe('scripts', () => {
  const manifest = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  const commands = Object.entries(manifest.scripts);
  const files = new Set(programs);

  it('start files that exist', () => {
    const named = commands.flatMap(([name, command]) =>
      [...command.matchAll(/\b(?:src|bench|scripts)\/[\w./-]+\.(?:ts|mjs)\b/g)].map(([path]) => `${name}: ${path}`),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((line) => !files.has(line.split(': ')[1] ?? ''))).toEqual([]);
  });

  it('reach every bench that writes a result', () => {
    const written = listFiles('bench', /\.ts$/).filter((path) => /await writeResult\(/.test(codeOnly(readText(path))));
    const started = new Set(Object.values(benches).map(({ file }) => `bench/${file}`));
    expect(written.filter((path) => path !== 'bench/report.ts' && !started.has(path))).toEqual([]);
    const named = Object.values(benches).flatMap(({ file, measures }) => [`bench/${file}`, ...measures]);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('tests and benches', () => {
  it('share what is in testkit and never import each other', () => {
    const folders = { test: /\/bench\//, bench: /\/test\//, testkit: /\/(?:bench|test)\// };
    const wrong = Object.entries(folders).flatMap(([folder, other]) =>
      listFiles(folder, /\.ts$/).flatMap((path) =>
        [...readText(path).matchAll(/from '(\.[^']+)'/g)]
          .map(([, target]) => join(path, '..', target ?? ''))
          // The pages of the report are documents, and the names of measurements are checked against them.
          .filter((target) => other.test(`/${target}`) && !/^bench\/(?:report|names)\.ts$/.test(target))
          .map((target) => `${path} -> ${target}`),
      ),
    );
    expect(wrong).toEqual([]);
  });
});
