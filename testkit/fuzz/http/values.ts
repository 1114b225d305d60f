// Values that break readers of JSON, of names and of numbers, and how they get into a sound request: fields of a wrong type, missing,
// unknown, twice, out of range, deep, huge, or holding text that few programs are ready for.
import { below, type Random } from '../../../packages/readers/testkit/mutate.ts';
import { type Draft, pick } from './contract.ts';

/** Text that is awkward wherever it stands. */
export const awkward: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\u202eevil\u202c',
  'a\u200b\u200d\ufeffb',
  '\u0301'.repeat(300),
  '\ud83d\udc69\u200d\ud83d\udc67'.repeat(60),
  '\r\nx-injected: 1',
  '\u001b[31m',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '9007199254740993',
  '0x10',
  'null',
  'true',
  "' OR 1=1 --",
  '"; DROP TABLE documents; --',
  '" OR "a" NEAR "b*',
  '%00%0d%0a',
  '%s%n%d',
  '../../etc/passwd',
  '..\\..\\windows',
  'C:\\con',
  '<script>alert(1)</script>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what template engines would run
  '${7*7}{{7*7}}',
  '9999-99-99',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '2024-02-30',
  'file:///etc/passwd',
  'http://169.254.169.254/latest',
  '((((((((((a+)+)+)+)+)+)+)+)+)+$',
  '**/'.repeat(200),
  '[!a-'.repeat(100),
  '{a,b}'.repeat(40),
];

const numbers: readonly number[] = [
  0,
  -1,
  1,
  -0,
  0.5,
  1e-320,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 63),
  1001,
];

/** Stands in printed JSON as it is, without quotes: numbers that JSON.stringify would not write, or no JSON at all. */
const rawMark = '\u0001raw:';
const rawTokens = [
  'NaN',
  'Infinity',
  '-Infinity',
  '1e999',
  '-1e999',
  '0x10',
  '01',
  '+1',
  '.5',
  '1.',
  'undefined',
  "'a'",
  '1e',
  '9'.repeat(400),
  '"\\u00"',
  '"\\ud800"',
  '"\\x41"',
  '"\t"',
  '{"a":1,"a":2}',
  '{"__proto__":{"a":1}}',
  '{"\\u005f_proto__":{"role":"admin"}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '[1,]',
  '/* */1',
];

