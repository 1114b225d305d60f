// The download folder of a person who tidies up next week: a file of every kind that is read, each with a fact that stands nowhere
// else, copies of some of them, archives in archives, and files that nobody can read.
import { gzipSync } from 'node:zlib';
import { Document, Packer, Paragraph } from 'docx';
import {
  cells,
  epubOf,
  openDocumentOf,
  pptxOf,
  shape,
  xlsxOf,
} from '../../packages/readers/testkit/office-fixtures.ts';
import { zipFile } from '../../packages/readers/testkit/zip-file.ts';
import { pdfOf } from '../../testkit/pdf-of.ts';

/** Where a citation of the fact must lead. */
export interface Cited {
  readonly name: string;
  readonly barrels: number;
  /** Of the document: the path in the folder, and inside archives. */
  readonly uri: string;
  readonly page?: number;
  readonly place?: string;
  /** The line on which the fact stands. */
  readonly line?: number;
}

export interface Unreadable {
  readonly uri: string;
  /** What its reason must say. */
  readonly reason: RegExp;
}

export interface MessyFolder {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly cited: readonly Cited[];
  readonly unreadable: readonly Unreadable[];
}

const names = (
  'Marlund Tovik Brennel Quasker Dorlath Fenwyr Hollin Jarvok Kestren Lomgar Nostrel Orvane Pelgrun Rastok Sunvar Tremby Ulvane Vorlin ' +
  'Wexham Yardel Zorban Ablen Cardoc Delvane Elmsor Fargul Gostred Haskel Ivorel Jostam Kolvert Luskar Mirvan Nelgath Oskrel Pravin ' +
  'Quildar Rovand Stelmar Turvok Uskren Valmere Wostrel'
).split(' ');

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function docxOf(paragraphs: readonly string[]): Promise<Uint8Array> {
  const children = paragraphs.map((text) => new Paragraph(text));
  return new Uint8Array(await Packer.toBuffer(new Document({ sections: [{ children }] })));
}

