// The entries of a RIS file: lines of a tag of two characters, two spaces, a hyphen and a value, from `TY` to `ER`. What has no tag goes on with the line before.
import type { ReferenceEntry } from './reference-entry.ts';

const names: Readonly<Record<string, string>> = {
  TI: 'title',
  T1: 'title',
  BT: 'booktitle',
  AU: 'author',
  A1: 'author',
  A2: 'editor',
  ED: 'editor',
  PY: 'year',
  Y1: 'year',
  DA: 'date',
  JO: 'journal',
  JF: 'journal',
  T2: 'in',
  VL: 'volume',
  IS: 'number',
  SP: 'first page',
  EP: 'last page',
  PB: 'publisher',
  CY: 'place',
  DO: 'doi',
  UR: 'url',
  KW: 'keywords',
  AB: 'abstract',
  N2: 'abstract',
  N1: 'note',
  SN: 'issn or isbn',
  LA: 'language',
};
const kinds: Readonly<Record<string, string>> = {
  JOUR: 'article',
  BOOK: 'book',
  CHAP: 'chapter',
  CONF: 'conference paper',
  CPAPER: 'conference paper',
  THES: 'thesis',
  RPRT: 'report',
  ELEC: 'web page',
  WEB: 'web page',
};
const maxEntries = 100_000;

export function* risEntries(source: string): Generator<ReferenceEntry> {
  let kind: string | undefined;
  let key = '';
  let values = new Map<string, string[]>();
  /** Those of the field of the line before. */
  let last: string[] | undefined;
  let entries = 0;
  const entry = (): ReferenceEntry => ({
    key,
    kind: kind || 'reference',
    fields: [...values].map(([name, all]) => [name, joined(all)] as const),
  });
  for (const line of source.split('\n')) {
    const [, tag, text = ''] = /^([A-Z][A-Z\d]) {1,2}-(?: (.*)|\s*)$/u.exec(line.trimEnd()) ?? [];
    const value = text.trim();
    if (tag === undefined) {
      if (last !== undefined && line.trim() !== '') last.push(`${last.pop() ?? ''} ${line.trim()}`);
      continue;
    }
    last = undefined;
    if (tag === 'TY') {
      kind = kinds[value] ?? value.toLowerCase();
      key = '';
      values = new Map();
    } else if (kind === undefined) continue;
    else if (tag === 'ER') {
      if (values.size > 0 && ++entries <= maxEntries) yield entry();
      kind = undefined;
    } else if (tag === 'ID') key = value;
    else {
      const name = names[tag] ?? tag;
      last = values.get(name) ?? [];
      last.push(value);
      values.set(name, last);
    }
  }
  if (kind !== undefined && values.size > 0) yield entry();
}

/** Authors and keywords come one to a line; what was said before is not said again. */
function joined(values: readonly string[]): string {
  const said = new Set<string>();
  const kept: string[] = [];
  for (const value of values) {
    if (said.has(value)) continue;
    kept.push(value);
    for (const piece of value.split('; ')) said.add(piece);
  }
  return kept.join('; ');
}
