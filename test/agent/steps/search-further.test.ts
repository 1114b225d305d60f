// Where words match and nothing of it answers, somebody further is asked; where something was said, nobody is.
import { describe, expect, it } from 'vitest';
import type { FurtherSearch } from '../../../src/agent/tools/palette.ts';
import { createSearchGatherer } from '../../../src/agent/turn/gatherer.ts';
import { runTurn } from '../../../src/agent/turn.ts';
import type { Composer } from '../../../src/answer/composer.ts';
import { passageComposer } from '../../../src/answer/passages/passage-composer.ts';
import type { FootnoteEvent } from '../../../src/core/events.ts';
import type { Degradation } from '../../../src/core/search.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';
import { requestContext } from '../../../testkit/request-context.ts';

const near = 'The reservoir is near the mill, and nobody knows when it was completed.';
const far = 'The reservoir was completed in 1974 by the county.';
const texts: Readonly<Record<string, string>> = { near, far };

/** It takes nothing of what is near for an answer. */
const picky: Composer = {
  compose: (request, ports) =>
    passageComposer.compose(
      { ...request, evidence: request.evidence.filter(({ chunkId }) => chunkId !== 'near') },
      ports,
    ),
};

async function ask(further: FurtherSearch['search'] | undefined, composer: Composer = picky) {
  const events: FootnoteEvent[] = [];
  const asked: string[] = [];
  const answer = await runTurn(
    { question: 'When was the reservoir completed?', mode: 'embedded', degraded: [] },
    {
      gatherer: createSearchGatherer({
        retrieve: async () => ({
          evidence: [evidenceOf({ id: 'near', text: near })],
          routing: { sources: ['docs'], reason: 'all', asked: ['docs'] },
          degraded: [],
        }),
      }),
      readSpan: async ({ documentId, chunkId, start, end }) => ({
        ...{ documentId, chunkId, start, end, title: '', uri: '', source: 's' },
        quote: (texts[chunkId] ?? '').slice(start, end),
      }),
      composerFor: () => composer,
      contextTokens: 2000,
      spanUrl: () => '',
      ...(further && {
        further: [
          {
            name: 'search_web',
            description: '',
            search: (query: string, ...rest) => {
              asked.push(query);
              return further(query, ...rest);
            },
          } satisfies FurtherSearch,
        ],
      }),
    },
    requestContext({ sink: (event) => events.push(event) }),
  );
  return { answer, events, asked };
}

const gathering = (ids: readonly string[], degraded: readonly Degradation[] = []) => ({
  evidence: ids.map((id) => ({ ...evidenceOf({ id, text: texts[id] ?? '' }), sourceType: 'web' as const })),
  routing: { sources: ['web-search'], reason: '' },
  degraded,
  toolCalls: 1,
});

describe('a search further', () => {
  it('answers what nothing found answers', async () => {
    const { answer, events, asked } = await ask(async () => gathering(['far']));
    expect(asked).toEqual(['When was the reservoir completed?']);
    expect(answer.answer).toContain('1974');
    expect(answer.routing.asked).toEqual(['docs', 'web']);
    expect(answer.routing.reason).toContain('a search of the web was asked, too');
    expect(answer.usage.toolCalls).toBe(2);
    const streamed = events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('');
    expect(streamed).toBe(answer.answer);
  });

  it('is not made where something was said', async () => {
    const { answer, asked } = await ask(async () => gathering(['far']), passageComposer);
    expect(answer.abstained).toBe(false);
    expect(asked).toEqual([]);
  });

  it('that fails or finds nothing new leaves the answer, and is told', async () => {
    const degraded = { component: 'source:web-search', code: 'deadline-exceeded', detail: 'd', effect: 'e' };
    const plain = await ask(undefined);
    const { answer } = await ask(async () => gathering([], [degraded]));
    expect(answer).toMatchObject({ abstained: true, abstainReason: plain.answer.abstainReason });
    expect(answer.degraded).toContainEqual(degraded);
    expect(await ask(async () => gathering(['near']))).toMatchObject({ answer: { abstained: true } });
  });
});
