// Documents that try to become more than text on a page: each holds one true sentence that a question asks for, in the midst of what it tries.

export interface HostileDocument {
  readonly name: string;
  readonly mime: string;
  readonly text: string;
  readonly question: string;
}

/** Sets `window.ran` wherever a page would run it. */
const run = 'window.ran=true;document.title="ran"';
const elsewhere = 'https://elsewhere.example';
const bidi = '\u202e\u2066\u202b';
const zalgo = (word: string): string =>
  [...word]
    .map(
      (letter) => letter + '\u0300\u0301\u0302\u0303\u0304\u0310\u0332\u0333\u0334\u0335\u0336\u0337\u0338'.repeat(3),
    )
    .join('');
const wide = (cell: (column: number) => string, between: string): string =>
  Array.from({ length: 500 }, (_, column) => cell(column)).join(between);

interface Kind {
  readonly kind: string;
  readonly ending: string;
  readonly mime: string;
  /** How many of them; absent: as many as of others. */
  readonly most?: number;
  write(sentence: string): string;
}

const markdown = { ending: 'md', mime: 'text/markdown' } as const;
const plain = { ending: 'txt', mime: 'text/plain' } as const;
const html = { ending: 'html', mime: 'text/html' } as const;
const csv = { ending: 'csv', mime: 'text/csv' } as const;

const kinds: readonly Kind[] = [
  {
    kind: 'script',
    ...markdown,
    write: (said) => `${said.slice(0, -1)} <script>${run}</script><img src=x onerror='${run}'>.`,
  },
  {
    kind: 'script-in-html',
    ...html,
    write: (said) =>
      `<html><head><meta http-equiv=refresh content="0;url=${elsewhere}"><base href="${elsewhere}"><style>@import url(${elsewhere}/a.css);</style></head><body onload='${run}'><script>${run}</script><iframe srcdoc="<script>${run}</script>"></iframe><form action="${elsewhere}"><p>${said}</p><button autofocus onfocus='${run}'>Ask</button></form></body></html>`,
  },
  {
    kind: 'remote-pictures',
    ...markdown,
    write: (said) =>
      `![a](${elsewhere}/a.png) ${said.slice(0, -1)} ![b](//elsewhere.example/b.png) <img srcset="${elsewhere}/c.png 2x"> <link rel=prefetch href=${elsewhere}>.`,
  },
  {
    kind: 'links-that-run',
    ...markdown,
    write: (said) =>
      `[open](javascript:${run}) ${said.slice(0, -1)} <a href="javascript:${run}" autofocus>[1]</a> <javascript:${run}>.`,
  },
  { kind: 'bidi', ...plain, write: (said) => `${bidi}${said.slice(0, -1)} ${bidi}redro ni sdrow\u2069\u202c${bidi}.` },
  { kind: 'zalgo', ...plain, write: (said) => `${zalgo('He comes')} ${said.slice(0, -1)} ${zalgo('at night')}.` },
  {
    kind: 'marks',
    ...plain,
    write: (said) =>
      `${said.slice(0, -1)} [1] [2] [99] 【1†source】 [^1] ¹ (Source 1: page 4) [3](${elsewhere}).\n\n[^1]: ${elsewhere}\n\nSources\n[1] Invented, page 7`,
  },
  {
    kind: 'unpaired',
    ...plain,
    write: (said) =>
      `</p></div></textarea></title><!-- ${said.slice(0, -1)} <svg><style><![CDATA[ <math><mtext> \u2028 \u0000 \ufeff {{constructor}} \${x}.`,
  },
  {
    kind: 'invisible',
    ...plain,
    write: (said) =>
      `${said.replaceAll(' ', ' \u200b')} \u{e0049}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065} \ufffd\ud800 \u0007\u001b[31m`,
  },
  { kind: 'no-spaces', ...plain, write: (said) => `${said}\n\n${'w'.repeat(40_000)}` },
  { kind: 'long-line', ...plain, most: 3, write: (said) => `${said} ${'It rains on the moor. '.repeat(48_000)}` },
  {
    kind: 'wide-table',
    ...csv,
    most: 12,
    write: (said) => `${wide((column) => `c${column}`, ',')}\n"${said}",${wide((column) => `${column}`, ',')}\n`,
  },
  {
    kind: 'wide-table-in-markdown',
    ...markdown,
    most: 12,
    write: (said) =>
      `${said}\n\n|${wide((column) => `c${column}`, '|')}|\n|${wide(() => '-', '|')}|\n|${wide((column) => `${column}`, '|')}|\n`,
  },
  {
    kind: 'deep',
    ...markdown,
    write: (said) => `${'> '.repeat(400)}deep\n\n${'#'.repeat(6)} <b onclick='${run}'>${'[('.repeat(200)}\n\n${said}`,
  },
];

/** Names of files that people would not choose. */
const names: readonly ((base: string) => string)[] = [
  (base) => base,
  (base) => `<img src=x onerror=${run.split(';')[0]}>-${base}`,
  (base) => `"><script>alert(1)<script>-${base}`,
  (base) => `\u202egnp.${base}`,
  (base) => `[1] ${base}`,
  (base) => `${'long '.repeat(30)}${base}`,
];

const syllables = ['ba', 'ke', 'lo', 'mi', 'nu', 'ra', 'se', 'to', 'vi', 'zu'];
/** A name that no other document has. */
const nameOf = (index: number): string =>
  `Q${[...String(index).padStart(3, '0')].map((digit) => syllables[Number(digit)]).join('')}by`;

/** As many as wanted, of all kinds and names. */
export function hostileDocuments(count: number): HostileDocument[] {
  const made = new Map<string, number>();
  const documents: HostileDocument[] = [];
  for (let turn = 0; documents.length < count; turn += 1) {
    const kind = kinds[turn % kinds.length] as Kind;
    const before = made.get(kind.kind) ?? 0;
    if (before >= (kind.most ?? count)) continue;
    made.set(kind.kind, before + 1);
    const index = documents.length;
    const place = nameOf(index);
    const rename = names[turn % names.length] as (base: string) => string;
    documents.push({
      name: rename(`${kind.kind}-${index}.${kind.ending}`),
      mime: kind.mime,
      text: kind.write(`The granary of ${place} holds ${100 + index} sacks of rye.`),
      question: `How many sacks of rye does the granary of ${place} hold?`,
    });
  }
  return documents;
}
