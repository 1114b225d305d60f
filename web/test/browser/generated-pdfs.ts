// PDFs whose pages stand otherwise than plain ones: turned, cropped, scaled, in columns, as forms, as pictures, their text set by every operator that moves it.
import {
  beginText,
  degrees,
  endText,
  moveText,
  nextLine,
  PDFDocument,
  type PDFFont,
  PDFName,
  PDFNumber,
  type PDFOperator,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  rotateAndSkewTextDegreesAndTranslate,
  StandardFonts,
  setCharacterSpacing,
  setCharacterSqueeze,
  setFontAndSize,
  setLineHeight,
  setTextRise,
  setWordSpacing,
  showText,
} from 'pdf-lib';
import { pictureOf } from '../../../packages/readers/testkit/picture-fixture.ts';

export interface GeneratedPdf {
  readonly name: string;
  bytes(): Promise<Uint8Array>;
}

/** Sentences of their own for each file, so that an answer rests on that file. */
const sentencesOf = (place: string): string[] => [
  `The lighthouse of ${place} was built in 1871 from grey granite.`,
  `Its keeper climbs 214 steps every evening before dusk.`,
  `The lamp of ${place} burns 32 litres of oil in a winter night.`,
  `Fishing boats of the harbour pay 15 crowns a year for the light.`,
  `A storm broke seven panes of the lantern of ${place} in 1903.`,
  `Since then the glass is 24 millimetres thick and comes from Venice.`,
  `Ships of more than 900 tons must take a pilot near ${place}.`,
  `The pilot station keeps four boats and eleven men all year round.`,
];

type Draw = (page: PDFPage, font: PDFFont, lines: readonly string[]) => void;

const plain: Draw = (page, font, lines) => {
  const { height } = page.getSize();
  for (const [index, line] of lines.entries())
    page.drawText(line, { x: 60, y: height - 80 - index * 26, size: 12, font });
};

/** Half of the lines in each of two columns, broken anew into short ones. */
const inColumns: Draw = (page, font, lines) => {
  const { height } = page.getSize();
  const half = Math.ceil(lines.length / 2);
  for (const [column, some] of [lines.slice(0, half), lines.slice(half)].entries())
    page.drawText(some.join(' '), {
      x: 50 + column * 260,
      y: height - 90,
      size: 11,
      font,
      maxWidth: 220,
      lineHeight: 15,
    });
};

const file = (name: string, draw: Draw, change?: (page: PDFPage) => void, size: [number, number] = [595, 842]) => ({
  name: `${name}.pdf`,
  async bytes() {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.TimesRoman);
    for (const part of ['Northpoint', 'Southpoint']) {
      const page = document.addPage(size);
      draw(page, font, sentencesOf(`${part} ${name}`));
      change?.(page);
    }
    return document.save();
  },
});

/** Text set by operators of our own, line by line. */
const operated =
  (each: (text: (line: string) => PDFOperator, lines: readonly string[]) => PDFOperator[]): Draw =>
  (page, font, lines) => {
    page.setFont(font);
    const key = page.node.newFontDictionary('Own', font.ref);
    const text = (line: string): PDFOperator => showText(font.encodeText(line));
    page.pushOperators(
      pushGraphicsState(),
      beginText(),
      setFontAndSize(key, 12),
      ...each(text, lines),
      endText(),
      popGraphicsState(),
    );
  };

const ofForm: GeneratedPdf = {
  name: 'form.pdf',
  async bytes() {
    const document = await PDFDocument.create();
    const page = document.addPage([595, 842]);
    const font = await document.embedFont(StandardFonts.Helvetica);
    const form = document.getForm();
    for (const [index, line] of sentencesOf('Formby').entries()) {
      page.drawText(`Remark ${index + 1} of the inspector:`, { x: 60, y: 760 - index * 60, size: 11, font });
      const field = form.createTextField(`remark.${index}`);
      field.setText(line);
      field.addToPage(page, { x: 60, y: 730 - index * 60, width: 460, height: 22, font });
    }
    return document.save();
  },
};

const embedded: GeneratedPdf = {
  name: 'pages-in-a-page.pdf',
  async bytes() {
    const inner = await PDFDocument.load(await file('Embedded', plain).bytes());
    const document = await PDFDocument.create();
    const [first, second] = await document.embedPdf(inner, [0, 1]);
    const page = document.addPage([842, 595]);
    if (first) page.drawPage(first, { x: 10, y: 20, xScale: 0.68, yScale: 0.68 });
    if (second) page.drawPage(second, { x: 425, y: 20, xScale: 0.68, yScale: 0.68 });
    return document.save();
  },
};

