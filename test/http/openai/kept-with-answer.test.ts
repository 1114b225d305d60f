// A response is written while its answer is, so that both share a commit, and its end is told when both are there. What could not be kept of the answer
// stands in what is told and in what is kept.
import { describe, expect, it } from 'vitest';
import type { KeptReply } from '../../../src/http/wire/http-types.ts';
import { createFakeApp } from '../../contract/fake-app.ts';
import { createFakeSystem } from '../../contract/fake-footnote.ts';

/** An app whose replies are kept when the test says so. */
function open() {
  const kept: KeptReply[] = [];
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const port = createFakeSystem().idempotency({ tenant: 't', principal: { id: 'p', role: 'reader', groups: [] } });
  const { app, system } = createFakeApp({
    idempotency: () => ({
      ...port,
      async finish(_route, _key, reply) {
        kept.push(reply);
        asked.resolve();
        await gate.promise;
      },
      async replace(_route, _key, reply) {
        kept.push(reply);
      },
    }),
  });
  const ask = () =>
    app.inject({ method: 'POST', url: '/v1/responses', payload: { model: 'footnote', input: 'How tall?' } });
  return { app, system, ask, kept, release: gate.resolve, whenAsked: asked.promise };
}

interface Told {
  readonly store: boolean;
  readonly footnote: { readonly degraded: readonly { readonly code: string }[] };
}

describe('a response that is kept', () => {
  it('is written before its answer has ended, and told when it is written', async () => {
    const { app, system, ask, kept, release, whenAsked } = open();
    system.answerWith = async (_request, { onEvent }, honest) => {
      const answer = honest();
      onEvent?.({ type: 'done', answer });
      // The answer itself is still being kept.
      await whenAsked;
      return answer;
    };
    let isTold = false;
    const reply = ask().then((given) => {
      isTold = true;
      return given;
    });
    await whenAsked;
    await new Promise(setImmediate);
    expect([kept.length, isTold]).toEqual([1, false]);
    release();
    expect((await reply).json<Told>().store).toBe(true);
    expect(kept).toHaveLength(1);
    await app.close();
  });

  it('is written once more where something of the answer could not be kept', async () => {
    const { app, system, ask, kept, release } = open();
    release();
    system.answerWith = async (_request, { onEvent }, honest) => {
      const answer = honest();
      onEvent?.({ type: 'done', answer });
      const lost = { component: 'record', code: 'storage-full', detail: 'Full.', effect: 'It is not kept.' };
      return { ...answer, degraded: [...answer.degraded, lost] };
    };
    const told = (await ask()).json<Told>();
    expect(told.footnote.degraded.map(({ code }) => code)).toContain('storage-full');
    const { response } = JSON.parse(kept.at(-1)?.body ?? '{}') as { response: Told };
    expect([kept.length, response.footnote.degraded]).toEqual([2, told.footnote.degraded]);
    await app.close();
  });
});
