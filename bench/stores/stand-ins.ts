// Stand-ins of the hosted stores as processes: started, told how to answer, asked how much reached them, killed.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const standInNames = ['openai', 'azure', 'firestore'] as const;
export type StandInName = (typeof standInNames)[number];

/** Beside the one that is refused at the door: a process that was killed. */
export const waysToBeDead = ['silent', 'slow headers', '503', 'drip'] as const;
export type WayToBeDead = (typeof waysToBeDead)[number];

export interface StandInWish {
  readonly delayMs: number;
  readonly dead?: WayToBeDead | undefined;
}

export interface StandInReply {
  readonly environment: Readonly<Record<string, string>>;
  readonly requests: number;
}

export interface StandInProcess {
  /** Settings of Footnote with which it is the store of its name. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves when it is so, with the requests that reached it until then. */
  answer(wish: StandInWish): Promise<number>;
  /** What it held is gone, and whoever asks it is refused. */
  kill(): Promise<void>;
}

async function said(child: ChildProcess): Promise<StandInReply> {
  const [reply] = (await once(child, 'message')) as [StandInReply];
  return reply;
}

export async function startStandIn(name: StandInName): Promise<StandInProcess> {
  const child = fork(join(import.meta.dirname, 'stand-in-process.ts'), [name]);
  const { environment } = await said(child);
  return {
    environment,
    async answer(wish) {
      const reply = said(child);
      child.send(wish);
      return (await reply).requests;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