const scan = (name: string, turn: number): GeneratedPdf => ({
  name: `${name}.pdf`,
  async bytes() {
    const document = await PDFDocument.create();
    const picture = await document.embedPng(await pictureOf(sentencesOf('Scanby').slice(0, 4)));
    const page = document.addPage(turn === 0 ? [430, 180] : [180, 430]);
    const { width, height } = picture.scale(0.4);
    if (turn === 0) page.drawImage(picture, { x: 30, y: 30, width, height });
    else page.drawImage(picture, { x: 30 + height, y: 30, width, height, rotate: degrees(90) });
    page.setRotation(degrees(turn));
    return document.save();
  },
});

/** A page as people print it: a title, and paragraphs beneath it. */
export async function printedPage(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const [font, bold] = await Promise.all(
    [StandardFonts.TimesRoman, StandardFonts.TimesRomanBold].map((name) => document.embedFont(name)),
  );
  if (!font || !bold) throw new Error('The fonts are missing.');
  const page = document.addPage([420, 595]);
  page.drawText('The lighthouse of Eastpoint', { x: 50, y: 520, size: 18, font: bold });
  const sentences = sentencesOf('Eastpoint');
  for (let at = 0; at < sentences.length; at += 2)
    page.drawText(sentences.slice(at, at + 2).join(' '), {
      x: 50,
      y: 485 - at * 28,
      size: 11,
      font,
      maxWidth: 320,
      lineHeight: 15,
    });
  document.setTitle('The lighthouse of Eastpoint');
  return document.save();
}

export const generatedPdfs: readonly GeneratedPdf[] = [
  file('turned-90', plain, (page) => page.setRotation(degrees(90))),
  file('turned-180', plain, (page) => page.setRotation(degrees(180))),
  file('turned-270', plain, (page) => page.setRotation(degrees(270)), [842, 595]),
  file('cropped', plain, (page) => page.setCropBox(40, 300, 500, 520)),
  file('cropped-and-turned', plain, (page) => {
    page.setCropBox(40, 300, 500, 520);
    page.setRotation(degrees(90));
  }),
  file('cropped-beyond', plain, (page) => page.setCropBox(-50, -70, 900, 1200)),
  file('below-zero', plain, (page) => {
    page.translateContent(-300, -400);
    page.setMediaBox(-300, -400, 595, 842);
    page.setCropBox(-300, -400, 595, 842);
  }),
  file('large-units', plain, (page) => page.node.set(PDFName.of('UserUnit'), PDFNumber.of(2))),
  file('two-columns', inColumns),
  file('two-columns-turned', inColumns, (page) => page.setRotation(degrees(270))),
  file('scaled', plain, (page) => page.scale(1.7, 1.7)),
  file('small-type', (page, font, lines) => {
    for (const [index, line] of lines.entries()) page.drawText(line, { x: 20, y: 200 - index * 7, size: 4.5, font });
  }),
  file('upwards', (page, font, lines) => {
    for (const [index, line] of lines.entries())
      page.drawText(line, { x: 80 + index * 40, y: 80, size: 12, font, rotate: degrees(90) });
  }),
  file(
    'spaced',
    operated((text, lines) => [
      moveText(50, 760),
      setLineHeight(28),
      setCharacterSpacing(0.8),
      setWordSpacing(2.5),
      ...lines.flatMap((line) => [text(line), nextLine()]),
    ]),
  ),
  file(
    'squeezed',
    operated((text, lines) => [
      moveText(50, 760),
      setLineHeight(30),
      ...lines.flatMap((line, index) => [
        setCharacterSqueeze(index % 2 === 0 ? 70 : 120),
        setTextRise(index % 3),
        text(line),
        nextLine(),
      ]),
    ]),
  ),
  file(
    'own-matrix',
    operated((text, lines) =>
      lines.flatMap((line, index) => [rotateAndSkewTextDegreesAndTranslate(0, 0, 0, 60, 770 - index * 40), text(line)]),
    ),
  ),
  ofForm,
  embedded,
  scan('scan', 0),
  scan('scan-turned', 90),
];
