// What is published works: the packed files, laid out below a node_modules as npm does, answer a question over a file of
// the user's own, with the launcher's choice of Node, and can be imported as a library. Nothing is downloaded.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServerProcess } from '../../testkit/server-process.ts';
import { readText, root } from '../source-files.ts';

const { version } = JSON.parse(readText('package.json')) as { version: string };

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}
interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

describe('the npm package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-package-'));
  const installed = join(folder, 'node_modules/footnote-server');
  const environment = { ...process.env, FOOTNOTE_DATA: join(folder, 'data'), NO_COLOR: '1' };
  let paths: string[] = [];
  let dependencies: readonly string[] = [];

  beforeAll(() => {
    const { stdout, stderr, status } = spawnSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
    const [packed] = Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as Record<string, Packed>);
    if (packed === undefined) throw new Error(`npm pack named no package: ${stdout}`);
    paths = packed.files.map((file) => file.path);
    mkdirSync(installed, { recursive: true });
    spawnSync('tar', ['-xzf', join(folder, packed.filename), '-C', installed, '--strip-components=1']);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest;
    dependencies = Object.keys(manifest.dependencies);
    for (const name of dependencies) {
      mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    }
    mkdirSync(join(folder, 'notes'));
    writeFileSync(
      join(folder, 'notes/lighthouse.md'),
      '# The lighthouse\n\nThe lighthouse of Eastpoint was built in 1874. Its lamp is lit by 412 mirrors.\n',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function footnote(node: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(node, [join(installed, 'bin/footnote.mjs'), ...args], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    });
  }

  it('holds what running needs and nothing else', () => {
    for (const path of [
      'bin/footnote.mjs',
      'dist/cli/main.js',
      'dist/index.js',
      'dist/index.d.ts',
      'web/dist/index.html',
      'web/dist/key.html',
      'LICENSE',
      'README.md',
    ])
      expect(paths).toContain(path);
    const other = paths.filter(
      (path) => !/^(bin\/|dist\/|web\/dist\/|corpus\/|models\/encoder\/|[A-Z]+(\.md)?$|package\.json$)/.test(path),
    );
    expect(other).toEqual([]);
    expect(paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))).toEqual([]);
  });

  it('installs without the workspace: the readers are part of it, their packages are named, and the checkout is as it was', () => {
    expect(paths).toContain('dist/readers/reader.d.ts');
    expect(dependencies).toContain('csv-parse');
    expect(dependencies.filter((name) => /^(?:preact|vite|pdfjs-dist)$/.test(name))).toEqual([]);
    expect(dependencies.filter((name) => name.startsWith('@footnote/'))).toEqual([]);
    const named = paths.filter(
      (path) => /\.(js|d\.ts)$/.test(path) && /['"]@footnote\//.test(readFileSync(join(installed, path), 'utf8')),
    );
    expect(named).toEqual([]);
    expect(JSON.parse(readText('package.json'))).toHaveProperty('workspaces');
  });

  it('carries every file of src that is not TypeScript, and the bundled corpus', () => {
    const walk = (path: string): string[] =>
      readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? walk(`${path}/${entry.name}`) : [`${path}/${entry.name}`],
      );
    const assets = walk('src').filter((path) => !path.endsWith('.ts'));
    expect(walk('corpus').filter((path) => !paths.includes(path))).toEqual([]);
    expect(assets.map((path) => path.replace(/^src/, 'dist')).filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('answers with a citation over a folder of one’s own', () => {
    expect(footnote(process.execPath, '--version').stdout.trim()).toBe(version);
    const ingest = footnote(process.execPath, 'ingest', 'notes', '--json');
    expect(ingest, ingest.stderr).toMatchObject({ status: 0 });
    const ask = footnote(process.execPath, 'ask', 'When was the lighthouse of Eastpoint built?', '--json');
    expect(ask, ask.stderr).toMatchObject({ status: 0 });
    const answer = JSON.parse(ask.stdout) as { answer: string; citations: { quote: string }[] };
    expect(answer.answer).toContain('1874');
    expect(answer.citations[0]?.quote).toContain('The lighthouse of Eastpoint was built in 1874.');
  });

  it('serves its pages', async () => {
    const server = await startServerProcess(join(folder, 'served'), { program: join(installed, 'dist/cli/main.js') });
    try {
      const page = await (await fetch(server.url)).text();
      const script = /src="\/(assets\/ask-[\w-]+\.js)"/.exec(page)?.[1];
      expect(paths).toContain(`web/dist/${script}`);
      expect((await fetch(`${server.url}/${script}`)).status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  it('starts under an older Node of the system', (context) => {
    const old = olderNode();
    if (old === undefined) return context.skip('no Node from 20 to 23 on the PATH');
    const { stdout, stderr } = footnote(old, '--version');
    expect(stdout.trim(), stderr).toBe(version);
  });

  it('is a library', () => {
    writeFileSync(
      join(folder, 'use.mjs'),
      "import { FootnoteError, openFootnote } from 'footnote-server';\nconsole.log(typeof openFootnote, new FootnoteError('not-found', 'x').rule.status);\n",
    );
    const { stdout, stderr } = spawnSync(process.execPath, ['use.mjs'], { cwd: folder, encoding: 'utf8' });
    expect(stdout.trim(), stderr).toBe('function 404');
  });

  const example = /^```js\n([\s\S]*?)^```$/m.exec(readText('docs/testing.md'))?.[1] ?? '';

  it('brings the test kit: the example of its page runs as it stands', () => {
    writeFileSync(join(folder, 'example.mjs'), example);
    const { stdout, stderr, status } = spawnSync(process.execPath, ['example.mjs'], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(stdout.trim()).toBe('answers are as they should be');
  });

  it('fails a test of an application whose script does not fit', () => {
    const other = example.replace('expect: question', "expect: 'How old is it?'");
    expect(other).not.toBe(example);
    writeFileSync(join(folder, 'wrong.mjs'), other);
    const { stderr, status } = spawnSync(process.execPath, ['wrong.mjs'], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain('call 1 is not the one that the script expects (How old is it?)');
  });
});

function olderNode(): string | undefined {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(directory, 'node');
    if (!existsSync(path)) continue;
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    const major = Number(/^v(\d+)\./.exec(stdout)?.[1]);
    if (major >= 20 && major < 24) return path;
  }
  return undefined;
}
