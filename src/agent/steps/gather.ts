// The step of a turn that finds what there is to answer from. Invariant: what further looks find is added to what is known, each chunk
// once, and what they had to leave out is told once.
import type { Degradation, Evidence } from '../../core/search.ts';
import { withKept } from '../../retrieval/told-routing.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import type { Findings, Gathered, Gathering, TurnContext, Understood } from '../turn/turn-state.ts';

export interface GatherPorts {
  readonly gatherer: Gatherer;
}

export async function gather(state: Understood, { gatherer }: GatherPorts, context: TurnContext): Promise<Gathered> {
  context.sink({ type: 'status', stage: 'searching' });
  const first = await context.timed('retrievalMs', () => gatherer.gather(state, context));
  return { ...state, findings: createFindings(first) };
}

/** What a first look found, to grow. */
export function createFindings(first: Gathering): Findings {
  const evidence: Evidence[] = [...first.evidence];
  const degraded: Degradation[] = [...first.degraded];
  let { routing, toolCalls, usedFallback = false } = first;
  return {
    first: first.evidence,
    routing: () => routing,
    evidence: () => evidence,
    degraded: () => degraded,
    toolCalls: () => toolCalls,
    usedFallback: () => usedFallback,
    add(more) {
      routing = withKept(routing, more.routing);
      toolCalls += more.toolCalls;
      usedFallback ||= more.usedFallback === true;
      const known = new Set(evidence.map(({ chunkId }) => chunkId));
      evidence.push(...more.evidence.filter(({ chunkId }) => !known.has(chunkId)));
      for (const one of more.degraded)
        if (!degraded.some(({ component, code }) => component === one.component && code === one.code))
          degraded.push(one);
    },
  };
}
