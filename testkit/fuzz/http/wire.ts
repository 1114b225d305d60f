// From a request to the bytes that a socket carries, sound or broken on the way: bodies, uploads, headers. What breaks the framing stands in
// fuzz-framing.ts. Bytes are kept as latin1 text so that any byte can stand anywhere.
import { below, mutate, type Random } from '../../../packages/readers/testkit/mutate.ts';
import { type Draft, type Part, pick } from './contract.ts';
import { awkward, printJson } from './values.ts';

export interface Wire {
  method: string;
  target: string;
  version: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** How the body is framed; `none` leaves the headers as they are. */
  framing: 'length' | 'chunked' | 'none';
  before: string;
  after: string;
  /** Replies that a sound server gives. */
  methods: string[];
  /** What is sent is no whole request: closing without a reply is an answer too. */
  mayClose: boolean;
  halfClose: boolean;
  leave?: 'at-once' | 'at-reply';
}

export const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

/** A sound request as bytes would be. Closes the connection after the reply. */
export function toWire(draft: Draft, random: Random): Wire {
  const query = draft.query.map(([name, value]) => `${name}=${value}`).join('&');
  const headers: [string, string][] = [
    ['host', '127.0.0.1'],
    ['authorization', 'Bearer owner'],
    ['connection', 'close'],
  ];
  let body: Buffer = Buffer.alloc(0);
  if (draft.parts) {
    const boundary = 'footnote-fuzz';
    headers.push(['content-type', `multipart/form-data; boundary=${boundary}`]);
    body = printParts(draft.parts, boundary);
  } else if (draft.json !== undefined) {
    headers.push(['content-type', 'application/json']);
    body = Buffer.from(printJson(draft.json));
  }
  return {
    method: draft.method,
    target: draft.path + (query === '' ? '' : `?${query}`),
    version: 'HTTP/1.1',
    headers,
    body,
    framing: body.length === 0 ? 'none' : random() < 0.85 ? 'length' : 'chunked',
    before: '',
    after: '',
    methods: [draft.method],
    mayClose: false,
    halfClose: false,
  };
}

export function toBytes(wire: Wire, random: Random): Buffer {
  const framed = wire.framing === 'chunked' ? chunk(wire.body, random) : wire.body;
  const headers = [...wire.headers];
  if (wire.framing === 'length') headers.push(['content-length', String(wire.body.length)]);
  if (wire.framing === 'chunked') headers.push(['transfer-encoding', 'chunked']);
  const lines = headers.map(([name, value]) => (name === '' ? value : `${name}: ${value}`));
  const head = [`${wire.method} ${wire.target} ${wire.version}`, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(wire.before + head, 'latin1'), framed, Buffer.from(wire.after, 'latin1')]);
}

function chunk(body: Buffer, random: Random): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + 1 + below(random, Math.max(64, body.length / 4)));
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
    at += piece.length;
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}