const nested = (depth: number, how: 'list' | 'object'): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = how === 'list' ? [value] : { a: value };
  return value;
};
const deepRaw = (random: Random): string => {
  const depth = pick(random, [65, 1000, 100_000]);
  return rawMark + (random() < 0.5 ? '['.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
};

const longText = (random: Random): string => {
  const length = pick(random, [257, 1025, 4097, 20_001, 100_000, 400_000]);
  const piece = pick(random, [
    'a',
    'ab ',
    'Ä',
    'lighthouse ',
    '" OR ',
    '\u0000',
    '(',
    '\ud83d\ude00',
    '1 ',
    'not ',
    'A. ',
  ]);
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
};

/** A filter that means nothing, with every operator; wide or deep. */
function nonsenseFilter(random: Random, depth = 0): unknown {
  const field = pick(random, [
    'source',
    'metadata.a',
    'metadata.__proto__',
    'nothing',
    '',
    'path',
    'publishedAt',
    'id',
    7,
  ]);
  const value = pick<unknown>(random, [...awkward.slice(0, 20), ...numbers, true, null, [], {}]);
  const op = pick(random, [
    ...['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'nin', 'prefix', 'glob', 'exists', 'and', 'or', 'not'],
    'xor',
    'constructor',
  ]);
  if (op === 'not')
    return depth > 30
      ? { op: 'exists', field: 'title', value: true }
      : { op, filter: nonsenseFilter(random, depth + 1) };
  if (op === 'and' || op === 'or') {
    const width = depth > 1 ? 1 + below(random, 2) : pick(random, [0, 1, 3, 100, 101]);
    return {
      op,
      filters: depth > 3 ? [] : Array.from({ length: width }, () => nonsenseFilter(random, depth + 1)),
    };
  }
  if (op === 'in' || op === 'nin') {
    const length = pick(random, [0, 1, 50, 10_000, 10_001]);
    return { op, field, values: Array.from({ length }, (_, at) => (random() < 0.9 ? `v${at}` : value)) };
  }
  return { op, field, value };
}

/** A hostile value for any place. */
export function hostile(random: Random): unknown {
  const chosen = random();
  if (chosen < 0.35) return pick(random, awkward);
  if (chosen < 0.5) return pick(random, numbers);
  if (chosen < 0.65) return rawMark + pick(random, rawTokens);
  if (chosen < 0.75) return pick<unknown>(random, [null, true, false, [], {}, [[]], [null], { '': 1 }]);
  if (chosen < 0.82) return longText(random);
  if (chosen < 0.86) return Array.from({ length: pick(random, [101, 1001, 10_001, 50_000]) }, (_, at) => at);
  if (chosen < 0.9)
    return Object.fromEntries(Array.from({ length: pick(random, [100, 2000, 20_000]) }, (_, at) => [`k${at}`, at]));
  if (chosen < 0.94) return nested(pick(random, [10, 60, 63]), random() < 0.5 ? 'list' : 'object');
  if (chosen < 0.96) return deepRaw(random);
  return nonsenseFilter(random);
}

type Holder = Record<string, unknown> | unknown[];
const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** Some holder of the body: the body itself as likely as all that lies deeper. */
function someHolder(body: Holder, random: Random): Holder {
  let chosen = body;
  while (random() < 0.5) {
    const deeper = Object.values(chosen).filter(isHolder);
    if (deeper.length === 0) break;
    chosen = pick(random, deeper);
  }
  return chosen;
}

const strangeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  '',
  ' ',
  '\u0000',
  'a.b',
  'a/b',
  'A'.repeat(3000),
];

const put = (holder: Holder, key: string, value: unknown): void => {
  // Plain assignment of __proto__ would set the prototype here instead of a field there.
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
};

export type DraftMutation = (draft: Draft, random: Random) => void;

/** Named as the change that it makes. */
function inBody(change: (holder: Holder, random: Random) => void): DraftMutation {
  const mutation: DraftMutation = (draft, random) => {
    if (isHolder(draft.json)) change(someHolder(draft.json, random), random);
    else draft.json = hostile(random);
  };
  return Object.defineProperty(mutation, 'name', { value: change.name });
}

const anyKey = (holder: Holder, random: Random): string => pick(random, ['x', ...Object.keys(holder)].slice(-40));

/** Into the parsed body. */
export const bodyMutations: readonly DraftMutation[] = [
  inBody(function wrongValue(holder, random) {
    put(holder, anyKey(holder, random), hostile(random));
  }),
  inBody(function missing(holder, random) {
    Reflect.deleteProperty(holder, anyKey(holder, random));
  }),
  inBody(function unknown(holder, random) {
    put(holder, pick(random, [...strangeNames, ...awkward]), hostile(random));
  }),
  inBody(function wrapped(holder, random) {
    const key = anyKey(holder, random);
    const value = Reflect.get(holder, key) as unknown;
    put(holder, key, pick<unknown>(random, [[value], { value }, [value, value], JSON.stringify(value) ?? null]));
  }),
  inBody(function otherCase(holder, random) {
    const key = anyKey(holder, random);
    put(holder, key.toUpperCase(), Reflect.get(holder, key));
  }),
  inBody(function thousandFold(holder, random) {
    const key = anyKey(holder, random);
    const value = Reflect.get(holder, key) as unknown;
    if (JSON.stringify(value ?? null).length < 300)
      put(
        holder,
        key,
        Array.from({ length: pick(random, [21, 101, 1001, 3000]) }, () => value),
      );
  }),
  function filter(draft, random) {
    if (isHolder(draft.json) && draft.route !== '/v1/answers/verify') put(draft.json, 'filter', nonsenseFilter(random));
    else draft.query.push(['filter', encodeURIComponent(JSON.stringify(nonsenseFilter(random)).slice(0, 15_000))]);
  },
  function otherBody(draft, random) {
    draft.json = hostile(random);
  },
];

/** JSON with raw tokens where they were put. Lone surrogates are written as escapes. */
export function printJson(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  if (!text.includes('\\u0001raw:')) return text;
  return text.replace(/"\\u0001raw:((?:[^"\\]|\\.)*)"/gu, (_, escaped: string) => JSON.parse(`"${escaped}"`) as string);
}

