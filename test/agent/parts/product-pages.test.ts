// Pages that are each about one thing, which their tables do not name: what is asked of several of them is told of the right one, from the question to the
// checked answer.
import { describe, expect, it } from 'vitest';
import { createRulePlanner } from '../../../src/agent/plan/planner.ts';
import { createSearchGatherer } from '../../../src/agent/turn/gatherer.ts';
import { askLibrary, openLibrary } from '../../../testkit/turn-library.ts';

const library = openLibrary({
  Kestrel: `Kestrel is a deployment tool. It was first released in March 2019.

Kestrel supports rolling updates and audit logs.

| Plan | Price per month | Retention |
|---|---|---|
| Free | $0 | 3 days |
| Team | $29 | 30 days |
`,
  Heron: `Heron is a deployment tool. Heron came to market in 2021.

Heron supports single sign-on.

| Plan | Price per month | Retention |
|---|---|---|
| Team | $49 | 90 days |
| Cloud | $20 | 7 days |
`,
});

async function ask(question: string) {
  const gatherer = createSearchGatherer(library.retriever);
  const { answer } = await askLibrary(question, library, {
    ports: { planner: createRulePlanner({ threshold: 0.6, most: 8 }), gatherer },
  });
  return answer;
}

describe('pages about one thing each', () => {
  it('tell the price of one, and nothing of the other', async () => {
    const answer = await ask('How much does the Team plan of Kestrel cost?');
    expect(answer.citations.map(({ title }) => title)).toEqual(['Kestrel']);
    const [claim] = answer.claims;
    expect(claim?.text.slice(claim.pinpoint?.start, claim.pinpoint?.end)).toBe('| Team | $29 | 30 days |');
    expect(answer.conflicts).toEqual([]);
  });

  it('are compared, each part by the page of its thing', async () => {
    const answer = await ask('Compare Kestrel and Heron in retention and features, and say which came first.');
    expect(answer.parts?.map(({ claims }) => claims)).toEqual([[1], [1], [2], [2], [1], [2]]);
    expect(answer.claims.map(({ headingPath }) => headingPath?.[0])).toEqual(['Kestrel', 'Heron']);
    expect(answer.answer).not.toContain('Not answered');
    expect(answer.conflicts).toEqual([]);
  });
});
