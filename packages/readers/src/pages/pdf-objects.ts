// The objects of a PDF that PDFium wrote: none is compressed or encrypted, and one table tells their places (ISO 32000-1, 7.3 and 7.5).

/** Names begin with "/", a reference is "12 0 R"; numbers, strings and key words are as they are written. */
export type PdfValue = string | readonly PdfValue[] | PdfDictionary;

export interface PdfDictionary {
  /** By key, with its "/". */
  readonly entries: ReadonlyMap<string, PdfValue>;
  /** Where its first entry begins. */
  readonly start: number;
}

export interface PdfObjects {
  /** The dictionaries of an object that have a key, at any depth; of a stream those that describe it. */
  dictionaries(key: string): readonly PdfDictionary[];
  /** What a reference leads to, or the value itself; nothing where it cannot be read. */
  resolve(value: PdfValue | undefined): PdfValue | undefined;
  /** The file with entries that refer to a new stream each, for dictionaries of it. */
  withStreams(key: string, streams: ReadonlyMap<PdfDictionary, string>): Uint8Array;
}

const deepest = 50;
const token = /\s*(<<|>>|[[\]]|\/[^\s/<>[\]()]*|\((?:[^\\()]|\\[\s\S])*\)|<[^>]*>|\d+ \d+ R\b|[^\s/<>[\]()]+)/y;

/** The value that stands there, or nothing. */
function valueAt(text: string, place: number): PdfValue | undefined {
  token.lastIndex = place;
  const next = (): string => token.exec(text)?.[1] ?? '';
  const read = (first: string, depth: number): PdfValue | undefined => {
    if (depth > deepest || first === '') return undefined;
    if (first === '[') {
      const items: PdfValue[] = [];
      for (let item = next(); item !== ']'; item = next()) {
        const value = read(item, depth + 1);
        if (value === undefined) return undefined;
        items.push(value);
      }
      return items;
    }
    if (first !== '<<')
      return first.replace(/#([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
    const start = token.lastIndex;
    const entries = new Map<string, PdfValue>();
    for (let key = next(); key !== '>>'; key = next()) {
      const value = key === '' ? undefined : read(next(), depth + 1);
      if (value === undefined) return undefined;
      entries.set(key, value);
    }
    return { entries, start };
  };
  return read(next(), 0);
}

export const isDictionary = (value: PdfValue | undefined): value is PdfDictionary =>
  typeof value === 'object' && 'entries' in value && value.entries instanceof Map;

function withKey(value: PdfValue | undefined, key: string): PdfDictionary[] {
  if (value === undefined || typeof value === 'string') return [];
  if (!isDictionary(value)) return value.flatMap((item) => withKey(item, key));
  const inner = [...value.entries.values()].flatMap((item) => withKey(item, key));
  return value.entries.has(key) ? [value, ...inner] : inner;
}

export function readPdfObjects(bytes: Uint8Array): PdfObjects {
  const text = Buffer.from(bytes).toString('latin1');
  const table = Number(/\d+/.exec(text.slice(text.lastIndexOf('startxref')))?.[0] ?? text.length);
  const { places, root, size } = readTable(text.slice(table));
  const ordered = [...places].sort(([, a], [, b]) => a - b);
  const endOf = new Map(ordered.map(([number], at) => [number, ordered[at + 1]?.[1] ?? table]));
  const wholeOf = (number: number, from = places.get(number)): string => text.slice(from, endOf.get(number));
  const known = new Map<number, PdfValue | undefined>();
  const objectOf = (number: number): PdfValue | undefined => {
    const place = places.get(number);
    if (place !== undefined && !known.has(number)) known.set(number, valueAt(text, text.indexOf('obj', place) + 3));
    return known.get(number);
  };
  const owners = new Map<PdfDictionary, number>();
  return {
    dictionaries(key) {
      // What does not mention it is not read: pictures, and most other objects.
      for (const [number] of ordered)
        if (wholeOf(number).includes(key))
          for (const dictionary of withKey(objectOf(number), key)) owners.set(dictionary, number);
      return [...owners.keys()];
    },
    resolve(value) {
      const [number] = typeof value === 'string' ? (/^\d+(?= \d+ R$)/.exec(value) ?? []) : [];
      return number === undefined ? value : objectOf(Number(number));
    },
    withStreams(key, streams) {
      // An update of the file: what changes stands behind it once more.
      const parts = [text];
      let length = text.length;
      let entries = '';
      const put = (number: number, object: string): void => {
        entries += `${number} 1\n${String(length).padStart(10, '0')} 00000 n \n`;
        parts.push(object);
        length += object.length;
      };
      let next = size;
      const changed = Map.groupBy(streams, ([dictionary]) => owners.get(dictionary) ?? 0);
      for (const [owner, inside] of changed) {
        let from = places.get(owner) ?? 0;
        let object = '';
        for (const [{ start }, stream] of inside.sort(([a], [b]) => a.start - b.start)) {
          object += `${text.slice(from, start)}${key} ${next} 0 R `;
          from = start;
          put(next, `${next} 0 obj\n<</Length ${stream.length}>>stream\n${stream}\nendstream\nendobj\n`);
          next++;
        }
        put(owner, object + wholeOf(owner, from));
      }
      parts.push(
        `xref\n${entries}trailer\n<</Root ${root}/Size ${next}/Prev ${table}>>\nstartxref\n${length}\n%%EOF\n`,
      );
      return Buffer.from(parts.join(''), 'latin1');
    },
  };
}

/** Where the objects stand, by number, and the trailer in parts. */
function readTable(text: string) {
  const [entries = '', trailer = ''] = text.split('trailer', 2);
  const places = new Map<number, number>();
  let number = 0;
  for (const line of entries.split('\n')) {
    const [first, second, kind] = line.trim().split(' ');
    if (second === undefined) continue;
    if (kind === 'n') places.set(number, Number(first));
    number = kind === undefined ? Number(first) : number + 1;
  }
  return { places, root: /\/Root (\d+ \d+ R)/.exec(trailer)?.[1] ?? '', size: number };
}
