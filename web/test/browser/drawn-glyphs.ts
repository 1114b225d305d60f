// Where pdf.js draws each glyph of a page, by its own list of drawing operations: what boxes are held against, as they come from another reader of PDF.
import { getDocument, OPS, type PDFDocumentProxy, Util } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Shares of the width and the height of the page as it is shown. */
export interface DrawnGlyph {
  /** As it is read, without its compatibility forms. */
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Above and below the line that it stands on. */
  readonly top: number;
  readonly bottom: number;
  /** Its line runs up or down the page. */
  readonly isUpright: boolean;
}

type Matrix = number[];
interface Glyph {
  readonly unicode: string;
  readonly width: number;
  readonly isSpace: boolean;
  readonly vmetric?: readonly [number, number, number];
}
interface Font {
  readonly name?: string;
  readonly fontMatrix?: Matrix;
  readonly vertical?: boolean;
  readonly ascent?: number;
  readonly descent?: number;
}

/** Of a font of signs without a name: its key is a 4, and no figure of a text is as wide. */
const isCheckMark = ({ unicode, width }: Glyph): boolean => unicode === '4' && width > 800;

const start = {
  transform: [1, 0, 0, 1, 0, 0] as Matrix,
  text: [1, 0, 0, 1, 0, 0] as Matrix,
  x: 0,
  y: 0,
  lineX: 0,
  lineY: 0,
  leading: 0,
  charSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  rise: 0,
  size: 0,
  direction: 1,
  font: {} as Font,
};

export const openPdf = (bytes: Uint8Array): Promise<PDFDocumentProxy> =>
  getDocument({ data: Uint8Array.from(bytes), verbosity: 0, useSystemFonts: false, ...folders }).promise;

const home = new URL('../../../node_modules/pdfjs-dist/', import.meta.url).pathname;
const folders = { cMapUrl: `${home}cmaps/`, cMapPacked: true, standardFontDataUrl: `${home}standard_fonts/` };

