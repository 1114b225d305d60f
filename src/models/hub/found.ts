// Servers of models that run on this machine already, found at the ports that they usually have. Invariants: only 127.0.0.1 is asked, with two small
// requests a server, all at once; and whatever answers there, or does not, costs 300 ms and nothing else.
import { z } from 'zod';
import { joinedAbort } from '../../core/signals/joined-abort.ts';
import { openEgress } from '../../net/egress.ts';

export interface FoundServer {
  /** As `footnote models use` names it. */
  readonly name: ServerName;
  readonly title: string;
  /** Of its OpenAI-compatible API. */
  readonly address: string;
  /** Models that write, as the server names them. */
  readonly models: readonly string[];
}

interface KnownServer {
  readonly title: string;
  readonly port: number;
  /** Lists of its models, the one that tells most first. */
  readonly lists: readonly string[];
  /** Who owns the models there: others may listen at that port, and speak OpenAI's protocol too. */
  readonly owners: readonly string[];
}

/** By the words that models of theirs are named with. */
const knownServers = {
  ollama: { title: 'Ollama', port: 11434, lists: ['/api/tags'], owners: ['tags'] },
  lmstudio: {
    ...{ title: 'LM Studio', port: 1234 },
    ...{ lists: ['/api/v0/models', '/v1/models'], owners: ['llm', 'vlm', 'organization_owner'] },
  },
  llamacpp: { title: 'llama.cpp', port: 8080, lists: ['/v1/models'], owners: ['llamacpp'] },
  vllm: { title: 'vLLM', port: 8000, lists: ['/v1/models'], owners: ['vllm'] },
} as const satisfies Record<string, KnownServer>;
export type ServerName = keyof typeof knownServers;
export const serverNames = Object.keys(knownServers) as readonly ServerName[];
export type Ports = Readonly<Partial<Record<ServerName, number>>>;

const usualWaitMs = 300;
const mostBytes = 256 << 10;
const name = z.string().min(1).max(300);
/** Ollama's own list; that of OpenAI's protocol, to which LM Studio's own adds the type in place of the owner; llama.cpp has both in one. */
const listSchema = z.object({
  models: z.array(z.object({ name })).catch([]),
  data: z.array(z.object({ id: name, owned_by: z.string().optional(), type: z.string().optional() })).catch([]),
});

/** Names of models that cannot write. */
const noWriter = /embed|bge-|rerank|minilm|whisper/iu;

/** Of the API that speaks OpenAI's protocol. `ports`: others than the usual ones. */
export const addressOf = (server: ServerName, ports: Ports = {}): string =>
  `http://127.0.0.1:${ports[server] ?? knownServers[server].port}/v1`;

export interface FindOptions {
  /** Others than the usual ones. */
  readonly ports?: Ports | undefined;
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

/** Never throws. */
export async function findServers(options: FindOptions = {}): Promise<readonly FoundServer[]> {
  const { ports, waitMs = usualWaitMs, signal } = options;
  const ends = joinedAbort([AbortSignal.timeout(waitMs), ...(signal ? [signal] : [])]);
  const look = async (server: ServerName): Promise<FoundServer | undefined> => {
    const { title, lists, owners }: KnownServer = knownServers[server];
    const address = addressOf(server, ports);
    const egress = openEgress({ addresses: [address], connectTimeoutMs: waitMs, maxResponseBytes: mostBytes });
    const read = async (path: string): Promise<readonly string[]> => {
      const reply = await egress.fetch(new URL(path, address), { signal: ends.signal });
      const { models, data } = listSchema.parse(await reply.json());
      const listed = [
        ...data.map(({ id, type, owned_by: owner = '' }) => ({ id, owner: type ?? owner })),
        ...models.map((one) => ({ id: one.name, owner: 'tags' })),
      ];
      return listed.flatMap(({ id, owner }) => (owners.includes(owner) && !noWriter.test(id) ? id : []));
    };
    const told = await Promise.allSettled(lists.map(read));
    egress.close();
    const models = told.find((one) => one.status === 'fulfilled' && one.value.length > 0);
    return models?.status === 'fulfilled' ? { name: server, title, address, models: models.value } : undefined;
  };
  const found = await Promise.all(serverNames.map(look));
  ends.release();
  return found.flatMap((one) => one ?? []);
}
