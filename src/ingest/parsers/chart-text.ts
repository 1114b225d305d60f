// A chart of Office (DrawingML, ECMA-376 part 1 §21.2) as lines: its title, then one row for each category with the value of each series,
// from the values that the file caches.
import type { SlideLine } from './presentation-slide.ts';
import { attributeOf, childOf, childrenOf, contentOf, descendantsOf, type XmlElement } from './xml-text.ts';

/** More points than that are a plot to look at, not rows to read. */
const maxPoints = 2000;

export function chartLines(root: XmlElement): SlideLine[] {
  const chart = childOf(root, 'chart') ?? root;
  const title = [...descendantsOf(childOf(chart, 'title') ?? { name: '', attributes: {}, children: [] }, 't')]
    .map(contentOf)
    .join('')
    .trim();
  const series = [...descendantsOf(chart, 'ser')].map((element) => ({
    name: pointsOf(childOf(element, 'tx')).values().next().value ?? '',
    categories: pointsOf(childOf(element, 'cat') ?? childOf(element, 'xVal')),
    values: pointsOf(childOf(element, 'val') ?? childOf(element, 'yVal')),
  }));
  const lines: SlideLine[] = [{ kind: 'paragraph', text: title === '' ? 'Chart' : `Chart: ${title}` }];
  const indexes = new Set(series.flatMap(({ values }) => [...values.keys()]).slice(0, maxPoints));
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const category = series.map(({ categories }) => categories.get(index)).find((label) => label !== undefined);
    const cells = series.flatMap(({ name, values }) => {
      const value = values.get(index);
      return value === undefined ? [] : [name === '' ? value : `${name}: ${value}`];
    });
    lines.push({ kind: 'table-row', text: [category ?? `${index + 1}`, ...cells].join('; ') });
  }
  return lines;
}

/** The cached points of a reference or literal, by their index. */
function pointsOf(element: XmlElement | undefined): Map<number, string> {
  const points = new Map<number, string>();
  if (element === undefined) return points;
  for (const point of descendantsOf(element, 'pt')) {
    const value = contentOf(childrenOf(point, 'v')[0]).trim();
    if (value !== '') points.set(Number(attributeOf(point, 'idx')) || 0, value);
  }
  if (points.size === 0) {
    const literal = contentOf(childOf(element, 'v')).trim();
    if (literal !== '') points.set(0, literal);
  }
  return points;
}
