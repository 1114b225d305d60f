// An analysis of which no section is written in time: an end with its reason, no error; what failed otherwise stays an error.
import { describe, expect, it } from 'vitest';
import { runAnalysis } from '../../../src/agent/analyse/analyse.ts';
import { createSearchGatherer } from '../../../src/agent/turn/gatherer.ts';
import { createDeadline, type Deadline } from '../../../src/core/deadline.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { Retriever } from '../../../src/retrieval/retrieve.ts';
import { requestContext } from '../../../testkit/request-context.ts';

const analyse = (retriever: Retriever, deadline: Deadline) =>
  runAnalysis(
    { kind: 'swot', subject: 'Acme Robotics' },
    {
      gatherer: createSearchGatherer(retriever),
      readSpan: async () => undefined,
      contextTokens: 2000,
      spanUrl: (id) => `http://x/${id}`,
      defaultMode: 'embedded',
    },
    requestContext({ deadline }),
  );

describe('an analysis out of time', () => {
  it('names each section as missing, and says why', async () => {
    const deadline = createDeadline(1_500);
    const never: Retriever = {
      retrieve: () => new Promise(() => undefined),
    };
    const answer = await analyse(never, deadline);
    expect(answer).toMatchObject({ abstained: true, claims: [] });
    expect(answer.abstainReason).toMatch(/longer than a part|took all of the time/u);
    expect(answer.sections?.map(({ missing }) => missing !== undefined)).toEqual([true, true, true, true]);
    expect(answer.degraded.filter(({ code }) => code === 'deadline-exceeded')).toHaveLength(4);
  });

  it('is an error where the record failed', async () => {
    const broken: Retriever = {
      retrieve: () => Promise.reject(new FootnoteError('data-corrupt', 'The record is damaged.')),
    };
    await expect(analyse(broken, createDeadline(60_000))).rejects.toMatchObject({ code: 'data-corrupt' });
  });
});