function printParts(parts: readonly Part[], boundary: string): Buffer {
  const pieces = parts.flatMap((part) => {
    const head =
      'field' in part
        ? `content-disposition: form-data; name="${part.field}"`
        : `content-disposition: form-data; name="file"; filename="${part.file}"\r\ncontent-type: ${part.mime}`;
    const bytes = 'field' in part ? Buffer.from(part.value) : part.bytes;
    return [Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), bytes, Buffer.from('\r\n')];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

export type PartsMutation = (parts: Part[], random: Random) => void;

const file = (name: string, bytes: string, mime = 'text/plain'): Part => ({
  file: name,
  mime,
  bytes: Buffer.from(bytes),
});
const absurdNames = [
  '../../../etc/passwd',
  '..\\..\\boot.ini',
  '.',
  '..',
  '',
  ' ',
  '\u0000.md',
  'a\u202emd.exe',
  'x'.repeat(5000),
  'a"b".md',
  'a";filename="b.md',
  '\ud83d\ude00.md',
  '%00%2e.md',
  'CON.md',
  "x'); DROP TABLE documents;--.md",
  'a/b/c/d.md',
  'noending',
  '.md',
  'a.tar.gz.zip.pdf',
];

/** Into an upload, before it is printed. */
export const partsMutations: readonly PartsMutation[] = [
  function absurdName(parts, random) {
    parts.push(file(pick(random, absurdNames), 'The mole is 4 metres wide.'));
  },
  function wrongField(parts, random) {
    const field = pick(random, [
      'metadata',
      'access',
      'stores',
      'publishedAt',
      'sourceType',
      'source',
      'title',
      'mime',
      'uri',
    ]);
    parts.unshift({
      field,
      value: pick(random, [...awkward, '{', '[', '[[[[', '{"a":{}}', ','.repeat(2000), '[1,2]']),
    });
  },
  function strangeField(parts, random) {
    const field = pick(random, [
      '__proto__',
      'constructor',
      'toString',
      'x',
      '',
      'file',
      'title[]',
      'a"b',
      'n'.repeat(200),
    ]);
    parts.unshift({ field, value: 'x' });
  },
  function thousandFields(parts, random) {
    const count = pick(random, [51, 60, 1000]);
    parts.unshift(...Array.from({ length: count }, (_, at): Part => ({ field: `f${at}`, value: String(at) })));
  },
  function manyFiles(parts, random) {
    const count = pick(random, [20, 101]);
    parts.push(...Array.from({ length: count }, (_, at) => file(`many-${at}.txt`, random() < 0.5 ? '' : 'Words.')));
  },
  function twice(parts) {
    parts.unshift({ field: 'title', value: 'a' }, { field: 'title', value: 'b' });
  },
  function claimed(parts, random) {
    const mime = pick(random, [
      'application/zip',
      'application/pdf',
      'image/png',
      'text/html',
      'a',
      '',
      'text/plain; charset=utf-16',
      'message/rfc822',
    ]);
    parts.push(
      file(
        pick(random, ['a.md', 'a.json', 'a.csv', 'a.html', 'a']),
        pick(random, [...awkward, '{"a":', '<p>', 'a,b\n"c']),
        mime,
      ),
    );
  },
  function noFile(parts) {
    const fields = parts.filter((part) => 'field' in part);
    parts.splice(0, parts.length, ...fields);
  },
];

export type WireMutation = (wire: Wire, random: Random) => void;

export const setHeader = (wire: Wire, name: string, value: string): void => {
  wire.headers = [...wire.headers.filter(([known]) => known !== name), [name, value]];
};
const strange = (name: string, values: readonly string[]): WireMutation =>
  Object.defineProperty((wire: Wire, random: Random) => setHeader(wire, name, latin1(pick(random, values))), 'name', {
    value: name,
  });
const tokenless = (text: string): string => text.replace(/[\r\n\0]/gu, ' ');
const awkwardHeaders = awkward.map(tokenless).filter((text) => text.isWellFormed() && text.length < 2000);

/** Into headers, with a request that stays whole. */
export const headerMutations: readonly WireMutation[] = [
  strange('content-type', [
    ...['', 'text/plain', 'application/xml', 'application/json; charset=utf-16', 'application/json; charset="', 'json'],
    ...[
      'application/json; charset=nonsense',
      'APPLICATION/JSON',
      'application/json, text/html',
      'application/problem+json',
    ],
    ...[
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary="',
      'multipart/mixed; boundary=x',
    ],
    ...[
      `multipart/form-data; boundary=${'b'.repeat(300)}`,
      'application/x-www-form-urlencoded',
      ';',
      '/',
      'a/b/c',
      '\u00e4/b',
    ],
    ...['multipart/form-data; boundary=footnote-fuzz; boundary=other', "multipart/form-data; boundary*=utf-8''%ff"],
  ]),
  strange('content-encoding', ['gzip', 'br', 'deflate', 'zstd', 'identity', 'gzip, gzip', '', 'x']),
  strange('accept', [
    ...[
      '',
      '*/*',
      'text/event-stream',
      'text/event-stream;q=NaN',
      '*/*;q=1e999',
      ';;;,,,',
      ','.repeat(5000),
      'a'.repeat(5000),
    ],
    ...['text/html', 'text/plain', 'text/html;q=-1,text/plain;q=0', 'application/*;q=0.5', 'text/event-stream;q=0,*/*'],
  ]),
  strange('last-event-id', [
    '1',
    '.',
    'str_.1',
    'str_0.-1',
    'str_x.NaN',
    'a.9007199254740993',
    'x'.repeat(8000),
    '\u00ff',
    '__proto__.1',
  ]),
  strange('idempotency-key', ['a', 'a', 'x'.repeat(255), 'x'.repeat(256), ' ', '\u00ff', '__proto__', 'a b', '']),
  strange('if-match', ['*', '"x"', 'W/"x"', '"', 'x,'.repeat(500)]),
  strange('if-none-match', ['*', '"x"', 'W/', ',']),
  strange('if-modified-since', ['Sat, 01 Jan 2000 00:00:00 GMT', 'never', '9'.repeat(100)]),
  strange('range', [
    'bytes=0-',
    'bytes=5-1',
    'bytes=-0',
    `bytes=${'0-0,'.repeat(800)}`,
    'lines=1-2',
    'bytes=99999999999999999999-',
  ]),
  strange('authorization', [
    '',
    'Bearer',
    'Bearer ',
    'Bearer wrong',
    'Basic b3duZXI=',
    `Bearer ${'x'.repeat(600)}`,
    'Bearer \u00ff',
    'owner',
  ]),
  strange('origin', [
    'null',
    'http://evil.example',
    'http://127.0.0.1',
    'http://127.0.0.1:99999',
    'x',
    '',
    'http://[::1',
  ]),
  strange('sec-fetch-site', ['cross-site', 'same-site', 'none', 'x']),
  strange('host', [
    '',
    'localhost',
    'evil.example',
    '127.0.0.1:0',
    '[::1]',
    '[::1',
    'a b',
    'localhost:99999999',
    '\u00ff',
    '127.0.0.1@x',
    'x'.repeat(4000),
  ]),
  strange('expect', ['100-continue', '200-ok', 'x', '']),
  strange('connection', ['keep-alive', 'upgrade', 'close, close', 'x', 'content-type', '']),
  strange('te', ['trailers', 'gzip;q=NaN', ',']),
  strange('x-http-method-override', ['DELETE', 'x']),
  strange('x-forwarded-for', ['127.0.0.1', '::', 'x'.repeat(2000)]),
  strange('x-request-id', ['a', 'x'.repeat(3000), '\u00ff\u0001']),
  strange('accept-encoding', ['gzip', '*;q=0', ',']),
  strange('cookie', ['a=b; '.repeat(900), '=', ';']),
  function upgrade(wire, random) {
    setHeader(wire, 'connection', 'upgrade');
    setHeader(wire, 'upgrade', pick(random, ['websocket', 'h2c', 'TLS/1.0', '', 'x']));
  },
  function flood(wire, random) {
    const count = pick(random, [100, 500, 1990, 2100]);
    for (let at = 0; at < count; at++) wire.headers.push([`x${at}`, '']);
  },
  function longHeader(wire, random) {
    wire.headers.push(['x-long', 'a'.repeat(pick(random, [1000, 8000, 15_000, 20_000]))]);
  },
  function doubled(wire, random) {
    const [name, value] = pick(random, wire.headers);
    wire.headers.push([name, random() < 0.5 ? value : latin1(pick(random, awkwardHeaders))]);
  },
  function awkwardHeader(wire, random) {
    wire.headers.push([
      pick(random, ['x-a', 'referer', 'user-agent', 'accept-language', '__proto__', 'constructor']),
      latin1(pick(random, awkwardHeaders)),
    ]);
  },
  function lost(wire, random) {
    wire.headers.splice(below(random, wire.headers.length), 1);
  },
];

/** Into the bytes of a body: the framing fits what comes of it. */
export const bodyByteMutations: readonly WireMutation[] = [
  function spoiled(wire, random) {
    if (wire.body.length < 2) return;
    const seed = { name: 'body', bytes: wire.body };
    wire.body = Buffer.from(mutate(seed, seed, random));
  },
  function truncated(wire, random) {
    wire.body = wire.body.subarray(0, below(random, wire.body.length));
  },
  function invalidUtf8(wire, random) {
    const at = below(random, wire.body.length);
    const bytes = pick(random, [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0]]);
    wire.body = Buffer.concat([wire.body.subarray(0, at), Buffer.from(bytes), wire.body.subarray(at)]);
  },
  function encoded(wire, random) {
    wire.body = Buffer.from(
      pick(random, [
        `\ufeff${wire.body.toString()}`,
        Buffer.from(wire.body.toString(), 'utf16le').toString('latin1'),
        Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]).toString('latin1'),
        '',
        ' '.repeat(5000),
      ]),
      random() < 0.5 ? 'utf8' : 'latin1',
    );
  },
  function doubledField(wire) {
    const text = wire.body.toString('latin1');
    if (text.startsWith('{"')) wire.body = Buffer.from(`{"question":1,"text":2,${text.slice(1)}`, 'latin1');
  },
  function tooLarge(wire) {
    wire.body = Buffer.concat([wire.body, Buffer.alloc(1024 * 1024 + 1, 0x20)]);
    wire.mayClose = true;
  },
  function brokenParts(wire, random) {
    const text = wire.body.toString('latin1');
    const changed = pick(random, [
      () => text.replace(/--\r\n$/u, ''),
      () => text.replaceAll('footnote-fuzz', 'other-boundary'),
      () => text.replaceAll('\r\n', '\n'),
      () => text.replace('\r\n\r\n', '\r\n'),
      () => text.replace('form-data', 'attachment'),
      () => text.replace(/name="[^"]*"/u, ''),
      () => text.replace(/; /u, `; ${'x=y; '.repeat(3000)}`),
      () => text.replace('\r\n', `\r\nx-long: ${'a'.repeat(90_000)}\r\n`),
      () => text.replace('\r\n', '\r\ncontent-transfer-encoding: base64\r\n'),
      () => text.replace('text/markdown', 'multipart/mixed; boundary=inner'),
      () => text.replace(/filename="([^"]*)"/u, "filename*=UTF-8''%ff%00%zz"),
      () => `garbage before\r\n${text}garbage after`,
      () => `--footnote-fuzz--\r\n`,
      () => `--footnote-fuzz\r\n`.repeat(2000),
    ]);
    wire.body = Buffer.from(changed(), 'latin1');
  },
];
