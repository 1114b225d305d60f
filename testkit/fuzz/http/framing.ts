// Breaks what frames a request: methods, versions, targets, lengths, chunks, lines of headers, what comes before and after it, clients that leave.
import { pick } from './contract.ts';
import { latin1, setHeader, type Wire, type WireMutation } from './wire.ts';

/** Where it ends cannot be told: closing without a reply is an answer too, and the client says that nothing more comes. */
function mayBeNoRequest(wire: Wire): void {
  wire.mayClose = true;
  wire.halfClose = true;
}

/** Into what frames a request: what comes of it may be no request at all, or two. */
export const framingMutations: readonly WireMutation[] = [
  function method(wire, random) {
    wire.method = pick(random, [
      'HEAD',
      'CONNECT',
      'OPTIONS',
      'TRACE',
      'PUT',
      'PATCH',
      'QUERY',
      'PROPFIND',
      'M-SEARCH',
      'LINK',
      'GET',
      'POST',
      'DELETE',
    ]);
    wire.methods = [wire.method];
  },
  function noMethod(wire, random) {
    wire.method = pick(random, ['FOO', 'get', 'Post', '', 'G\u0000T', 'A'.repeat(500), 'PRI']);
    wire.mayClose = true;
  },
  function version(wire, random) {
    wire.version = pick(random, [
      'HTTP/1.0',
      'HTTP/0.9',
      'HTTP/2.0',
      'HTTP/1.1x',
      'http/1.1',
      '',
      'HTTP/9.9',
      'ICE/1.0',
    ]);
    wire.mayClose = true;
  },
  function target(wire, random) {
    wire.target = pick(random, [
      '*',
      '',
      `http://127.0.0.1${wire.target}`,
      `http://evil.example${wire.target}`,
      '//evil.example/a',
      'evil.example:443',
      wire.target.slice(1),
      `${wire.target} ${wire.target}`,
      `${wire.target}#part`,
      `${wire.target}?a?b?c`,
      latin1('/v1/documents/\u00e4\u202e'),
      '/\u0001',
      '/\u00ff\u00fe',
      `${wire.target}\t`,
    ]);
    wire.mayClose = true;
  },
  function wrongLength(wire, random) {
    wire.framing = 'none';
    const value = pick(random, [
      ...['-1', '+5', '0x10', '1e3', '5, 5', ' ', '99999999999999999999', '1.5', 'NaN', '0', '00000'],
      String(wire.body.length + 10),
      String(Math.max(0, wire.body.length - 3)),
    ]);
    wire.headers.push(['content-length', value]);
    mayBeNoRequest(wire);
  },
  function lengths(wire) {
    wire.headers.push(['content-length', '3']);
    mayBeNoRequest(wire);
  },
  function wrongTransfer(wire, random) {
    wire.headers.push([
      'transfer-encoding',
      pick(random, [
        'gzip',
        'identity',
        'gzip, chunked',
        'chunked, chunked',
        'chunked, gzip',
        'x',
        ' ',
        'Chunked\u000b',
      ]),
    ]);
    mayBeNoRequest(wire);
  },
  function wrongChunks(wire, random) {
    wire.framing = 'none';
    wire.headers.push(['transfer-encoding', 'chunked']);
    wire.body = Buffer.from(
      pick(random, [
        'zz\r\nabc\r\n0\r\n\r\n',
        '-1\r\n',
        'ffffffffffffffff\r\na',
        '5\r\nab',
        '2\r\nabc\r\n0\r\n\r\n',
        `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
        '2;a=b\r\n{}\r\n0\r\nx-trailer: 1\r\n\r\n',
        `2\r\n{}\r\n0\r\n${'x: y\r\n'.repeat(4000)}\r\n`,
        '2\n{}\n0\n\n',
        '0\r\n\r\n',
      ]),
      'latin1',
    );
    mayBeNoRequest(wire);
  },
  function unframed(wire) {
    wire.framing = 'none';
    mayBeNoRequest(wire);
  },
  function brokenHeader(wire, random) {
    wire.headers.push([
      '',
      pick(random, [
        'no colon',
        ': empty',
        ' folded: x',
        'x : y',
        'x\u0000y: z',
        'x: a\u0000b',
        'x: \u0001',
        '\u00e4: b',
        'x:\ty\rz',
        'content-length : 5',
      ]),
    ]);
    wire.mayClose = true;
  },
  function garbage(wire, random) {
    const bytes = [
      ...[
        '\r\n\r\n',
        '\n',
        'GARBAGE\r\n\r\n',
        '\u0000\u0000',
        '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      ],
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'a'.repeat(70_000),
    ];
    if (random() < 0.6) wire.before = pick(random, bytes);
    else wire.after = pick(random, bytes);
    mayBeNoRequest(wire);
  },
  function pipelined(wire) {
    setHeader(wire, 'connection', 'keep-alive');
    wire.after = 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n';
    wire.methods = [...wire.methods, 'GET'];
    wire.mayClose = true;
  },
  function cutOff(wire, random) {
    wire.leave = random() < 0.5 ? 'at-once' : 'at-reply';
    if (random() < 0.4 && wire.body.length > 4 && wire.framing === 'length') {
      wire.framing = 'none';
      wire.headers.push(['content-length', String(wire.body.length)]);
      wire.body = wire.body.subarray(0, wire.body.length / 2);
      wire.leave = 'at-once';
    }
  },
];