const mailOf = (body: string, attachment: { name: string; text: string }): string =>
  [
    'From: Ann <ann@example.org>',
    'To: Bob <bob@example.org>',
    'Subject: About the barrels',
    'Date: Mon, 06 May 2024 10:00:00 +0200',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="cut"',
    '',
    '--cut',
    'Content-Type: text/plain; charset=utf-8',
    '',
    body,
    '--cut',
    `Content-Type: text/markdown; name="${attachment.name}"`,
    `Content-Disposition: attachment; filename="${attachment.name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(attachment.text).toString('base64'),
    '--cut--',
    '',
  ].join('\r\n');

export async function messyFolder(): Promise<MessyFolder> {
  const files = new Map<string, Uint8Array>();
  const cited: Cited[] = [];
  let next = 0;
  /** The next fact, to be cited there. */
  const fact = (uri: string, where: Omit<Cited, 'name' | 'barrels' | 'uri'> = {}): string => {
    const name = names[next] ?? `Depot${next}`;
    const barrels = 100 + next * 7;
    next += 1;
    cited.push({ name, barrels, uri, ...where });
    return `The depot of ${name} stores ${barrels} barrels.`;
  };
  const put = (path: string, content: string | Uint8Array): void => {
    files.set(path, typeof content === 'string' ? bytesOf(content) : content);
  };
  /** Cited by line, where the format is. */
  const text = (path: string, before: string, { after = '\n', isByLine = true } = {}): void =>
    put(path, `${before}${fact(path, isByLine ? { line: before.split('\n').length } : {})}${after}`);
  /** Cited by a place and not by lines. */
  const placed = (path: string, content: (fact: string) => string | Uint8Array, place: string): void =>
    put(path, content(fact(path, { place })));

  text('notes.md', '# Notes\n\n');
  text('todo (1).txt', 'Buy milk.\n');
  text('page.html', '<html><head><title>Depots</title></head><body><main><h1>Depots</h1><p>', {
    after: '</p></main></body></html>\n',
    isByLine: false,
  });
  text('guide.rst', 'Guide\n=====\n\n');
  text('plan.org', '* Plan\n');
  text('manual.adoc', '= Manual\n\n');
  text('thesis.tex', '\\documentclass{article}\n\\begin{document}\n\\section{Depots}\n', {
    after: '\n\\end{document}\n',
  });
  text('server.log', '2024-05-06T10:00:00Z INFO started\n2024-05-06T10:00:01Z INFO ');
  text('settings.yaml', 'title: depots\nnote: ');
  text('package.toml', '[depots]\nnote = "', { after: '"\n' });
  text('script.py', 'def depots():\n    """', { after: '"""\n    return 1\n' });
  text('lib.rs', '/// ', { after: '\npub fn depots() -> i32 { 1 }\n' });
  text('schema.sql', 'CREATE TABLE depots (id INT);\n-- ');
  put('old.txt', Buffer.from(`Größe: klein. ${fact('old.txt', { line: 1 })}\n`, 'latin1'));

  const pdf = await pdfOf(['A cover page without facts.', fact('report.pdf', { page: 2 })]);
  put('report.pdf', pdf);
  put('report (copy).pdf', pdf);
  put('letter.docx', await docxOf(['Dear all,', fact('letter.docx')]));
  placed(
    'budget.xlsx',
    (said) => xlsxOf([{ name: 'Costs', data: cells(1, ['Depot', 'Note']) + cells(2, ['North', said]) }]),
    'Costs!A2:B2',
  );
  placed(
    'talk.pptx',
    (said) =>
      pptxOf([
        { shapes: shape('Welcome', [0, 0], 'title') },
        { shapes: shape('Barrels', [0, 0], 'title') + shape(said, [0, 500]) },
      ]),
    'slide 2',
  );
  put(
    'memo.odt',
    openDocumentOf('text', `<text:h text:outline-level="1">Memo</text:h><text:p>${fact('memo.odt')}</text:p>`),
  );
  put('novel.epub', epubOf({ 'one.xhtml': `<h1>One</h1><p>${fact('novel.epub')}</p>` }));
  put('fax.rtf', `{\\rtf1\\ansi Fax\\par ${fact('fax.rtf')}\\par}`);
  placed('rows.csv', (said) => `depot,note\nNorth,closed\nSouth,"${said}"\nWest,open\n`, 'row 3');
  placed(
    'study.ipynb',
    (said) =>
      JSON.stringify({
        cells: [
          { cell_type: 'code', source: 'x = 1', outputs: [] },
          { cell_type: 'markdown', source: [said] },
        ],
        metadata: {},
        nbformat: 4,
      }),
    'cell 2',
  );
  placed(
    'film.srt',
    (said) => `1\n00:00:01,000 --> 00:00:02,000\nHello.\n\n2\n00:01:02,000 --> 00:01:05,000\n${said}\n`,
    '00:01:02',
  );
  placed(
    'team.ics',
    (said) =>
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20240506T100000Z\r\nDTEND:20240506T110000Z\r\nSUMMARY:Depots\r\nDESCRIPTION:${said}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
    'event 1',
  );
  placed(
    'news.rss',
    (said) =>
      `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>Other</title><description>Nothing.</description></item><item><title>Depots</title><description>&lt;p&gt;${said}&lt;/p&gt;</description></item></channel></rss>`,
    'item 2',
  );
  put('data.xml', `<catalog><item><note>${fact('data.xml')}</note></item></catalog>`);
  put('facts.json', JSON.stringify({ title: 'Facts', note: fact('facts.json') }, undefined, 2));
  const mailed = fact('mail.eml');
  const attached = fact('mail.eml/attachments/list.md', { line: 3 });
  put('mail.eml', mailOf(mailed, { name: 'list.md', text: `# List\n\n${attached}\n` }));
  placed(
    'archive.mbox',
    (said) =>
      `From a@example.org Mon Jan  1 00:00:00 2024\nFrom: a@example.org\nSubject: One\n\nNothing.\n\nFrom b@example.org Mon Jan  1 00:00:01 2024\nFrom: b@example.org\nSubject: Two\n\n${said}\n`,
    'message 2',
  );

  const deep = zipFile([
    { name: 'deep/readme.md', content: `# Deep\n\n${fact('backup.zip/inner.zip/deep/readme.md', { line: 3 })}\n` },
  ]);
  const zipped = await pdfOf([fact('backup.zip/scans/one.pdf', { page: 1 })]);
  const broken = '%PDF-1.7\nThis is not a PDF, really.';
  put(
    'backup.zip',
    zipFile([
      { name: 'inner.zip', content: deep },
      { name: 'scans/one.pdf', content: zipped },
      { name: 'scans/bad.pdf', content: broken },
    ]),
  );
  put('journal.txt.gz', gzipSync(`Day one.\n${fact('journal.txt.gz/journal.txt', { line: 2 })}\n`));

  put('broken.pdf', broken);
  put('empty.txt', '');
  put(
    'movie.mp4',
    new Uint8Array(4000).map((_, at) => (at * 131 + (at >> 3)) % 253),
  );
  put('not-a-letter.docx', zipFile([{ name: 'word/document.xml', content: '<w:document' }]));
  put('locked.zip', zipFile([{ name: 'a.txt', content: 'secret', isEncrypted: true }]));
  put('torn.zip', deep.subarray(0, deep.length - 30));
  put('picture.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]));
  const unreadable: Unreadable[] = [
    { uri: 'broken.pdf', reason: /damaged|structure/ },
    { uri: 'backup.zip/scans/bad.pdf', reason: /damaged|structure/ },
    { uri: 'empty.txt', reason: /empty/ },
    { uri: 'movie.mp4', reason: /film.*subtitles/ },
    { uri: 'not-a-letter.docx', reason: /damaged|cannot be read|not .*DOCX/i },
    { uri: 'locked.zip', reason: /password|encrypted/ },
    { uri: 'torn.zip', reason: /damaged|cut|end|incomplete/ },
    { uri: 'picture.png', reason: /damaged|cut|incomplete|cannot be read/ },
  ];
  return { files, cited, unreadable };
}
