// What documents and file names hold cannot steer the terminal that shows them.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderReplay } from '../../../src/cli/render/replay.ts';
import { createTerminal, type Terminal, toPrintable } from '../../../src/cli/terminal/terminal.ts';

describe('toPrintable', () => {
  it('shows control characters and changes of direction, and keeps every other text as it is', () => {
    expect(toPrintable('a\u001b[2Jb\u009bc\rd\u202ee\u2066f\u2069')).toBe(
      'a\ufffd[2Jb\ufffdc\ufffdd\ufffde\ufffdf\ufffd',
    );
    expect(toPrintable('Größe\t1\n שלום 漢字')).toBe('Größe\t1\n שלום 漢字');
  });
});

describe('what is written', () => {
  afterEach(() => vi.restoreAllMocks());
  const hostile = 'a\u001b[2J\u001b]0;x\u0007\u001b[8m\u009b2J\u202e\u007f\rb';
  const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;
  const written = (write: (terminal: Terminal) => void): string => {
    let text = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
      text += String(piece);
      return true;
    });
    write(createTerminal());
    return text;
  };

  it('as a line steers nothing, whoever wrote it, and keeps the colours of the program', () => {
    expect(written((terminal) => terminal.line(`  then  ${hostile}`))).not.toMatch(steering);
    const red = '\u001b[31mNOT the same\u001b[39m';
    expect(written((terminal) => terminal.line(`${red}${hostile}`))).toMatch(
      /^\u001b\[31mNOT the same\u001b\[39ma\ufffd/u,
    );
  });

  it('as JSON steers nothing and is the same value', () => {
    const value = { [hostile]: [hostile, 'Größe 漢字'] };
    const text = written((terminal) => {
      terminal.json = true;
      terminal.value(value);
    });
    expect(text).not.toMatch(steering);
    expect(JSON.parse(text)).toEqual(value);
  });

  it('as a replay of a file steers nothing', () => {
    const text = written((terminal) =>
      renderReplay(terminal, {
        against: 'record',
        traceId: hostile,
        same: false,
        recordedBy: hostile,
        replayedBy: 'x',
        difference: { at: hostile, recorded: hostile, replayed: hostile },
        divergences: [hostile],
      } as never),
    );
    expect(text.replaceAll(/\u001b\[(?:31|39)m/gu, '')).not.toMatch(steering);
  });
});
