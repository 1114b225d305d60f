import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailRegions } from '../../src/mail/mail-regions.ts';

const read = (text: string): string[] =>
  mailRegions(text).map(({ start, end, kind }) => `${kind}: ${text.slice(start, end)}`);

describe('regions of a mail', () => {
  it('are marked quotations with the line that attributes them', () => {
    const text =
      'Yes, at noon.\n\nOn Mon, 6 May 2024 at 10:00, Ann Lee\n<ann@a.org> wrote:\n> Shall we meet?\n>\n> Ann\n\nSee you.';
    expect(read(text)).toEqual([
      'quoted: On Mon, 6 May 2024 at 10:00, Ann Lee\n<ann@a.org> wrote:\n> Shall we meet?\n>\n> Ann',
    ]);
  });

  it('are quotations without marks, up to the end', () => {
    expect(read('Gern.\n\nAm 6. Mai 2024 schrieb Ann Lee:\n\nTreffen wir uns?\nAnn')).toEqual([
      'quoted: Am 6. Mai 2024 schrieb Ann Lee:\n\nTreffen wir uns?\nAnn',
    ]);
    expect(read('Done.\n\n-----Original Message-----\nFrom: A\nDo it.')).toEqual([
      'quoted: -----Original Message-----\nFrom: A\nDo it.',
    ]);
    const outlook = '________________________________\nVon: A\nGesendet: Montag\nAn: B\nBetreff: C\n\nText';
    expect(read(`Erledigt.\n\n${outlook}`)).toEqual([`quoted: ${outlook}`]);
  });

  it('are not what the writer says that somebody said', () => {
    expect(read('Hi Ann,\nOn Friday our lawyer said:\nWe must sign by 3 May.\nThe price is 40,000.')).toEqual([]);
    expect(read('Hallo,\nAm Freitag schrieb der Anwalt:\nWir unterschreiben am 3. Mai.')).toEqual([]);
    expect(read('Hi,\nOn 3 May our lawyer wrote:\n\nSign.')).toEqual([]);
    for (const attribution of [
      'On 06.05.24 10:00, Ann wrote:',
      'On Mon, Ann Lee\n<ann@a.org> wrote:',
      'Le lun. 6 mai 2024 à 10:00, Ann a écrit :',
    ])
      expect(read(`Done.\n\n${attribution}\n\nShall we meet?`)).toEqual([`quoted: ${attribution}\n\nShall we meet?`]);
  });

  it('are not what is forwarded', () => {
    expect(
      read('FYI\n\n---------- Forwarded message ---------\nFrom: A\nDate: today\nSubject: C\nTo: B\n\nThe price is 5.'),
    ).toEqual([]);
    expect(read('FW: prices\n\nFrom: A\nSent: today\nTo: B\nSubject: prices\n\nThe price is 5.')).toEqual([]);
  });

  it('are signatures and notices, before a quotation too', () => {
    const notice =
      'This e-mail is confidential and meant for the intended recipient only. If you received it in error, delete it at once, please.';
    expect(read(`Noted.\n\n-- \nAnn Lee\nBank of A\n\n${notice}`)).toEqual([
      'signature: -- \nAnn Lee\nBank of A',
      `notice: ${notice}`,
    ]);
    expect(read('The price is 5.\n\nBest regards,\nAnn\n\nOn Monday, Bob <b@b.org> wrote:\n> What is it?')).toEqual([
      'signature: Best regards,\nAnn',
      'quoted: On Monday, Bob <b@b.org> wrote:\n> What is it?',
    ]);
    expect(read('Ok.\n\nSent from my iPhone')).toEqual(['signature: Sent from my iPhone']);
  });

  it('leave what says something after a closing', () => {
    expect(read('Ok.\n\nThanks,\nAnn\n\nPS: It is 5.')).toEqual([]);
    expect(
      read('Ok.\n\nThanks,\nAnn\n\nPS: The budget for 2025 is 5,000 euros, which the board approved in May.'),
    ).toEqual([]);
    expect(read('From: ann@a.org\nTo: b@b.org\nDate: Monday\n\nThe answer is 5.')).toEqual([]);
    expect(read('He wrote:\n\nNothing more came.')).toEqual([]);
  });

  it('leave what is longer than all above it, unless dashes part it', () => {
    expect(read('Hi Ann,\nThanks!\nDial-in 555-1234\nPIN 9876')).toEqual([]);
    expect(read('Hi Ann,\nThanks!\nDial-in 555-1234\nPIN 9876\n\nSent from my iPhone')).toEqual([
      'signature: Sent from my iPhone',
    ]);
    expect(read('Ok.\n-- \nAnn Lee\nBank of A\n555-1234')).toEqual(['signature: -- \nAnn Lee\nBank of A\n555-1234']);
    // Above a quotation counts too.
    expect(read('It is 40,000, as I said.\n> How much?\n\nRegards,\nAnn Lee\nBank of A')).toEqual([
      'quoted: > How much?',
      'signature: Regards,\nAnn Lee\nBank of A',
    ]);
  });

  it('lie inside the message asked about', () => {
    const text = 'A\n> q\nB\n> r\n';
    expect(mailRegions(text, { start: 6, end: text.length }).map(({ start }) => start)).toEqual([8]);
  });

  it('are sorted, apart and inside, whatever the text', () => {
    const line = fc.constantFrom(
      '> q',
      '',
      'Ann wrote:',
      'On Mon, Ann <a@a.org> wrote:',
      '-- ',
      'Regards,',
      'From: a',
      'To: b',
      'Subject: c',
      'Text.',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const text = lines.join('\n');
        let last = 0;
        for (const { start, end } of mailRegions(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
