// Writes a folder of tables and records from a seed (CSV, XLSX, DOCX, PDF, Markdown, HTML, mail, calendar, contacts, notebook, JSON), with questions
// whose answers are known: what stands in one cell of one row, or in one sentence of one message, and where that is. No two rows share a value.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from 'docx';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { utils, write } from '../../packages/readers/testkit/libraries.ts';
import { pick, randomFrom } from '../../testkit/forge/forge-words.ts';
import {
  cellQuestions,
  type Drawer,
  drawer,
  type Grid,
  gridOf,
  type TableQuestion,
  type Written,
} from './table-answers-draw.ts';
import { cards, events, mails, notebook, records } from './table-answers-records.ts';

function stations(draw: Drawer): Written {
  const grid = gridOf(['Station', 'Salinity', 'Depth (m)', 'Oxygen', 'Sampled on'], 60, () => [
    draw.code('Q'),
    draw.decimal(2, 30),
    draw.whole(100, 900),
    draw.decimal(40, 99),
    draw.date(),
  ]);
  const lines = [grid.columns, ...grid.rows].map((cells) => cells.join(','));
  return {
    name: 'stations.csv',
    bytes: `${lines.join('\n')}\n`,
    questions: cellQuestions(
      grid,
      {
        1: (label) => `What was the salinity at station ${label}?`,
        2: (label) => `How deep is station ${label}?`,
        3: (label) => `What was the oxygen at ${label}?`,
        4: (label) => `When was station ${label} sampled?`,
      },
      { many: 16, random: draw.random, placeOf: (row) => `row ${row + 2}` },
    ),
  };
}

function workbook(draw: Drawer): Written {
  const products = gridOf(['Product', 'Price (EUR)', 'Weight (kg)', 'Supplier'], 30, () => [
    `${draw.name()} lamp`,
    draw.decimal(40, 300),
    draw.decimal(1, 40),
    `${draw.name()} Works`,
  ]);
  const staff = gridOf(['Employee', 'Office', 'Extension', 'Start date'], 30, () => [
    draw.person(),
    draw.name(),
    draw.whole(2000, 9000),
    draw.date(),
  ]);
  const book = utils.book_new();
  for (const [name, { columns, rows }] of [
    ['Products', products],
    ['Staff', staff],
  ] as const)
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet([
        [...columns],
        ...rows.map((cells) => cells.map((cell) => (/^[\d.]+$/u.test(cell) ? Number(cell) : cell))),
      ]),
      name,
    );
  const placeOf = (sheet: string) => (row: number) => `${sheet}!A${row + 2}:D${row + 2}`;
  return {
    name: 'shop.xlsx',
    bytes: new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer),
    questions: [
      ...cellQuestions(
        products,
        {
          1: (label) => `What is the price of the ${label}?`,
          2: (label) => `How much does the ${label} weigh?`,
          3: (label) => `Who is the supplier of the ${label}?`,
        },
        { many: 8, random: draw.random, placeOf: placeOf('Products') },
      ),
      ...cellQuestions(
        staff,
        {
          1: (label) => `In which office does ${label} work?`,
          2: (label) => `What is the extension of ${label}?`,
          3: (label) => `When did ${label} start?`,
        },
        { many: 8, random: draw.random, placeOf: placeOf('Staff') },
      ),
    ].map((one) => ({ ...one, answer: one.answer.replace(/(?<=\.\d)0$|\.00$/u, '') })),
  };
}

const townGrid = (draw: Drawer, count: number): Grid =>
  gridOf(['Town', 'Population', 'Mayor', 'Founded'], count, () => [
    draw.name(),
    draw.whole(10_000, 90_000),
    draw.person(),
    draw.whole(1150, 1890),
  ]);
const townAsks = {
  1: (label: string) => `What is the population of ${label}?`,
  2: (label: string) => `Who is the mayor of ${label}?`,
  3: (label: string) => `When was ${label} founded?`,
};
const remarks = (draw: Drawer): string[] => [
  `The survey of the county was finished by ${draw.person()} and reviewed twice.`,
  'Towns are listed with their population as of the last census, their mayor and the year in which they were founded.',
  'Figures that were not handed in on time were estimated by the office.',
];

async function survey(draw: Drawer): Promise<Written> {
  const grid = townGrid(draw, 26);
  const cell = (text: string): TableCell => new TableCell({ children: [new Paragraph(text)] });
  const document = new Document({
    sections: [
      {
        children: [
          new Paragraph({ text: 'County survey', heading: HeadingLevel.HEADING_1 }),
          ...remarks(draw).map((text) => new Paragraph(text)),
          new Table({
            rows: [grid.columns, ...grid.rows].map(
              (cells, at) => new TableRow({ tableHeader: at === 0, children: cells.map(cell) }),
            ),
          }),
        ],
      },
    ],
  });
  const asks = cellQuestions(grid, townAsks, { many: 14, random: draw.random });
  return { name: 'survey.docx', bytes: new Uint8Array(await Packer.toBuffer(document)), questions: asks };
}

