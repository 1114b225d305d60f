// Runs of testkit/embedding-process.ts before a simulated provider: to the end, or killed (SIGKILL) in the middle, over and over.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface ProviderStatistics {
  readonly calls: number;
  readonly texts: number;
  readonly distinct: number;
  /** Texts beyond the first time that each was asked for. */
  readonly twice: number;
  readonly seconds: number;
  /** Part of its time, from the first call to the end of the last, in which it was at work. */
  readonly share: number;
}

export interface SimulatedProvider {
  readonly address: string;
  statistics(): Promise<ProviderStatistics>;
  close(): void;
}

export interface ProviderSpeed {
  readonly msPerHundred: number;
  readonly lanes: number;
  readonly dimensions: number;
}

export async function openSimulatedProvider({
  msPerHundred,
  lanes,
  dimensions,
}: ProviderSpeed): Promise<SimulatedProvider> {
  const script = join(import.meta.dirname, 'embedding-provider.ts');
  const child = spawn(process.execPath, [script, ...[msPerHundred, lanes, dimensions].map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const address = `http://127.0.0.1:${String(port).trim()}`;
  return {
    address: `${address}/v1`,
    statistics: async () => (await (await fetch(address)).json()) as ProviderStatistics,
    close: () => child.kill(),
  };
}

export interface EmbeddingRun {
  readonly folder: string;
  readonly address: string;
  readonly textsPerCall: number;
  readonly callsAtOnce: number;
  readonly dimensions: number;
  readonly fault?: 'early';
}

export interface EmbeddingCosts {
  readonly seconds: number;
  readonly embeddingSeconds: number;
  /** Of all threads, and of the one that everything but the engine runs in. */
  readonly cpuSeconds: number;
  readonly threadSeconds: number;
  /** In which that thread waited for a processor, because other programs ran. */
  readonly waitedSeconds: number;
  readonly peakMiB: number;
}

function start({ folder, address, textsPerCall, callsAtOnce, dimensions, fault }: EmbeddingRun): ChildProcess {
  const script = join(import.meta.dirname, 'embedding-process.ts');
  const words = [folder, address, ...[textsPerCall, callsAtOnce, dimensions].map(String), fault ?? ''];
  return spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Throws where it ended otherwise than done. */
export async function runToEnd(run: EmbeddingRun): Promise<EmbeddingCosts> {
  const child = start(run);
  let said = '';
  child.stdout?.on('data', (data: Buffer) => {
    said += data.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const done = /^DONE (.*)$/mu.exec(said)?.[1];
  if (code !== 0 || done === undefined) throw new Error(`The run ended with ${code}: ${said}`);
  return JSON.parse(done) as EmbeddingCosts;
}

/** Kills it once the provider was asked for so many texts more, or finds it done. */
export async function runAndKill(
  run: EmbeddingRun,
  provider: SimulatedProvider,
  textsMore: number,
): Promise<'killed' | 'done'> {
  const before = (await provider.statistics()).texts;
  const child = start(run);
  let isDone = false;
  child.stdout?.on('data', (data: Buffer) => {
    isDone ||= data.toString().includes('DONE');
  });
  const closed = once(child, 'close');
  while (!isDone && child.exitCode === null) {
    if ((await provider.statistics()).texts - before >= textsMore) {
      child.kill('SIGKILL');
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await closed;
  return isDone ? 'done' : 'killed';
}
