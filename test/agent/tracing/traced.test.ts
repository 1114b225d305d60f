// What is kept of a request when it ends: with a result its trace is durable before the reply leaves; of what came to nothing the reply goes first.
import { describe, expect, it } from 'vitest';
import { createTracing, type TraceKeeping } from '../../../src/agent/tracing/traced.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { RequestKind } from '../../../src/core/events.ts';
import { requestContext } from '../../../testkit/request-context.ts';

function open() {
  const saved: string[] = [];
  const keep = (way: string) => async (): Promise<void> => {
    saved.push(way);
  };
  const traces: TraceKeeping = { save: keep('before the reply'), saveSoon: keep('behind the reply') };
  const { scope, budget, clock, ids } = requestContext();
  const run = createTracing({
    scope,
    clock,
    ids,
    record: { traces },
    openBudget: async () => budget,
    timeoutMs: 1_000,
  });
  const ask = (kind: RequestKind, work: () => Promise<string>) =>
    run({ kind, body: {}, call: {}, told: () => ({}) }, work);
  return { saved, ask };
}

describe('the trace of a request', () => {
  it('is kept before the reply leaves, with what the request has made', async () => {
    const { saved, ask } = open();
    await ask('ask', async () => 'an answer');
    expect(saved).toEqual(['before the reply']);
  });

  it('is kept behind the reply where nothing else is kept: of a search, and of what failed', async () => {
    const { saved, ask } = open();
    await ask('search', async () => 'hits');
    const late = new FootnoteError('deadline-exceeded', 'There was no time.');
    await expect(ask('ask', () => Promise.reject(late))).rejects.toBe(late);
    expect(saved).toEqual(['behind the reply', 'behind the reply']);
  });
});