const accounts = (draw: Drawer): Grid => {
  const items = [
    'Revenue',
    'Personnel costs',
    'Research spending',
    'Operating income',
    'Interest paid',
    'Rent',
    'Travel',
    'Donations',
    'Insurance',
    'Advertising',
    'Electricity',
    'Repairs',
  ];
  return {
    columns: ['Item', '2021', '2022', '2023'],
    rows: items.map((item) => [item, draw.decimal(10, 99), draw.decimal(10, 99), draw.decimal(10, 99)]),
  };
};
const accountAsks = (firm: string) => ({
  1: (label: string) => `What was ${label.toLowerCase()} at ${firm} in 2021?`,
  2: (label: string) => `What was ${label.toLowerCase()} at ${firm} in 2022?`,
  3: (label: string) => `What was ${label.toLowerCase()} at ${firm} in 2023?`,
});

async function results(draw: Drawer): Promise<Written> {
  const grid = accounts(draw);
  const firm = draw.name();
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  const page = pdf.addPage([595, 842]);
  page.drawText(`Annual results of ${firm}`, { x: 60, y: 780, size: 18, font: bold });
  page.drawText(`The board of ${firm} has approved these accounts. All amounts are in thousands of euros.`, {
    x: 60,
    y: 750,
    size: 10,
    font,
  });
  for (const [row, cells] of [grid.columns, ...grid.rows].entries())
    for (const [column, text] of cells.entries())
      page.drawText(text, {
        x: column === 0 ? 60 : 200 + column * 80,
        y: 700 - row * 16,
        size: 10,
        font: row === 0 ? bold : font,
      });
  page.drawText(`The next accounts of ${firm} are due in spring and will be audited again.`, {
    x: 60,
    y: 440,
    size: 10,
    font,
  });
  return {
    name: 'results.pdf',
    bytes: await pdf.save(),
    questions: cellQuestions(grid, accountAsks(firm), { many: 12, random: draw.random, placeOf: () => '1' }),
  };
}

function markdown(draw: Drawer): Written {
  const grid = gridOf(['Setting', 'Default', 'Unit', 'Since'], 24, () => [
    `${draw.name().toLowerCase()}_limit`,
    draw.whole(100, 5000),
    pick(['ms', 'MB', 'rows'], draw.random),
    `${draw.decimal(1, 9)}`,
  ]);
  const rows = [grid.columns, grid.columns.map(() => '---'), ...grid.rows].map((cells) => `| ${cells.join(' | ')} |`);
  return {
    name: 'settings.md',
    bytes: `# Settings\n\nEvery setting has a default and may be changed at any time.\n\n${rows.join('\n')}\n\nChanges are read at once.\n`,
    questions: cellQuestions(
      grid,
      { 1: (label) => `What is the default of ${label}?`, 3: (label) => `Since which version is there ${label}?` },
      { many: 12, random: draw.random },
    ),
  };
}

function html(draw: Drawer): Written {
  const grid = gridOf(['Ferry', 'Departure', 'Pier', 'Captain'], 24, () => [
    `MS ${draw.name()}`,
    draw.time(),
    draw.code('P'),
    draw.person(),
  ]);
  const line = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const body = grid.rows.map((cells) => line(cells, 'td')).join('\n');
  return {
    name: 'ferries.html',
    bytes: `<!doctype html><html><head><title>Ferries</title></head><body><main><h1>Ferries of the summer</h1><p>All ferries run daily, and the pier is shown on the ticket.</p><table><thead>${line(grid.columns, 'th')}</thead><tbody>${body}</tbody></table><p>Bicycles travel free of charge on every ferry of the line.</p></main></body></html>`,
    questions: cellQuestions(
      grid,
      {
        2: (label) => `From which pier does the ${label} leave?`,
        3: (label) => `Who is the captain of the ${label}?`,
      },
      { many: 12, random: draw.random },
    ),
  };
}
/** Writes the files into `folder` and tells the questions, about 150 of them. */
export async function writeTableFiles(folder: string, seed: number): Promise<TableQuestion[]> {
  const draw = drawer(randomFrom(seed));
  await mkdir(folder, { recursive: true });
  const files = [
    stations(draw),
    workbook(draw),
    await survey(draw),
    await results(draw),
    markdown(draw),
    html(draw),
    ...mails(draw),
    events(draw),
    cards(draw),
    notebook(draw),
    records(draw),
  ];
  for (const { name, bytes } of files) await writeFile(join(folder, name), bytes);
  return files.flatMap(({ name, questions }) =>
    questions.map((question, at) => ({
      ...question,
      file: name,
      kind: name.replace(/^.*\./u, ''),
      id: `${name}#${at + 1}`,
    })),
  );
}
