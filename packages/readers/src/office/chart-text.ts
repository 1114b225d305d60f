// A chart of Office (DrawingML, ECMA-376 part 1 §21.2) as lines: its title, then one row for each category with the value of each series,
// from the values that the file caches.

import {
  attributeOf,
  childOf,
  childrenOf,
  contentOf,
  descendantsOf,
  elementsOf,
  type XmlElement,
} from '../containers/xml-text.ts';
import type { SlideLine } from './presentation-slide.ts';

/** More points than that are a plot to look at, not rows to read. */
const maxPoints = 2000;
const maxLevels = 10;

export function chartLines(root: XmlElement): SlideLine[] {
  const chart = childOf(root, 'chart') ?? root;
  const isDate1904 = /^(?:1|true)$/u.test(attributeOf(childOf(root, 'date1904'), 'val') ?? '');
  const title = titleOf(chart);
  const axes = elementsOf(childOf(chart, 'plotArea') ?? chart)
    .filter(({ name }) => name.endsWith('Ax'))
    .map(titleOf)
    .filter((name) => name !== '');
  const series = [...descendantsOf(chart, 'ser')].map((element) => ({
    name: pointsOf(childOf(element, 'tx'), isDate1904).values().next().value ?? '',
    categories: pointsOf(childOf(element, 'cat') ?? childOf(element, 'xVal'), isDate1904),
    values: pointsOf(childOf(element, 'val') ?? childOf(element, 'yVal'), isDate1904),
    /** What the author wrote beside a point. */
    labels: labelsOf(element),
  }));
  const lines: SlideLine[] = [
    { kind: 'paragraph', text: title === '' ? 'Chart' : `Chart: ${title}` },
    ...(axes.length === 0 ? [] : [{ kind: 'paragraph', text: `Axes: ${[...new Set(axes)].join('; ')}` } as const]),
  ];
  const indexes = new Set(series.flatMap(({ values }) => [...values.keys()]).slice(0, maxPoints));
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const category = series.map(({ categories }) => categories.get(index)).find((label) => label !== undefined);
    const cells = series.flatMap(({ name, values, labels }) => {
      const value = values.get(index);
      if (value === undefined) return [];
      const label = labels.get(index);
      return [`${name === '' ? value : `${name}: ${value}`}${label === undefined ? '' : ` (${label})`}`];
    });
    lines.push({ kind: 'table-row', text: [category ?? `${index + 1}`, ...cells].join('; ') });
  }
  return lines;
}

/** The words of a title, of the chart itself or of an axis. */
function titleOf(element: XmlElement): string {
  const title = childOf(element, 'title');
  return title === undefined ? '' : writtenIn(title);
}

/** Paragraphs are apart, the runs of one are not. */
function writtenIn(element: XmlElement): string {
  const paragraphs = [...descendantsOf(element, 'p')];
  return (paragraphs.length === 0 ? [element] : paragraphs)
    .map((paragraph) => [...descendantsOf(paragraph, 't')].map(contentOf).join(''))
    .join(' ')
    .replace(/\s+/gu, ' ')
    .trim();
}

function labelsOf(series: XmlElement): Map<number, string> {
  const labels = new Map<number, string>();
  for (const label of childrenOf(childOf(series, 'dLbls'), 'dLbl')) {
    const rich = childOf(label, 'tx', 'rich');
    // Fields stand for the value, the category or the series, which are said anyway.
    const text = rich === undefined || descendantsOf(rich, 'fld').next().value !== undefined ? '' : writtenIn(rich);
    if (text !== '') labels.set(Number(attributeOf(childOf(label, 'idx'), 'val')) || 0, text);
  }
  return labels;
}

/** The cached points of a reference or literal, by their index. */
function pointsOf(element: XmlElement | undefined, isDate1904: boolean): Map<number, string> {
  if (element === undefined) return new Map();
  // Levels of categories (§21.2.2.102) stand with the innermost first.
  const levels = [...descendantsOf(element, 'lvl')].slice(0, maxLevels);
  if (levels.length > 0) return joinedLevels(levels.map((level) => pointsIn(level, isDate1904)));
  const points = pointsIn(element, isDate1904);
  if (points.size === 0) {
    const literal = contentOf(childOf(element, 'v')).trim();
    if (literal !== '') points.set(0, literal);
  }
  return points;
}

function pointsIn(element: XmlElement, isDate1904: boolean): Map<number, string> {
  const points = new Map<number, string>();
  const format = contentOf(descendantsOf(element, 'formatCode').next().value);
  const isText = descendantsOf(element, 'strCache').next().value !== undefined;
  for (const point of descendantsOf(element, 'pt')) {
    const value = contentOf(childrenOf(point, 'v')[0]).trim();
    const shown =
      isText || element.name === 'lvl'
        ? value
        : shownValue(value, attributeOf(point, 'formatCode') ?? format, isDate1904);
    if (shown !== '') points.set(Number(attributeOf(point, 'idx')) || 0, shown);
  }
  return points;
}

/** An outer level says its word once for all that follow. */
function joinedLevels(levels: readonly ReadonlyMap<number, string>[]): Map<number, string> {
  const joined = new Map<number, string>();
  const said = new Map<number, string>();
  const indexes = new Set(levels.flatMap((level) => [...level.keys()]));
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const words = levels.map((level, depth) => {
      const own = level.get(index);
      if (own !== undefined) said.set(depth, own);
      return depth === 0 ? own : said.get(depth);
    });
    joined.set(
      index,
      words
        .reverse()
        .filter((word) => word !== undefined)
        .join(' '),
    );
  }
  return joined;
}

const dayMs = 86_400_000;
/** Day 0 of the calendars that Excel has, as it counts from March 1900 on. */
const [epoch1900Ms, epoch1904Ms] = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)];

/** A number as its format code (ECMA-376 part 1 §18.8.31) shows it, as far as it is a percentage or a day; else without the noise of binary fractions. */
function shownValue(value: string, format: string, isDate1904: boolean): string {
  const number = Number(value);
  if (value === '' || !Number.isFinite(number)) return value === '#N/A' ? '' : value;
  const code = (format.split(';')[0] ?? '').replace(/"[^"]*"|\\.|\[[^[\]]*\]|_./gu, '').toLowerCase();
  if (code.includes('%')) return `${(number * 100).toFixed(Math.min(/\.([0#?]+)/u.exec(code)?.[1]?.length ?? 0, 15))}%`;
  if (/[dy]|mmm/u.test(code) && !/general|[0#?]/u.test(code) && number >= 0 && number < 2_958_466) {
    const day = new Date((isDate1904 ? epoch1904Ms : epoch1900Ms) + Math.floor(number) * dayMs).toISOString();
    return day.slice(0, code.includes('d') ? 10 : code.includes('m') ? 7 : 4);
  }
  return /[.e]/iu.test(value) ? String(Number(number.toPrecision(15))) : value;
}
