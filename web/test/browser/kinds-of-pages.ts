// Ten PDFs as they lie on people's desks, each of a kind of its own, and a fact that it alone tells.
import { degrees, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib';

export interface DeskFile {
  readonly name: string;
  readonly question: string;
  /** What the cited words hold. */
  readonly fact: string;
  bytes(): Promise<Uint8Array>;
}

interface Sheet {
  readonly font: PDFFont;
  readonly bold: PDFFont;
  add(size: [number, number]): PDFPage;
}
type Draw = (sheet: Sheet) => void;

const a4: [number, number] = [595, 842];
const grey = rgb(0.8, 0.8, 0.8);

async function made(draw: Draw): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const [font, bold] = await Promise.all([
    document.embedFont(StandardFonts.TimesRoman),
    document.embedFont(StandardFonts.HelveticaBold),
  ]);
  draw({ font, bold, add: (size) => document.addPage(size) });
  return document.save();
}

interface At {
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly lead?: number;
  readonly font: PDFFont;
}
const lines = (page: PDFPage, texts: readonly string[], { x, y, size = 11, lead = size * 1.6, font }: At): void =>
  texts.forEach((text, at) => {
    page.drawText(text, { x, y: y - at * lead, size, font });
  });

/** Lines across the cells of a table, and its words. */
function table(page: PDFPage, rows: readonly (readonly string[])[], { x, y, font }: At): void {
  const [height, width] = [22, 150];
  const columns = rows[0]?.length ?? 0;
  for (let row = 0; row <= rows.length; row++)
    page.drawLine({ start: { x, y: y - row * height }, end: { x: x + columns * width, y: y - row * height } });
  for (let column = 0; column <= columns; column++)
    page.drawLine({ start: { x: x + column * width, y }, end: { x: x + column * width, y: y - rows.length * height } });
  for (const [row, cells] of rows.entries())
    for (const [column, text] of cells.entries())
      page.drawText(text, { x: x + column * width + 6, y: y - row * height - 15, size: 11, font });
}

