// Captions as programs write them: rolling up line by line, and as scripts of SubStation Alpha.
import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

async function parse(name: string, lines: readonly string[]) {
  const document = await parseFile({ name, bytes: Buffer.from(lines.join('\n')) });
  expectWellFormed(document);
  return document;
}

describe('captions that roll up', () => {
  const cue = (from: number, ...lines: readonly string[]): string[] => [
    `00:00:0${from}.000 --> 00:00:0${from + 1}.000 align:start position:0%`,
    ...lines,
    '',
  ];

  it('are said once, in the cue in which they come first', async () => {
    const document = await parse('a.vtt', [
      'WEBVTT',
      '',
      ...cue(1, ' ', 'low water<00:00:01.480><c> is</c> at'),
      ...cue(2, 'low water is at', ' '),
      ...cue(3, 'low water is at', 'noon<00:00:03.480><c> and</c>'),
      ...cue(4, 'noon and', ' '),
      ...cue(5, 'noon and', 'the quay&#39;s &quot;dry&quot;'),
    ]);
    expect(document.text).toBe('low water is at\nnoon and\nthe quay\'s "dry"');
    expect(document.places.map(({ label }) => label)).toEqual(['00:00:01', '00:00:03', '00:00:05']);
  });

  it('are told from what is said twice', async () => {
    const said = ['No.', 'No.', 'Why?', 'Low water.', 'At noon.', 'At the quay.', 'Tomorrow.', 'Good.'];
    const document = await parse('a.vtt', ['WEBVTT', '', ...said.flatMap((text, index) => cue(index + 1, text))]);
    expect(document.text.split(/\n+/u)).toEqual(said);
  });
});

describe('cues with empty lines in them', () => {
  it('are read to the number or the time of the next one', async () => {
    const document = await parse('a.srt', [
      ...[
        '1',
        '00:00:01,000 --> 00:00:02,000',
        'Low water',
        '',
        ' ',
        'is near.',
        '',
        '2',
        '00:00:08,000 --> 00:00:09,000',
        '',
      ],
      ...[
        '',
        '00:00:11,000 --> 00:00:12,000',
        'It is',
        '',
        '7',
        '',
        '',
        '4',
        '00:00:21,000 --> 00:00:22,000',
        'Good.',
        '',
        '',
      ],
    ]);
    expect(document.text).toBe('Low water\nis near.\n\nIt is\n7\n\nGood.');
    expect(document.places.map(({ label }) => label)).toEqual(['00:00:01', '00:00:11', '00:00:21']);
    const notes = [
      'WEBVTT',
      '',
      '00:01.000 --> 00:02.000',
      'Hi',
      '',
      'NOTE not this',
      '',
      '00:03.000 --> 00:04.000',
      'you',
    ];
    expect((await parse('a.vtt', notes)).text).toBe('Hi\nyou');
  });
});

describe('characters by their numbers', () => {
  it('are read, halves of one only together', async () => {
    const cues = ['1', '00:00:01,000 --> 00:00:02,000', '&#9731; &#55357;&#56832; &#55357; &amp;#39;'];
    expect((await parse('a.srt', cues)).text).toBe('☃ 😀 \ufffd &#39;');
  });
});
