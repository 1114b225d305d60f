// Messages of chats and entries of logs are blocks of their own, so that no chunk ends amid one.
import { expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

async function blocksOf(name: string, text: string): Promise<string[]> {
  const document = await parseFile({ name, bytes: new TextEncoder().encode(text) });
  expectWellFormed(document);
  return document.blocks.map(({ start, end }) => document.text.slice(start, end));
}

it('keeps each message of a chat and what it is wrapped over together', async () => {
  const messages = [
    '12/03/2026, 18:15 - Tomasz: My car only takes three people\nsince the back seat is broken',
    '\u200e12/03/2026, 18:16 - Tomasz: <Media omitted>',
    '12/03/2026, 18:20 - Petra: OK',
  ];
  expect(await blocksOf('chat.txt', messages.join('\n'))).toEqual(messages);
});

it('leaves paragraphs as they are where no line has a stamp, or before the first one', async () => {
  expect(await blocksOf('a.txt', 'One\ntwo.\n\nThree.')).toEqual(['One\ntwo.', 'Three.']);
  expect(await blocksOf('a.txt', 'The log:\n2026-03-11 02:54:27 a\n2026-03-11 02:54:28 b')).toEqual([
    'The log:',
    '2026-03-11 02:54:27 a',
    '2026-03-11 02:54:28 b',
  ]);
});

it('keeps each entry of a log with its trace', async () => {
  const entries = [
    '2026-03-11 02:54:27,210 INFO started',
    '2026-03-11 02:54:31,001 ERROR refused\nTraceback (most recent call last):\n  File "pay.py", line 88\nCardError: expired',
    '127.0.0.1 - - [11/Mar/2026:02:54:27 +0100] "GET / HTTP/1.1" 200 12',
    '[   12.345678] usb 1-1: new device',
    'WARN it is late',
    '{"ts": "2026-04-01T12:00:01Z", "msg": "up"}',
  ];
  expect(await blocksOf('server.log', entries.join('\n'))).toEqual(entries);
});
