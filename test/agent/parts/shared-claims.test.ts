// A claim that answered one part answers another that asks nothing that it does not say; answers under a question are read with it.
import { describe, expect, it } from 'vitest';
import type { AskedPart } from '../../../src/agent/parts/ask-part.ts';
import { withSharedFinds } from '../../../src/agent/parts/shared-finds.ts';
import { headingsOver } from '../../../src/agent/parts/told.ts';
import { evidenceOf, openLibrary } from '../../../testkit/turn-library.ts';

const text = 'Acme Pumps was founded in 1987 by the brothers Owen and Rhys Holt.';
const passage = evidenceOf('Firm', text);
const { readSpan } = openLibrary({ Firm: text });

async function shared(other: string, closest?: string) {
  const { documentId, chunkId } = passage;
  const span = await readSpan({ documentId, chunkId, start: 0, end: text.length });
  const part = (question: string, claims: readonly unknown[]) => ({
    ok: true as const,
    result: {
      ...{ id: question, question, asked: question, claims, findings: { evidence: () => [passage] } },
      ...{ composition: { confidence: 0.5, coverage: 1 }, ...(closest !== undefined && { closest }) },
    } as unknown as AskedPart,
  });
  const asked = ['When was Acme Pumps founded?', other];
  const outcomes = [
    part('When was Acme Pumps founded?', [{ text, spans: [span], support: 1, relevance: 1 }]),
    part(other, []),
  ];
  const subQueries = asked.map((query, at) => ({ id: String(at + 1), query, dependencies: [] }));
  const { signal } = new AbortController();
  const [, second] = await withSharedFinds(outcomes, subQueries, { readSpan, signal });
  return second?.ok ? second.result.claims.map((claim) => claim.text) : undefined;
}

describe('claims of other parts', () => {
  it('answer a part that they say all of, and are of the kind that it asks for', async () => {
    expect(await shared('By whom was Acme Pumps founded?')).toEqual([text]);
    expect(await shared('By whom was Acme Pumps bought?')).toEqual([]);
    expect(await shared('For how much was Acme Pumps founded?')).toEqual([]);
    // What only comes closest answers nothing else.
    expect(await shared('By whom was Acme Pumps founded?', 'It only comes closest.')).toEqual([]);
  });
});

describe('headings over a claim', () => {
  it('are the nearest heading or question before it', () => {
    expect(headingsOver(['# Questions\n\n### Do you deliver?\nYes.\n\n'])).toEqual(['### Do you deliver?']);
    expect(headingsOver(['**How long are orders kept?**\n'])).toEqual(['**How long are orders kept?**']);
    expect(headingsOver(['We asked. They came.\n'])).toEqual([]);
  });
});
