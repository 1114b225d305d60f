// footnote explain, as people run it: three kinds of source, a copy and a contradiction.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;

const folders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  docs: { 'gateway.md': '# Gateway\n\nThe default timeout of the gateway is 30 seconds.\n' },
  qa: { 'question.md': '# Timeout\n\nThe default timeout of the gateway is 45 seconds.\n' },
  web: { 'mirror.md': '# Gateway\n\nThe default timeout of the gateway is 30 seconds.\n' },
  code: { 'gateway.ts': '// Opens the gateway with the default timeout.\nexport function openGateway() {}\n' },
};

beforeAll(async () => {
  place = await openWorkplace();
  for (const [type, files] of Object.entries(folders)) {
    await mkdir(join(place.folder, type));
    for (const [name, text] of Object.entries(files)) await writeFile(join(place.folder, type, name), text);
    const { code } = await place.run(['ingest', type, '--type', type, '--source', `our-${type}`]);
    expect(code).toBe(0);
  }
});
afterAll(() => place.remove());

describe('footnote explain', () => {
  it('tells the route, who was asked, what each gave, what was merged and what disagrees', async () => {
    const { code, out: stdout } = await place.run(['explain', 'What is the default timeout of the gateway?']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Needs: docs/mu);
    expect(stdout).toMatch(/^Since docs: the question says “default”/mu);
    expect(stdout).toMatch(/^Asked: (?=.*docs)(?=.*code)(?=.*qa)(?=.*web)/mu);
    expect(stdout).toMatch(/^ {2}qa: \d+ hits?, the best answers \d+ % of the words/mu);
    expect(stdout).toContain('the same in our-web');
    expect(stdout).toMatch(/what the kind docs counts [\d.]+ x share of its best score/u);
    expect(stdout).toMatch(/45 seconds\. \(our-qa/u);
    expect(stdout).toMatch(/30 seconds\. \(our-docs .*followed for its authority/u);
  });

  it('gives the same as one value with --json', async () => {
    const { code, out: stdout } = await place.run(['explain', 'where is openGateway defined', '--json']);
    const { search, answer } = JSON.parse(stdout) as {
      search: { routing: { sources: string[] } };
      answer: { id: string };
    };
    expect([code, search.routing.sources[0]]).toEqual([0, 'code']);
    expect(answer.id).toMatch(/^ans_/u);
  });
});
