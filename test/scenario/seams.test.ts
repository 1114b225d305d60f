// What comes next goes in at few places: an option of requests is added in three files and a format in four, in a copy of the program, and works from
// the terminal over HTTP down to retrieval, and from the bytes of a file to its text.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServerProcess } from '../../testkit/server-process.ts';
import { root } from '../source-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'footnote-seams-'));

beforeAll(() => {
  for (const part of ['src', 'packages/readers/src', 'packages/readers/package.json', 'package.json', 'corpus'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Puts text behind a place that stands there once, and returns the file that it changed. */
function add(path: string, behind: string, text: string): string {
  const before = readFileSync(join(folder, path), 'utf8');
  expect(before.split(behind), `${path}: ${behind}`).toHaveLength(2);
  writeFileSync(
    join(folder, path),
    before.replace(behind, () => behind + text),
  );
  return path;
}

it('an option of requests in three files', async () => {
  const changed = new Set([
    add('src/core/search.ts', 'minScore: z.number().min(0).max(1).optional(),', '\n  probe: z.string().optional(),'),
    add('src/cli/terminal/options.ts', 'readonly minScore?: number;', '\n  readonly probe?: string;'),
    add(
      'src/cli/terminal/options.ts',
      ".addOption(new Option('--min-score <number>', 'least score, 0 to 1').argParser(toShare))",
      "\n    .addOption(new Option('--probe <text>', 'tried by a test'))",
    ),
    add(
      'src/cli/terminal/options.ts',
      '...(options.minScore !== undefined && { minScore: options.minScore }),',
      '\n    ...(options.probe !== undefined && { probe: options.probe }),',
    ),
    add(
      'src/retrieval/retrieve.ts',
      'const { query: text, mode, sources, minScore } = request;',
      "\n        if (request.probe !== undefined) throw new FootnoteError('invalid-request', 'Retrieval got ' + request.probe + '.');",
    ),
  ]);
  expect(changed.size).toBeLessThanOrEqual(3);
  const data = join(folder, 'data');
  const server = await startServerProcess(data, { program: join(folder, 'src/cli/main.ts') });
  try {
    const main = join(folder, 'src/cli/main.ts');
    const asked = spawnSync(process.execPath, [main, '--data', data, 'explain', 'rivers', '--probe', 'the option'], {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    expect(asked.stderr).toContain('Retrieval got the option.');
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      components: { schemas: Record<string, { properties: Record<string, unknown> }> };
    };
    expect(document.components.schemas['SearchRequest']?.properties).toHaveProperty('probe');
    const question = { question: 'Which rivers?', probe: 'a question' };
    const answered = await fetch(`${server.url}/v1/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
    });
    expect(await answered.text()).toContain('Retrieval got a question.');
  } finally {
    await server.stop();
  }
});

it('a format in four files', () => {
  const reader = 'packages/readers/src/data/probe.ts';
  writeFileSync(
    join(folder, reader),
    `import { parsedDocument } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import type { ParseInput, Parser } from '../reader.ts';
export const probe: Parser = {
  name: 'probe',
  mimes: ['text/x-probe'],
  parse: async ({ bytes, name }: ParseInput) => {
    const text = decodeText(bytes, name).text.slice('%PROBE '.length);
    return parsedDocument({ text, mime: 'text/x-probe', blocks: [] });
  },
};
`,
  );
  const changed = new Set([
    reader,
    add(
      'packages/readers/src/media-types.ts',
      'const data: readonly Format[] = [',
      "\n  text('text/x-probe', 'probes', ['probe']),",
    ),
    add(
      'packages/readers/src/registry/registry.ts',
      "'text/csv': loadCsv,",
      "\n  'text/x-probe': async () => (await import('../data/probe.ts')).probe,",
    ),
    add(
      'packages/readers/src/registry/sniff.ts',
      "const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));",
      "\n  if (head.startsWith('%PROBE ')) return 'text/x-probe';",
    ),
  ]);
  expect(changed.size).toBeLessThanOrEqual(4);
  const registry = pathToFileURL(join(folder, 'packages/readers/src/registry/registry.ts')).href;
  const code = `const { parseFile } = await import(${JSON.stringify(registry)});
    const texts = [];
    for (const name of ['a.probe', 'nameless'])
      texts.push((await parseFile({ name, bytes: Buffer.from('%PROBE It is read.') })).text);
    console.log(JSON.stringify(texts));`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  expect(JSON.parse(ran.stdout)).toEqual(['It is read.', 'It is read.']);
});
