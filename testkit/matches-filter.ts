// The meaning of a filter, spelled out naively over one document: what the printed SQL is compared with. Written from the
// words of core/search.ts, with other means than the printer (Date.parse, a regular expression for globs).
import type { DocumentRecord, MetadataValue } from '../src/core/document.ts';
import type { Filter, FilterScalar } from '../src/core/search.ts';
import { toDocumentPath } from '../src/db/document-path.ts';

type Scalar = string | number | boolean;

/** ISO 8601 only, and UTC where no offset is given. */
function instantOf(value: string): number | undefined {
  const match = /^\d{4}(-\d\d(-\d\d([Tt ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(\s?([Zz]|[+-]\d\d:?\d\d))?)?)?)?$/.exec(value);
  if (!match) return undefined;
  const day = value.slice(0, 10);
  // A day that does not exist is no date: 2024-02-30 must not become the first of March.
  const parsedDay = new Date(`${day.length === 10 ? day : day.length === 7 ? `${day}-01` : `${day}-01-01`}T00:00:00Z`);
  if (Number.isNaN(parsedDay.getTime()) || !parsedDay.toISOString().startsWith(day)) return undefined;
  if (!match[3]) return parsedDay.getTime();
  let text = value.replace(/[t ]/, 'T').replace(',', '.').replace(/\s/g, '').toUpperCase();
  text = text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
  if (!match[6]) text += 'Z';
  text = text.replace(/(\.\d{3})\d+/, '$1');
  const parsed = Date.parse(text);
  return Number.isNaN(parsed) ? undefined : parsed;
}

function elements(document: DocumentRecord, field: string): { values: Scalar[]; present: boolean } {
  if (field.startsWith('metadata.')) {
    const key = field.slice('metadata.'.length);
    const value: MetadataValue | undefined = Object.hasOwn(document.metadata, key) ? document.metadata[key] : undefined;
    if (value === undefined || value === null) return { values: [], present: false };
    const list = Array.isArray(value) ? value : [value];
    return {
      present: true,
      values: list
        .filter((item): item is Scalar => item !== null && typeof item !== 'object')
        .map((item) => (typeof item === 'string' ? item.toWellFormed() : item)),
    };
  }
  const value = field === 'path' ? toDocumentPath(document.uri) : document[field as 'title'];
  return value === undefined ? { values: [], present: false } : { values: [value.toWellFormed()], present: true };
}

function compareText(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** How two texts compare: as dates only (date fields), as dates where both are (metadata), or never as dates (the rest). */
type DateRule = 'always' | 'where-both' | 'never';

/** Undefined: not comparable. */
function compare(value: Scalar, given: FilterScalar, rule: DateRule): number | undefined {
  if (typeof value === 'number' && typeof given === 'number') return value - given;
  if (typeof value !== 'string' || typeof given !== 'string') return undefined;
  const text = given.toWellFormed();
  const [left, right] = [instantOf(value), instantOf(text)];
  if (rule !== 'never' && left !== undefined && right !== undefined) return left - right;
  return rule === 'always' ? undefined : compareText(value, text);
}

function equal(value: Scalar, given: FilterScalar, byInstant: boolean): boolean {
  if (typeof value === 'string' && typeof given === 'string')
    return value === given.toWellFormed() || (byInstant && compare(value, given, 'always') === 0);
  return value === given;
}

/** A glob as a regular expression: right, and slow where it is made to hurt. */
export function globExpression(pattern: string): RegExp {
  let source = '';
  for (let at = 0; at < pattern.length; ) {
    if (pattern.startsWith('**/', at) && (at === 0 || pattern[at - 1] === '/')) {
      source += '(?:.*/)?';
      at += 3;
    } else if (pattern.startsWith('**', at)) {
      source += '.*';
      at += 2;
    } else if (pattern[at] === '*') {
      source += '[^/]*';
      at += 1;
    } else {
      source += (pattern[at] ?? '').replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
      at += 1;
    }
  }
  return new RegExp(`^(?:${source})$`, 's');
}

/** Whether the document passes. Fields that are dates (`publishedAt`, `updatedAt`) must hold and be given dates. */
export function matchesFilter(document: DocumentRecord, filter: Filter): boolean {
  if ('filters' in filter) {
    const results = filter.filters.map((part) => matchesFilter(document, part));
    return filter.op === 'and' ? results.every(Boolean) : results.some(Boolean);
  }
  if ('filter' in filter) return !matchesFilter(document, filter.filter);
  const { values, present } = elements(document, filter.field);
  const isMetadata = filter.field.startsWith('metadata.');
  const isDate = filter.field === 'publishedAt' || filter.field === 'updatedAt';
  const dated = isDate ? values.filter((value) => typeof value === 'string' && instantOf(value) !== undefined) : values;
  switch (filter.op) {
    case 'exists':
      return present === filter.value;
    case 'eq':
      return dated.some((value) =>
        isDate ? compare(value, filter.value, 'always') === 0 : equal(value, filter.value, isMetadata),
      );
    case 'ne':
      return dated.some((value) =>
        isDate ? compare(value, filter.value, 'always') !== 0 : !equal(value, filter.value, isMetadata),
      );
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return dated.some((value) => {
        const order = compare(value, filter.value, isDate ? 'always' : isMetadata ? 'where-both' : 'never');
        if (order === undefined) return false;
        return { lt: order < 0, lte: order <= 0, gt: order > 0, gte: order >= 0 }[filter.op];
      });
    case 'in':
    case 'nin': {
      const among = (value: Scalar): boolean =>
        filter.values.some((given) =>
          isDate ? compare(value, given, 'always') === 0 : equal(value, given, isMetadata),
        );
      return dated.some((value) => among(value) === (filter.op === 'in'));
    }
    case 'prefix':
      return values.some((value) => typeof value === 'string' && value.startsWith(filter.value.toWellFormed()));
    case 'glob':
      return values.some(
        (value) => typeof value === 'string' && globExpression(filter.value.toWellFormed()).test(value.toWellFormed()),
      );
  }
}
