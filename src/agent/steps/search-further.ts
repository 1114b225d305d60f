// The step of a turn that asks further, such as the web, where no claim could be made of what was found: enough words may match and nothing
// of it answer. Invariant: it is taken only while nothing was said, so that nothing is taken back; what it finds nothing new in changes nothing.

import type { FurtherSearch } from '../tools/palette.ts';
import type { Composed, TurnContext } from '../turn/turn-state.ts';
import { type ComposeOptions, type ComposeStepPorts, compose, quietly } from './compose.ts';
import { createFindings } from './gather.ts';

export interface FurtherPorts {
  /** What else can be searched; absent: nothing. */
  readonly further?: readonly FurtherSearch[] | undefined;
}

/** Passages of each look. */
const wanted = 10;
/** Less time than this is left for the answer. */
const leastMs = 1000;

export async function searchFurther(
  state: Composed,
  ports: ComposeStepPorts & ComposeOptions & FurtherPorts,
  context: TurnContext,
): Promise<Composed> {
  const { further = [] } = ports;
  const { findings, rendered, request } = state;
  // A draft that is held shows nothing yet.
  const said = ports.releasing?.claims ?? rendered.claims;
  const { sink, deadline, timed } = context;
  if (further.length === 0 || said.length > 0 || deadline.remainingMs() < leastMs) return state;
  sink({ type: 'status', stage: 'searching' });
  const quiet = { ...context, sink: quietly(sink) };
  const found = await timed('furtherMs', () =>
    Promise.all(further.map((one) => one.search(request.question, wanted, quiet))),
  );
  const known = new Set(findings.evidence().map(({ chunkId }) => chunkId));
  const evidence = found.flatMap((one) => one.evidence).filter(({ chunkId }) => !known.has(chunkId));
  for (const one of found) findings.add({ ...one, evidence: [] });
  if (evidence.length === 0) return state;
  const routing = findings.routing();
  const kinds = [...new Set(evidence.map(({ sourceType }) => sourceType))];
  const wider = createFindings({
    evidence: [...evidence, ...findings.evidence()],
    routing: {
      ...routing,
      reason: `${routing.reason}; nothing found there answers, so a search of the ${kinds.join(', ')} was asked, too`,
      asked: [...new Set([...(routing.asked ?? []), ...kinds])],
    },
    degraded: findings.degraded(),
    toolCalls: findings.toolCalls(),
    ...(findings.usedFallback() && { usedFallback: true }),
  });
  return compose({ ...state, findings: wider }, ports, context);
}
