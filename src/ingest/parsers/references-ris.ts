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
  let fields: [string, string][] = [];
  let entries = 0;
  for (const line of source.split('\n')) {
    const [, tag, value = ''] = /^([A-Z][A-Z\d]) {1,2}-(?: (.*)|\s*)$/u.exec(line.trimEnd()) ?? [];
    const last = fields.at(-1);
    if (tag === undefined) {
      if (kind !== undefined && last !== undefined && line.trim() !== '') last[1] += ` ${line.trim()}`;
    } else if (tag === 'TY') {
      kind = kinds[value.trim()] ?? value.trim().toLowerCase();
      key = '';
      fields = [];
    } else if (kind === undefined) continue;
    else if (tag === 'ER') {
      if (fields.length > 0 && ++entries <= maxEntries) yield { key, kind: kind || 'reference', fields };
      kind = undefined;
      fields = [];
    } else if (tag === 'ID') key = value.trim();
    else add(fields, names[tag] ?? tag, value.trim());
  }
  if (kind !== undefined && fields.length > 0) yield { key, kind: kind || 'reference', fields };
}

/** Authors and keywords come one to a line. */
function add(fields: [string, string][], name: string, value: string): void {
  const same = fields.find(([field]) => field === name);
  if (same === undefined) fields.push([name, value]);
  else if (!same[1].split('; ').includes(value)) same[1] += `; ${value}`;
}