export async function drawnGlyphs(file: PDFDocumentProxy, number: number): Promise<DrawnGlyph[]> {
  const page = await file.getPage(number);
  const viewport = page.getViewport({ scale: 1 });
  const { fnArray, argsArray } = await page.getOperatorList();
  const glyphs: DrawnGlyph[] = [];
  const saved: (typeof start)[] = [];
  let state = { ...start, transform: [...viewport.transform] as Matrix };
  const moveText = (x: number, y: number): void => {
    state.x = state.lineX += x;
    state.y = state.lineY += y;
  };
  const transform = (matrix: Matrix): void => {
    state.transform = Util.transform(state.transform, matrix) as Matrix;
  };
  const setFont = (name: string, size: number): void => {
    state.font = page.commonObjs.get(name) as Font;
    state.size = Math.abs(size);
    state.direction = size < 0 ? -1 : 1;
  };
  const show = (shown: readonly (Glyph | number)[]): void => {
    const { font, size, direction } = state;
    const isVertical = font.vertical === true;
    const across = state.scale * direction;
    const unit = size * Math.abs(font.fontMatrix?.[0] ?? 0.001);
    const onPage = Util.transform(state.transform, state.text) as Matrix;
    const put = (text: string, box: readonly [left: number, bottom: number, right: number, top: number]): void => {
      const minMax = [Infinity, Infinity, -Infinity, -Infinity];
      Util.axialAlignedBoundingBox(box, onPage, minMax);
      const [left = 0, top = 0, right = 0, bottom = 0] = minMax;
      const { width, height } = viewport;
      const isUpright = isVertical !== Math.abs(onPage[1] ?? 0) > Math.abs(onPage[0] ?? 0);
      const edges = { left: left / width, right: right / width, top: top / height, bottom: bottom / height };
      glyphs.push({ text, ...edges, isUpright });
    };
    for (const glyph of shown) {
      if (typeof glyph === 'number') {
        const by = ((isVertical ? 1 : -1) * glyph * size) / 1000;
        if (isVertical) state.y -= by;
        else state.x += by * across;
        continue;
      }
      const spacing = (glyph.isSpace ? state.wordSpacing : 0) + state.charSpacing;
      // Of a font of signs the drawing list has the letter of the key, and the text the sign.
      const isSign = state.font.name?.includes('Dingbats') ?? isCheckMark(glyph);
      const text = isSign ? '\u2714' : glyph.unicode.normalize('NFKC').trim();
      // A control character may be drawn: some fonts map their glyphs so.
      const isDrawn = text !== '' && glyph.width !== 0;
      if (isVertical) {
        const [advance, , originY] = glyph.vmetric ?? [-1000, 0, 880];
        const down = -advance * unit + spacing;
        const top = state.y + (originY - 880) * unit;
        if (isDrawn) put(text, [state.x - size / 2, top - size, state.x + size / 2, top]);
        state.y -= down;
      } else {
        const width = glyph.width * unit * across;
        const base = state.y + state.rise;
        if (isDrawn) put(text, [state.x, base - size * 0.2, state.x + width, base + size * 0.7]);
        state.x += width + spacing * across;
      }
    }
  };
  const acts: Record<number, (args: never) => void> = {
    [OPS.save]: () => saved.push({ ...state }),
    [OPS.restore]: () => (state = saved.pop() ?? state),
    [OPS.transform]: (args: Matrix) => transform(args),
    [OPS.paintFormXObjectBegin]: ([matrix]: [Matrix | null]) => {
      saved.push({ ...state });
      if (matrix) transform([...matrix]);
    },
    [OPS.paintFormXObjectEnd]: () => (state = saved.pop() ?? state),
    [OPS.beginGroup]: () => saved.push({ ...state }),
    [OPS.endGroup]: () => (state = saved.pop() ?? state),
    [OPS.beginAnnotation]: ([, , placed, matrix]: [string, unknown, Matrix | null, Matrix | null]) => {
      saved.push({ ...state });
      state = { ...start, transform: [...viewport.transform] as Matrix };
      if (placed) transform([...placed]);
      if (matrix) transform([...matrix]);
    },
    [OPS.endAnnotation]: () => (state = saved.pop() ?? state),
    [OPS.beginText]: () => Object.assign(state, { text: [1, 0, 0, 1, 0, 0], x: 0, y: 0, lineX: 0, lineY: 0 }),
    [OPS.setCharSpacing]: ([spacing]: [number]) => (state.charSpacing = spacing),
    [OPS.setWordSpacing]: ([spacing]: [number]) => (state.wordSpacing = spacing),
    [OPS.setHScale]: ([scale]: [number]) => (state.scale = scale / 100),
    [OPS.setLeading]: ([leading]: [number]) => (state.leading = -leading),
    [OPS.setTextRise]: ([rise]: [number]) => (state.rise = rise),
    [OPS.setFont]: ([name, size]: [string, number]) => setFont(name, size),
    [OPS.setGState]: ([pairs]: [readonly [string, unknown][]]) => {
      for (const [key, value] of pairs) if (key === 'Font') setFont(...(value as [string, number]));
    },
    [OPS.moveText]: ([x, y]: [number, number]) => moveText(x, y),
    [OPS.setLeadingMoveText]: ([x, y]: [number, number]) => {
      state.leading = y;
      moveText(x, y);
    },
    [OPS.setTextMatrix]: ([matrix]: [Matrix]) =>
      Object.assign(state, { text: [...matrix], x: 0, y: 0, lineX: 0, lineY: 0 }),
    [OPS.nextLine]: () => moveText(0, state.leading),
    [OPS.showText]: ([shown]: [(Glyph | number)[]]) => show(shown),
  };
  for (const [at, name] of fnArray.entries()) acts[name]?.(argsArray[at] as never);
  return glyphs;
}
