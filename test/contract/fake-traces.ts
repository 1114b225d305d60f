// The traces of the stand-in for Footnote that contract tests open a door to.
import { FootnoteError } from '../../src/core/errors.ts';
import { readTraceFile, type SavedTrace } from '../../src/core/trace-file.ts';
import type { Traces } from '../../src/footnote/facade/traces.ts';

export function createFakeTraces(kept: Map<string, SavedTrace>, at: string): Traces {
  const get = (id: string): SavedTrace => {
    const found = kept.get(id);
    if (!found) throw new FootnoteError('not-found', `There is no trace "${id}".`);
    return found;
  };
  return {
    get: async (id) => get(id),
    async ofSession(sessionId) {
      const traces = [...kept.values()].filter(({ trace }) => trace.sessionId === sessionId);
      if (traces.length === 0) get(sessionId);
      return { sessionId, traces };
    },
    async list({ filter = {} }) {
      const all = [...kept.values()].map(({ trace }) => trace).reverse();
      return { data: all.filter(({ sessionId }) => (filter.sessionId ?? sessionId) === sessionId) };
    },
    export: async (id) => ({
      format: 'footnote-trace',
      version: 1,
      exportedAt: at,
      program: 'test',
      id,
      traces: [get(id)],
    }),
    async import(file) {
      const { traces } = readTraceFile(file);
      return traces.map(({ trace, events }) => {
        const pinned = { ...trace, pinned: true as const };
        kept.set(trace.id, { trace: pinned, events });
        return pinned;
      });
    },
    async replay(id) {
      get(id);
      return {
        against: 'record',
        traceId: id,
        same: true,
        sameCalls: true,
        recordedBy: 'test',
        replayedBy: 'test',
        divergences: [],
      };
    },
    pin: async (id) => get(id).trace,
  };
}
