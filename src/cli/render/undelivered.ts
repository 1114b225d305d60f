// What stores beside the record lack when reading has ended, as a search that they take part in tells it, with why and what to do.
import type { Degradation } from '../../core/search.ts';
import { notDelivered } from '../../footnote/beside/undelivered.ts';
import type { Footnote } from '../../footnote/facade.ts';
import { plural } from './render.ts';

type Stores = Pick<Footnote['stores'], 'list' | 'deliveries' | 'sync'>;

/** Of each store beside the record that lacks documents. */
async function lackingIn(stores: Stores) {
  return (await stores.list()).flatMap(({ name, deliveries }) => {
    const lacks = deliveries ? deliveries.pending + deliveries.failed : 0;
    return deliveries && lacks > 0 ? [{ ...deliveries, name, lacks }] : [];
  });
}
type Lacking = Awaited<ReturnType<typeof lackingIn>>[number];

async function reasonOf(stores: Stores, { name, failure, failed }: Lacking): Promise<string> {
  if (failure !== undefined || failed === 0) return failure ?? '';
  const [first] = (await stores.deliveries(name, { status: 'failed', limit: 1 })).data;
  return first?.lastError ?? '';
}

export async function findUndelivered(stores: Stores): Promise<readonly Degradation[]> {
  const lacking = await lackingIn(stores);
  return Promise.all(
    lacking.map(async (one) => {
      const { name, lacks, paused } = one;
      const reason = paused ? 'It is paused.' : await reasonOf(stores, one);
      const verb = paused ? 'resume' : 'sync';
      const detail = `It lacks ${plural(lacks, 'document')}${reason === '' ? '' : `: ${reason}`}`;
      const then = `Then "footnote stores ${verb} ${name}" brings ${lacks === 1 ? 'it' : 'them'} at once.`;
      return notDelivered(name, `${detail.replace(/[^.]$/u, '$&.')} ${then}`);
    }),
  );
}

/** Brings now what stores lack that take something. */
export async function bringUndelivered(stores: Stores, signal: AbortSignal): Promise<void> {
  for (const { name, paused } of await lackingIn(stores)) if (!paused) await stores.sync(name, signal);
}
