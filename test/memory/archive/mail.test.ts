// Mailboxes: messages told apart, threads found by what they refer to, a message that cannot be read left out.
import { expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { IncomingPiece } from '../../../src/memory/archive/import/incoming.ts';
import { isMail, readIncomingMail, splitMails } from '../../../src/memory/archive/import/mail.ts';

const box = `From anna@example.org Fri Mar  1 10:00:00 2024
From: "Anna" <anna@example.org>
Subject: Panels
Message-ID: <m1@x>

Shall we?

>From here on I rest.

From ben@example.org Fri Mar  1 11:00:00 2024
From: Ben
Subject: Re: Panels
Message-ID: <m2@x>
References: <m1@x>
 <m0@x>

Yes.

From eve@example.org Fri Mar  1 12:00:00 2024
From: Eve
Subject: broken
Message-ID: <m3@x>

damaged
`;

it('gives a turn for each message, in the conversation of its thread', async () => {
  const warnings: string[] = [];
  const pieces: IncomingPiece[] = [];
  async function* inPieces(): AsyncGenerator<Uint8Array> {
    // Lines are cut anywhere by whoever reads the file.
    for (let at = 0; at < box.length; at += 37) yield Buffer.from(box.slice(at, at + 37));
  }
  const notes = { timeZone: 'UTC', name: 'box', warn: (message: string) => void warnings.push(message) };
  const readMail = async (bytes: Uint8Array) => {
    const text = Buffer.from(bytes).toString('utf8');
    if (text.includes('damaged')) throw new FootnoteError('invalid-media', 'It is damaged.');
    return {
      subject: /^Subject: (.*)$/m.exec(text)?.[1],
      from: /^From: (.*)$/m.exec(text)?.[1],
      sentAt: '2024-03-01T10:00:00+01:00',
      text: text.slice(text.indexOf('\n\n') + 2),
    };
  };
  for await (const mail of splitMails(inPieces(), notes)) {
    const piece = await readIncomingMail(mail, notes, readMail);
    if (piece) pieces.push(piece);
  }
  expect(pieces.map(({ conversation, turns }) => [conversation, turns[0]?.key, turns[0]?.messages[0]?.author])).toEqual(
    [
      [{ id: 'mail:m1@x', title: 'Panels' }, 'm1@x', 'Anna'],
      [{ id: 'mail:m1@x', title: 'Panels' }, 'm2@x', 'Ben'],
    ],
  );
  expect(pieces[0]?.turns[0]?.messages[0]?.text).toBe('Shall we?\n\nFrom here on I rest.\n\n');
  expect(pieces[0]?.turns[0]?.messages[0]?.timestamp).toBe('2024-03-01T09:00:00.000Z');
  expect(warnings).toEqual(['Message 3 is left out: It is damaged.']);
});

it('is told from other texts', () => {
  expect(isMail(box)).toBe(true);
  expect(isMail('From: a@x\nDate: Fri, 1 Mar 2024 10:00:00 +0100\n\nHello')).toBe(true);
  expect(isMail('From here to there is a long way.\n\nReally.')).toBe(false);
});
