// Who started this program for a person: npm with its shell, or the command that looks for a newer Node. When one of them is gone,
// nobody is left who could end the program, so it ends by itself, in order. Invariant: a shell in which a person typed the command is
// never watched: a server that was put into the background outlives its terminal.
import { isListed, lifeOf, processState } from '../footnote/process-state.ts';

export interface Started {
  /** npm, npx or a program like them started it. */
  readonly byNpm: boolean;
  /** Process of `bin/footnote.mjs`, where that started it. */
  readonly wrapper: number | undefined;
}

interface Launcher {
  readonly pid: number;
  readonly start: string | undefined;
}

const lookEveryMs = 500;
/** What npm runs a script with stays between the two, or not: some shells become what they run. */
const shells: ReadonlySet<string> = new Set(['sh', 'dash', 'bash', 'zsh', 'ash', 'ksh', 'busybox']);
const mostAround = 4;

/** The processes around this one, from its parent on, that end with what they were asked to run. */
async function launchersAround({ byNpm, wrapper }: Started, parent: number): Promise<readonly Launcher[]> {
  const found: Launcher[] = [];
  for (let pid = parent; pid > 1 && found.length < mostAround; ) {
    const isWrapper = pid === wrapper;
    if (!isWrapper && !byNpm) break;
    const state = await processState(pid);
    found.push({ pid, start: state?.start });
    if (state === undefined || !(isWrapper || shells.has(state.name))) break;
    pid = state.parent;
  }
  return found;
}

/** Calls `onGone` once, when one of them is gone; keeps nothing alive. */
export function watchLaunchers(started: Started, onGone: () => void): { stop(): void } {
  const parent = process.ppid;
  if (!started.byNpm && started.wrapper !== parent) return { stop: () => undefined };
  const around = launchersAround(started, parent);
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    // Whoever loses its parent gets another one.
    const isGone = process.ppid !== parent || (await someGone(await around));
    isLooking = false;
    if (!isGone || stopped) return;
    stop();
    onGone();
  };
  let stopped = false;
  const timer = setInterval(() => void look(), lookEveryMs);
  timer.unref();
  const stop = (): void => {
    stopped = true;
    clearInterval(timer);
  };
  return { stop };
}

async function someGone(launchers: readonly Launcher[]): Promise<boolean> {
  for (const { pid, start } of launchers) {
    // Elsewhere each look at a state starts a program, and who is listed nowhere is told without.
    const life = process.platform === 'linux' ? await lifeOf(pid, start) : isListed(pid) ? 'alive' : 'dead';
    if (life === 'dead') return true;
  }
  return false;
}
