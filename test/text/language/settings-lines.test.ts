// Lines of settings are cut as people cite them, and what only looks like settings is left to the sentences.
import { describe, expect, it } from 'vitest';
import { settingsGroups } from '../../../src/text/language/settings-lines.ts';
import { segmentPieces } from '../../../src/text/sentences.ts';

const pieces = (text: string): string[] =>
  segmentPieces(text).map(({ start, end, kind }) => `${kind}: ${text.slice(start, end)}`);

describe('pieces of settings', () => {
  it('are a small mapping with its key and its list', () => {
    const text =
      'services:\n  database:\n    image: postgres:16.4\n    ports:\n      - "5544:5432"\n  queue:\n    image: rabbitmq:3.13\n';
    expect(pieces(text)).toEqual([
      'heading: services:',
      'entry: database:\n    image: postgres:16.4\n    ports:\n      - "5544:5432"',
      'entry: queue:\n    image: rabbitmq:3.13',
    ]);
  });

  it('are the lines of a larger mapping, lists with their keys, items with theirs', () => {
    const text = [
      'on: push',
      'jobs:',
      '  test:',
      '    runs-on: ubuntu-24.04',
      '    branches:',
      '    - main',
      '    - next',
      '    steps:',
      '      - name: check out',
      '        uses: actions/checkout@v4',
      '      - run: |',
      '          npm ci',
      '          npm test',
    ].join('\n');
    expect(pieces(text)).toEqual([
      'entry: on: push',
      'heading: jobs:',
      'heading: test:',
      'entry: runs-on: ubuntu-24.04',
      'entry: branches:\n    - main\n    - next',
      'heading: steps:',
      'entry: - name: check out\n        uses: actions/checkout@v4',
      'entry: - run: |\n          npm ci\n          npm test',
    ]);
  });

  it('are the lines of a table', () => {
    expect(
      pieces('[package]\nname = "tidecalc"\n\n[dependencies]\nserde = { version = "1", features = ["derive"] }'),
    ).toEqual([
      'heading: [package]',
      'entry: name = "tidecalc"',
      'heading: [dependencies]',
      'entry: serde = { version = "1", features = ["derive"] }',
    ]);
    expect(pieces('PORT=8080\nHOST=walrus.local')).toEqual(['entry: PORT=8080', 'entry: HOST=walrus.local']);
  });

  it('are no prose, lists, formulas or code', () => {
    for (const text of [
      'Options:\n- red\n- green',
      'We bought two things:\n  - a kettle: blue\n  - a pan',
      'where\nd = 512 and h = 8 are the sizes\nof the model',
      'if (a == b) {\n  c = d;\n}',
      'From: ann@example.org\nTo: bob@example.org\n\nHello',
      'Note: this is prose.\nIt goes on: here.',
    ])
      expect(settingsGroups(text.split('\n')), text).toEqual([]);
  });

  it('take linear time', () => {
    const from = process.cpuUsage();
    for (const part of ['a:\n', ' a:\n', '- a\n', 'a = 1\n', '[a]\n', ' a: 1\n', 'a:\n a:\n'])
      settingsGroups(part.repeat(30_000).split('\n'));
    settingsGroups(Array.from({ length: 400 }, (_, at) => `${' '.repeat(at)}a:`));
    settingsGroups(['a'.repeat(200_000), '='.repeat(200_000), `a =${' '.repeat(200_000)}`, `[${'a'.repeat(200_000)}`]);
    expect(process.cpuUsage(from).user).toBeLessThan(4_000_000);
  });
});
