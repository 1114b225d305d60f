// A stand-in of a hosted store in a process of its own, so that what it costs is not in the figures of the program; told over the process
// channel how it is to answer.
// Usage: node bench/stores/stand-in-process.ts openai|azure|firestore, started by stand-ins.ts alone.
import { openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import type { FaultKind } from '../../testkit/faulty-server.ts';
import { openFirestoreRest } from '../../testkit/firestore-rest.ts';
import type { Fault } from '../../testkit/openai/faults.ts';
import { openOpenaiSimulator, simulatorKey } from '../../testkit/openai/openai-simulator.ts';
import type { StandInReply, StandInWish, WayToBeDead } from './stand-ins.ts';

interface StandIn {
  readonly environment: Readonly<Record<string, string>>;
  readonly requests: () => number;
  apply(wish: StandInWish): void;
}

const served: Readonly<Record<WayToBeDead, FaultKind>> = {
  silent: 'silent',
  'slow headers': 'slow-headers',
  '503': 'status-503-told',
  drip: 'drip',
};
const simulated: Readonly<Record<WayToBeDead, Fault>> = {
  silent: 'silent',
  'slow headers': 'slow-headers',
  '503': 503,
  drip: 'drip',
};

async function open(kind: string | undefined): Promise<StandIn> {
  if (kind === 'openai') {
    const simulator = await openOpenaiSimulator({ slowMs: 60_000 });
    return {
      environment: { VECTOR_STORE: 'openai', OPENAI_API_KEY: simulatorKey, OPENAI_BASE_URL: simulator.address },
      requests: () => simulator.calls.length,
      apply({ delayMs, dead }) {
        simulator.setDelay(delayMs);
        simulator.setFault(dead && (() => simulated[dead]));
      },
    };
  }
  const azure = kind === 'azure' ? await openAzureSearch() : undefined;
  const firestore = azure ? undefined : await openFirestoreRest();
  const server = (azure ?? firestore)?.server;
  if (!server) throw new Error('There is no such stand-in.');
  return {
    environment: azure
      ? { AZURE_SEARCH_ENDPOINT: azure.address, AZURE_SEARCH_API_KEY: azure.apiKey }
      : { FIRESTORE_PROJECT_ID: 'demo', FIRESTORE_EMULATOR_HOST: firestore?.host ?? '' },
    requests: () => server.requests.length,
    apply({ delayMs, dead }) {
      server.delayMs = delayMs;
      server.fault = () => dead && served[dead];
    },
  };
}

const standIn = await open(process.argv[2]);
const say = (): void => {
  const reply: StandInReply = { environment: standIn.environment, requests: standIn.requests() };
  process.send?.(reply);
};
process.on('message', (wish: StandInWish) => {
  standIn.apply(wish);
  say();
});
process.on('disconnect', () => process.exit(0));
say();
