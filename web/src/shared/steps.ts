// What goes on while an answer is made, in plain words.
import type { StreamEvent } from './contract.ts';

export const stageTexts: Readonly<Record<string, string>> = {
  understanding: 'Reading the question…',
  searching: 'Searching…',
  reading: 'Reading passages…',
  waiting: 'Waiting for the model, which writes for others first…',
  answering: 'Writing the answer…',
  verifying: 'Checking every claim…',
};

/** One line for an event, undefined for those that say nothing to a reader. */
export function stepOf(event: StreamEvent): string | undefined {
  switch (event.type) {
    case 'status':
      return stageTexts[event.stage] ?? event.stage;
    case 'intent':
      return `Understood as: ${event.intent.replaceAll('_', ' ')} (${event.reason})`;
    case 'decomposition':
      return `Taken apart into ${event.subQueries.length} questions: ${event.subQueries.map(({ query }) => query).join(' · ')}`;
    case 'routing':
      return `Where to search: ${event.reason}`;
    case 'retrieval':
      return `Searched in mode ${event.mode}: ${event.resultCount} passages in ${Math.round(event.latencyMs)} ms`;
    case 'reranking':
      return `Put ${event.outputCount} of ${event.inputCount} passages in order by ${event.method}`;
    case 'assessment':
      return `Looked at what was found: ${event.reason}`;
    case 'semantic_memory':
      return event.recalled > 0 ? `Recalled ${event.recalled} memories` : undefined;
    default:
      return undefined;
  }
}