export const deskFiles: readonly DeskFile[] = [
  {
    name: 'report-draft.pdf',
    question: 'How many culverts does the Ostrava road cross?',
    fact: '31 culverts',
    bytes: () =>
      made(({ font, bold, add }) => {
        for (const part of ['Route', 'Culverts', 'Costs']) {
          const page = add(a4);
          page.drawText('DRAFT', { x: 140, y: 300, size: 130, font: bold, color: grey, rotate: degrees(45) });
          lines(page, [`${part} of the Ostrava road`], { x: 60, y: 770, size: 18, font: bold });
          const fact = part === 'Culverts' ? ['The Ostrava road crosses 31 culverts made of brick.'] : [];
          const rest = [
            `This part is about the ${part.toLowerCase()} alone.`,
            'It was surveyed on foot in the spring.',
          ];
          lines(page, [...fact, ...rest], { x: 60, y: 730, font });
        }
      }),
  },
  {
    name: 'till-roll.pdf',
    question: 'How much did the tin of beeswax cost?',
    fact: '7.40',
    bytes: () =>
      made(({ font, add }) =>
        lines(
          add([226, 420]),
          ['GREENHILL STORES', 'The tin of beeswax cost 7.40 euros.', 'The broom cost 12.10 euros.', 'Paid by card.'],
          { x: 14, y: 390, size: 10, font },
        ),
      ),
  },
  {
    name: 'slides.pdf',
    question: 'Which port will the Merganser project open first?',
    fact: 'Lerwick',
    bytes: () =>
      made(({ font, bold, add }) => {
        for (const [title, text] of [
          ['Merganser: where we are', 'Two of five ports have signed.'],
          ['Merganser: what comes next', 'The Merganser project will open Lerwick first.'],
        ] as const) {
          const page = add([960, 540]);
          page.drawRectangle({ x: 0, y: 440, width: 960, height: 100, color: rgb(0.85, 0.9, 1) });
          lines(page, [title], { x: 60, y: 475, size: 36, font: bold });
          lines(page, [text], { x: 60, y: 320, size: 28, font });
        }
      }),
  },
  {
    name: 'price-list.pdf',
    question: 'What is the price of the oak gatepost?',
    fact: 'Oak gatepost',
    bytes: () =>
      made(({ font, bold, add }) => {
        const page = add(a4);
        lines(page, ['Price list of the Hollin sawmill'], { x: 60, y: 780, size: 16, font: bold });
        const rows = [
          ['Article', 'Length', 'Price'],
          ['Oak gatepost', '210 cm', '48.50 euros'],
          ['Larch rail', '300 cm', '19.20 euros'],
        ];
        table(page, rows, { x: 60, y: 740, font });
      }),
  },
  {
    name: 'newsletter.pdf',
    question: 'Who repairs the bells of Saint Aldric?',
    fact: 'Berta Voss',
    bytes: () =>
      made(({ font, bold, add }) => {
        const page = add(a4);
        lines(page, ['THE ALDRIC LEAF'], { x: 180, y: 790, size: 24, font: bold });
        const columns = [
          ['Harvest supper', 'The supper is in the barn.', 'Bring a chair and a cup.', 'Soup is for all.'],
          ['The bells', 'Berta Voss repairs the bells', 'of Saint Aldric this winter.', 'They ring at Easter again.'],
          ['Lost', 'A grey glove was found', 'by the west gate. It waits', 'in the vestry.'],
        ];
        for (const [at, texts] of columns.entries()) lines(page, texts, { x: 45 + at * 178, y: 740, size: 10, font });
      }),
  },
  {
    name: 'card-a6.pdf',
    question: 'How long does the quince cheese boil?',
    fact: '95 minutes',
    bytes: () =>
      made(({ font, bold, add }) => {
        const page = add([298, 420]);
        lines(page, ['Quince cheese'], { x: 24, y: 380, size: 15, font: bold });
        const steps = [
          '1. Peel and core the quinces.',
          '2. Boil the quince cheese for 95 minutes.',
          '3. Cut it when cold.',
        ];
        lines(page, steps, { x: 24, y: 350, size: 11, font });
      }),
  },
  {
    name: 'landscape-plan.pdf',
    question: 'How deep is the well of the Brenner yard?',
    fact: '17 metres',
    bytes: () =>
      made(({ font, bold, add }) => {
        // Stored upright, shown turned, as plans are.
        const page = add(a4);
        page.setRotation(degrees(90));
        const turned = { rotate: degrees(90), size: 14 };
        page.drawText('Plan of the Brenner yard', { x: 60, y: 60, font: bold, ...turned });
        page.drawText('The well of the Brenner yard is 17 metres deep.', { x: 110, y: 60, font, ...turned });
        page.drawRectangle({ x: 160, y: 100, width: 300, height: 500, borderColor: grey, borderWidth: 2 });
      }),
  },
  {
    name: 'minutes.pdf',
    question: 'When does the ferry committee meet again?',
    fact: '14 October',
    bytes: () =>
      made(({ font, bold, add }) => {
        for (const number of [1, 2, 3]) {
          const page = add(a4);
          lines(page, ['Minutes of the ferry committee'], { x: 60, y: 810, size: 9, font });
          lines(page, [`Item ${number}`], { x: 60, y: 760, size: 14, font: bold });
          const said =
            number === 3 ? 'The ferry committee meets again on 14 October at noon.' : 'Nobody spoke against it.';
          lines(page, [said, `So item ${number} was closed.`], { x: 60, y: 730, font });
          lines(page, [`Page ${number}`], { x: 280, y: 30, size: 9, font });
        }
      }),
  },
  {
    name: 'certificate.pdf',
    question: 'What was Ilse Marn certified for?',
    fact: 'tower cranes',
    bytes: () =>
      made(({ font, bold, add }) => {
        const page = add([842, 595]);
        page.drawRectangle({ x: 20, y: 20, width: 802, height: 555, borderColor: grey, borderWidth: 6 });
        lines(page, ['Certificate'], { x: 300, y: 460, size: 44, font: bold });
        lines(page, ['Ilse Marn was certified to drive tower cranes.'], { x: 220, y: 330, size: 20, font });
      }),
  },
  {
    name: 'letter-confidential.pdf',
    question: 'Which room does the archive of Pell move to?',
    fact: 'room 212',
    bytes: () =>
      made(({ font, bold, add }) => {
        for (const [title, ...text] of [
          ['The move', 'The archive of Pell moves to room 212 in May.', 'Please label your boxes before.'],
          ['The keys', 'The keys are with the porter.', 'With kind regards, the board of Pell'],
        ] as const) {
          const page = add(a4);
          page.drawText('CONFIDENTIAL', { x: 50, y: 560, size: 66, font: bold, color: grey });
          lines(page, [title], { x: 70, y: 700, size: 16, font: bold });
          lines(page, text, { x: 70, y: 620, lead: 26, font });
        }
      }),
  },
];