/** Any text percent-encoded, lone surrogates too. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

const forgedCursors = [
  Buffer.from('{"after":1}').toString('base64url'),
  Buffer.from('[1e999,"\u0000"]').toString('base64url'),
  Buffer.from(Array.from({ length: 64 }, (_, at) => at)).toString('base64url'),
  'AAAA',
  '%00',
  '=',
  '-1',
  'doc_0',
  'a'.repeat(4096),
  'a'.repeat(4097),
];

const brokenPaths = [
  '%',
  '%zz',
  '%00',
  '%2e%2e',
  '..',
  '%2e%2e%2f%2e%2e%2fetc',
  '%252e%252e',
  '..;',
  '%c0%ae',
  '%ff%fe',
  '%ed%a0%80',
  '%0d%0ax:1',
  'a%2fb',
  '%E2%80%AE',
  '*',
  ':id',
  '{id}',
  '[',
  '\\',
  '|',
  '~',
  '%7F',
  '__proto__',
  'constructor',
];

/** Into the address. */
export const targetMutations: readonly DraftMutation[] = [
  function wrongQuery(draft, random) {
    const name = pick(random, [
      ...draft.query.map(([known]) => known),
      'limit',
      'cursor',
      'start',
      'wait',
      'from',
      'by',
    ]);
    const value = hostile(random);
    const text = typeof value === 'string' ? value.replace(rawMark, '') : JSON.stringify(value);
    draft.query.push([name, encode(text.slice(0, 3000))]);
  },
  function cursor(draft, random) {
    draft.query.push(['cursor', pick(random, forgedCursors)]);
  },
  function twice(draft, random) {
    const [name, value] = pick(random, [['limit', '1'], ...draft.query] as [string, string][]);
    for (let times = 1 + below(random, 40); times > 0; times--) draft.query.push([name, value]);
  },
  function strangeQuery(draft, random) {
    const name = pick(random, ['__proto__', 'a[]', 'a[b]', 'limit[]', 'constructor', '', '%', '%00', 'limit%00']);
    draft.query.push([name, pick(random, ['', '1', '%', '%zz', '%ff', '&&', '=', '+', '#'])]);
  },
  function longQuery(draft, random) {
    const length = pick(random, [500, 5000, 15_000, 20_000]);
    draft.query.push([pick(random, ['filter', 'source', 'q', 'cursor']), 'a'.repeat(length)]);
  },
  function brokenSegment(draft, random) {
    const segments = draft.path.split('/');
    segments[1 + below(random, segments.length - 1)] = pick(random, [...brokenPaths, ...awkward.map(encode)]);
    draft.path = segments.join('/');
  },
  function encodedAgain(draft, random) {
    draft.path =
      random() < 0.5
        ? draft.path.replace(/[a-z]/gu, (letter) => (random() < 0.3 ? `%${letter.charCodeAt(0).toString(16)}` : letter))
        : encode(draft.path);
  },
  function dots(draft, random) {
    const from = draft.path.indexOf('/', 1);
    const at = from < 0 ? draft.path.length : from;
    draft.path =
      draft.path.slice(0, at) +
      pick(random, ['/.', '/..', '//', '/./', '/%2e/', '/..%2f', ';a=b', '/']) +
      draft.path.slice(at);
  },
  function longPath(draft, random) {
    const many = pick(random, [300, 1025, 7000, 15_000]);
    draft.path += random() < 0.5 ? `/${'a'.repeat(many)}` : '/a'.repeat(many / 2);
  },
  function otherId(draft, random) {
    const segments = draft.path.split('/');
    segments[segments.length - 1] = encode(pick(random, awkward));
    draft.path = segments.join('/');
  },
];
