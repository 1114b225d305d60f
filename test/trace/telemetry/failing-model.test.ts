// A model that fails is a leg like a store that does: its share, since when, and what each call costs.
import { expect, it } from 'vitest';
import type { LoggedEvent, PortCall } from '../../../src/core/events.ts';
import { figuresOf } from '../../../src/trace/telemetry/finished.ts';
import { judge } from '../../../src/trace/telemetry/thresholds.ts';
import { createFigureWindow } from '../../../src/trace/telemetry/window.ts';

const requestWith = (error?: PortCall['error']) =>
  figuresOf({
    traceId: 'trc_1',
    kind: 'ask',
    startedAt: '2026-11-24T12:00:00.000Z',
    totalMs: 50,
    outcome: 'answered',
    events: [
      {
        event: {
          type: 'call',
          call: {
            port: 'answer.model',
            method: 'write',
            request: { model: 'openai:writer' },
            latencyMs: 40,
            ...(error && { error }),
          },
        },
      },
    ] as unknown as readonly LoggedEvent[],
  });

it('is told by the alert of legs until it serves again, and not where a request was called off', () => {
  let ms = 0;
  const window = createFigureWindow({ elapsedMs: () => ms });
  const told = () => judge(window.sums()).find(({ name }) => name === 'FootnoteLegDegraded');
  for (let n = 0; n < 3; n += 1) window.add(requestWith());
  window.add(requestWith({ code: 'cancelled', message: 'The caller left.' }));
  expect(told()).toMatchObject({ state: 'ok', value: 0 });
  for (let n = 0; n < 3; n += 1) {
    window.add(requestWith({ code: 'upstream-unavailable', message: 'It does not answer.' }));
    ms += 4000;
  }
  expect(told()).toMatchObject({ state: 'firing', value: 0.5 });
  expect(told()?.detail).toBe(
    'model.answer (without a success for 12 s): 3 of 6 calls of the last two minutes failed (upstream-unavailable); 3 of 7 requests went without it and spent 40 ms on each such call',
  );
  window.add(requestWith());
  expect(told()?.detail).toMatch(/^model\.answer \(it serves again\): 3 of 7 /u);
});
