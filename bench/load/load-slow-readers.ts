// Clients that ask and then read nothing, beside others that read: in a network of its own (`unshare -rn`) with socket buffers of a few
// kilobytes, because on an ordinary loopback whole answers vanish into the kernel's buffers and such a test passes whatever the server does.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../testkit/engine-timing.ts';
import { arrivals, ask, createAgent, openLoop } from '../../testkit/load/client.ts';
import { type LoadPlace, openLoadPlace, watchMemory } from '../../testkit/load/place.ts';

export interface SlowReadersRun {
  readonly stalled: number;
  readonly live: number;
  /** At most while as many clients ask the same and read, beside the live ones: what the answers cost, and what the server keeps of them. */
  readonly readMb: number;
  readonly mostMb: number;
  /** Stalled clients whose connection the server closed. */
  readonly cut: number;
  /** Seconds from the last question until the last of them was cut. */
  readonly lastCutSeconds: number;
  /** Lines of the server's log that say so. */
  readonly told: number;
  readonly liveP99AloneMs: number;
  readonly liveP99BesideMs: number;
  readonly liveFailures: readonly string[];
}

/** The longest that a client may take nothing (src/http/wire/sse.ts), and time for the looks between. */
const waitSeconds = 30;

/** Undefined where this machine allows no network of one's own. */
export async function runSlowReaders(documents: number): Promise<SlowReadersRun | undefined> {
  // Smaller than one answer (about 10 kB), packets included.
  const buffers = 'sysctl -qw net.ipv4.tcp_rmem="2304 2304 2304" net.ipv4.tcp_wmem="4608 4608 4608"';
  const script = `ip link set lo mtu 1500 up && ${buffers} && exec "$0" "$@"`;
  const inside = ['-rn', 'sh', '-c', script];
  try {
    execFileSync('unshare', [...inside, 'true'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const child = spawn('unshare', [...inside, process.execPath, import.meta.filename, '--inside', String(documents)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`The slow readers ended with ${code}: ${output}`);
  return JSON.parse(output.split('\n').findLast((line) => line.startsWith('{')) ?? '') as SlowReadersRun;
}

/** Asks and then takes nothing; the answer is larger than what the kernel holds for it. */
function stall({ server, corpus }: LoadPlace, index: number): { socket: Socket; closed: Promise<unknown> } {
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify({ question: corpus.question(index), stream: true });
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(
    `POST /v1/ask HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  socket.pause();
  return { socket, closed };
}

export async function measure(place: LoadPlace, counts: { stalled: number; live: number }): Promise<SlowReadersRun> {
  const { server, corpus, documents } = place;
  const live = async (seed: number): Promise<{ p99Ms: number; failures: readonly string[] }> => {
    const agent = createAgent();
    const times = arrivals(seed, { perSecond: 15, seconds: counts.live / 5 }).slice(0, counts.live);
    const all = await openLoop(times, (index, dueAtMs) =>
      ask({ url: server.url, question: corpus.question((index * 7919) % documents), dueAtMs, agent }),
    );
    agent.destroy();
    const failures = [...new Set(all.flatMap(({ failure }) => failure ?? []))];
    return {
      p99Ms: quantile(
        all.map(({ endMs }) => endMs),
        0.99,
      ),
      failures,
    };
  };
  for (const seed of [1, 5, 6, 7]) await live(seed);
  const alone = await live(2);
  const reading = watchMemory(server.pid);
  const agent = createAgent();
  const asked = arrivals(4, { perSecond: 40, seconds: counts.stalled / 20 }).slice(0, counts.stalled);
  await openLoop(asked, (index, dueAtMs) =>
    ask({ url: server.url, question: corpus.question(index % documents), dueAtMs, agent }),
  );
  agent.destroy();
  await live(3);
  const readMb = reading.stop();
  const memory = watchMemory(server.pid);
  const stalled: ReturnType<typeof stall>[] = [];
  for (let index = 0; index < counts.stalled; index++) {
    stalled.push(stall(place, index % documents));
    await sleep(25);
  }
  const startedAt = performance.now();
  let cut = 0;
  for (const { closed } of stalled)
    void closed.then(() => {
      cut += 1;
    });
  // Their answers are made by then: what is measured is what they hold, not what they cost.
  await sleep(3_000);
  const beside = await live(3);
  const told = (): number => server.output.filter((line) => line.includes('took nothing')).length;
  while (told() < counts.stalled && performance.now() - startedAt < waitSeconds * 1000) await sleep(100);
  const lastCutSeconds = (performance.now() - startedAt) / 1000;
  const mostMb = memory.stop();
  // A socket that reads nothing does not see that it was closed.
  for (const { socket } of stalled) socket.resume();
  await sleep(500);
  const result: SlowReadersRun = {
    ...counts,
    readMb,
    mostMb,
    cut,
    lastCutSeconds,
    told: told(),
    liveP99AloneMs: alone.p99Ms,
    liveP99BesideMs: beside.p99Ms,
    liveFailures: [...alone.failures, ...beside.failures],
  };
  for (const { socket } of stalled) socket.destroy();
  return result;
}

if (process.argv[2] === '--inside') {
  const place = await openLoadPlace(Number(process.argv[3]));
  try {
    console.log(JSON.stringify(await measure(place, { stalled: 200, live: 50 })));
  } finally {
    await place.close();
  }
}
