// A passage is a piece of its chunk, exactly: sorted, at most 120 words, and cut where its author parted it.
import { describe, expect, it } from 'vitest';
import { cutPassages } from '../../src/passages/cut.ts';
import { longestPassageWords } from '../../src/passages/passage.ts';

const cut = (text: string, title = 'Pumps', headingPath: readonly string[] = []) =>
  cutPassages({ text, title, headingPath });
const sentence = (at: number): string => `Pump ${at} moves ${at + 10} litres of clear water in every hour of the day.`;
const long = Array.from({ length: 40 }, (_, at) => sentence(at)).join(' ');
const mixed = `# Setup\n\nFirst lines.\n\n- one step\n- another step\n\n## Limits\n\n| Name | Most |\n|---|---|\n| pump | 3 |\n\n${long}\n\n\`\`\`\nrun --fast\n\`\`\`\n`;

describe('cutPassages', () => {
  it.each([
    ['of all forms', mixed],
    ['of one paragraph', long],
    ['of nothing', ''],
  ])('gives exact sorted pieces: %s', (_, text) => {
    const passages = cut(text);
    for (const { text: own, start, end, words, parts } of passages) {
      expect(text.slice(start, end)).toBe(own);
      expect(words).toBeLessThanOrEqual(longestPassageWords);
      for (const part of parts) expect(part.start >= start && part.end <= end).toBe(true);
    }
    const starts = passages.map(({ start }) => start);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(cut(text)).toEqual(passages);
  });

  it('cuts a long paragraph into windows that together hold all of it', () => {
    const passages = cut(long);
    expect(passages.length).toBeGreaterThan(2);
    for (const one of passages) expect(one.isCut).toBe(true);
    for (let at = 0; at < 40; at += 1) expect(passages.some(({ text }) => text.includes(sentence(at)))).toBe(true);
  });

  it('keeps a list with the line that leads it in', () => {
    const [passage] = cut('To drain the basin:\n\n- close the gate\n- start the pump\n');
    expect(passage?.text).toContain('To drain the basin:');
    expect(passage?.text).toContain('start the pump');
  });

  it.each([
    [
      'dots and blanks',
      'Contents\n\n1 Drains . . . . . . . 1\n1.1 What is a drain? . . . . . ii\n2 Pumps . . . . 12\n',
    ],
    ['dots alone', '1 Drains.......1\n1.1 What is a drain?......3\n2 Pumps: a list.....12'],
    ['cells', 'Contents\n\n1 Drains . . . | 1\n2 What is a drain, and\nwhat is none? . . . | 1\n3 Pumps . . . | 12'],
  ])('leaves out a printed table of contents, of %s', (_, text) => {
    const said = 'A drain takes water away. It holds... 3 litres.';
    expect(cut(`${text}\n\n${said}`).map((one) => one.text.replace(/^Contents\s+/u, ''))).toEqual([said]);
    expect(cut(`Drain ${'.'.repeat(50_000)}`).length).toBeGreaterThan(0);
  });

  it('nests headings, also those that nothing but another heading stands under', () => {
    const marked = [
      '# Tool',
      '## Install',
      '### Linux',
      'Run a.',
      '### Windows',
      'Run b.',
      '## Uninstall',
      '### Linux',
      'Run c.',
    ];
    expect(cut(marked.join('\n\n'), '').map(({ headingPath, text }) => [...headingPath, text])).toEqual([
      ['Tool', 'Install', 'Linux', 'Run a.'],
      ['Tool', 'Install', 'Windows', 'Run b.'],
      ['Tool', 'Uninstall', 'Linux', 'Run c.'],
    ]);
    const [plain] = cut('Uninstall\n\nOn Linux\n\nRun c, and then remove the folder.');
    expect([plain?.headingPath, plain?.label]).toEqual([['Pumps', 'Uninstall'], 'On Linux']);
    const lines = cut('Pump A: 40 l\n\nPump B: 60 l\n\nPump C: 80 l\n\nAll are checked in May.');
    expect(lines.map(({ text, headingPath }) => [text.split(/\n+/u)[0], ...headingPath])).toEqual([
      ['Pump A: 40 l', 'Pumps'],
      ['Pump C: 80 l', 'Pumps'],
    ]);
  });

  it('shows what stands before the last heading of a chunk under those over that one', () => {
    const text = 'The default port is 8080.\n\n## Windows\n\nStart the service.';
    expect(cut(text, 'Guide', ['Guide', 'Windows']).map((one) => [...one.headingPath, one.text])).toEqual([
      ['Guide', 'The default port is 8080.'],
      ['Guide', 'Windows', 'Start the service.'],
    ]);
  });

  it('keeps a question that is a heading with its answer', () => {
    const said = (words: number): string =>
      `${Array.from({ length: words - 1 }, (_, at) => `word${at}`).join(' ')} end.`;
    const passages = cut(`How long is the trial?\n\n${said(70)}\n\nCan I cancel?\n\n${said(60)}`);
    expect(passages.map(({ text }) => text.split('\n')[0])).toEqual(['How long is the trial?', 'Can I cancel?']);
  });

  it('says in each window of a table or a list what says what it is', () => {
    const rows = Array.from({ length: 60 }, (_, at) => `| plan ${at} | ${at} seats | ${at} euros |`);
    const table = cut(`| Plan | Seats | Price |\n| --- | --- | --- |\n${rows.join('\n')}`);
    expect(table.length).toBeGreaterThan(2);
    expect(new Set(table.slice(1).map(({ headingPath }) => headingPath.at(-1)))).toEqual(
      new Set(['Plan | Seats | Price']),
    );
    const list = cut(
      `Not supported:\n\n${Array.from({ length: 60 }, (_, at) => `- the format number ${at}`).join('\n')}`,
    );
    expect(new Set(list.slice(1).map(({ headingPath }) => headingPath.at(-1)))).toEqual(new Set(['Not supported:']));
    for (const { words } of [...table, ...list]) expect(words).toBeLessThanOrEqual(longestPassageWords);
  });

  it('says no heading twice', () => {
    const [passage] = cut('# Pumps\n\nThey move water.\n', 'Pumps', ['Pumps']);
    expect(passage?.headingPath).toEqual(['Pumps']);
    expect(cut('## Limits\n\nAt most three pumps run.\n')[0]?.headingPath).toEqual(['Pumps', 'Limits']);
  });

  it('takes a short line alone for the label of what follows', () => {
    const [passage] = cut('max_pumps (integer)\n\nHow many pumps may run at the same time in one basin.\n');
    expect(passage).toMatchObject({ form: 'entry', label: 'max_pumps (integer)' });
  });

  const heading = (text: string, title: string, level: number) => {
    const start = text.indexOf(title);
    return { start, end: start + title.length, level };
  };

  it('stands under the headings that the format marks, by their levels', () => {
    const text =
      'Fees\n\nAll are due in May.\n\nLate fees\n\nThey double.\n\nRefunds\n\nNone are given.\n\nVisits\n\nCome by bus.';
    const headings = [
      { start: 0, end: 0, level: 1, title: 'Members' },
      heading(text, 'Fees', 2),
      heading(text, 'Late fees', 3),
      heading(text, 'Refunds', 3),
      heading(text, 'Visits', 1),
    ];
    const passages = cutPassages({ text, title: 'Rules', headingPath: [], headings });
    expect(passages.map(({ headingPath, text: own }) => [...headingPath, own])).toEqual([
      ['Rules', 'Members', 'Fees', 'All are due in May.'],
      ['Rules', 'Members', 'Fees', 'Late fees', 'They double.'],
      ['Rules', 'Members', 'Fees', 'Refunds', 'None are given.'],
      ['Rules', 'Visits', 'Come by bus.'],
    ]);
  });

  it('shows headings without the signs that mark them', () => {
    const marked = ['## Fees', '### C# and F#', '## Closed ##', '== Old ==', '* **Org**', 'Notes on C #'];
    const text = marked.map((line, at) => `${line}\n\nText ${at} says something.\n\n`).join('');
    const headings = marked.map((line) => ({ ...heading(text, line, 2), level: 2 }));
    expect(
      cutPassages({ text, title: 'Shop', headingPath: [], headings }).map(({ headingPath }) => headingPath.at(-1)),
    ).toEqual(['Fees', 'C# and F#', 'Closed', 'Old', '**Org**', 'Notes on C #']);
  });

  it('shows a heading with nothing under it as a text of its own', () => {
    const text = 'Fees\n\nDue in May.\n\nOpen from 9 to 17\n\nClosed on Mondays\n';
    const headings = ['Fees', 'Open from 9 to 17', 'Closed on Mondays'].map((title) => heading(text, title, 2));
    expect(
      cutPassages({ text, title: 'Shop', headingPath: [], headings }).map(({ headingPath, text: own }) => [
        headingPath.at(-1),
        own,
      ]),
    ).toEqual([
      ['Fees', 'Due in May.'],
      ['Shop', 'Open from 9 to 17\n\nClosed on Mondays'],
    ]);
  });

  it('takes no comment of code for a heading where the headings are known', () => {
    const text = 'Cache\n\nSet it like this:\n\n# Fall back to the disk\nCacheRoot /var/cache\n\nThen restart.';
    const known = cutPassages({ text, title: 'Server', headingPath: [], headings: [heading(text, 'Cache', 1)] });
    expect(known).not.toHaveLength(0);
    for (const { headingPath } of known) expect(headingPath).toEqual(['Server', 'Cache']);
  });

  it('keeps a heading over the chunk that one within it is called like', () => {
    const text = 'Ports are open.\n\nConfiguration\n\nSet the port.';
    const headings = [heading(text, 'Configuration', 3)];
    const passages = cutPassages({ text, title: 'Guide', headingPath: ['Configuration', 'Server'], headings });
    expect(passages.map(({ headingPath }) => headingPath)).toEqual([
      ['Guide', 'Configuration', 'Server'],
      ['Guide', 'Configuration', 'Server'],
    ]);
  });

  it('keeps a bare heading on the line above another one', () => {
    const text = 'Closed in May\nFees\nWhoever comes late pays double.\n';
    const headings = ['Closed in May', 'Fees'].map((title) => heading(text, title, 2));
    expect(
      cutPassages({ text, title: 'Shop', headingPath: [], headings }).map(({ headingPath, text: own }) => [
        headingPath.at(-1),
        own,
      ]),
    ).toEqual([
      ['Shop', 'Closed in May'],
      ['Fees', 'Whoever comes late pays double.'],
    ]);
  });

  it('parts a heading from the text that goes on in its line', () => {
    const text = 'Warranty. It lasts two years.\n\nCall us.';
    const headings = [{ start: 0, end: 'Warranty.'.length, level: 2 }];
    const [first] = cutPassages({ text, title: 'Lamp', headingPath: [], headings });
    expect(first).toMatchObject({ headingPath: ['Lamp', 'Warranty.'], text: 'It lasts two years.\n\nCall us.' });
  });
});
