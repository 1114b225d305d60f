// A progress bar on one line of a terminal, redrawn at most ten times a second, gone without a trace when the work has ended; where no
// person looks on, a line every ten seconds says that the work goes on. It leaves the keyboard alone, so that Ctrl-C stays a signal (a prompt library would take it and end the process).

import type { Terminal } from '../terminal/terminal.ts';
import { shorten } from './render.ts';

export interface Bar {
  /** `total` may still grow. */
  update(done: number, total: number, detail: string): void;
  end(): void;
}

const redrawEveryMs = 100;
const lineEveryMs = 10_000;

export interface BarWords {
  /** Before anything is counted. */
  readonly first: string;
  readonly counted: (done: number, total: number) => string;
}
const ofFiles: BarWords = { first: 'looking for files', counted: (done, total) => `${done} of ${total} files` };

/** By a clock of its own: a single long file tells nothing of itself. */
function openLines(terminal: Terminal, name: string, { first, counted }: BarWords): Bar {
  let latest = first;
  const timer = setInterval(() => terminal.note(`${name}: ${latest}`), lineEveryMs);
  timer.unref();
  return {
    update(done, total, detail) {
      latest = `${counted(done, total)}${detail === '' ? '' : `, ${shorten(detail, 80)}`}`;
    },
    end: () => clearInterval(timer),
  };
}

export function openBar(terminal: Terminal, name: string, words: BarWords = ofFiles): Bar {
  if (!terminal.isInteractive || terminal.json) return openLines(terminal, name, words);
  let drawnAt = -Infinity;
  return {
    update(done, total, detail) {
      if (performance.now() - drawnAt < redrawEveryMs) return;
      drawnAt = performance.now();
      const width = Math.max(10, Math.min(30, terminal.columns - 60));
      const full = total === 0 ? 0 : Math.min(width, Math.round((done / total) * width));
      const share = total === 0 ? '' : `${String(Math.floor((done / total) * 100)).padStart(3)} % `;
      const bar = `${terminal.paint('cyan', '━'.repeat(full))}${terminal.paint('dim', '━'.repeat(width - full))}`;
      const counts = words.counted(done, total);
      const room = terminal.columns - width - name.length - share.length - counts.length - 8;
      terminal.redraw(
        `${name} ${bar} ${share}${counts}${room > 10 ? terminal.paint('dim', `  ${shorten(detail, room)}`) : ''}`,
      );
    },
    end: () => terminal.redraw(''),
  };
}
