import { describe, expect, it } from 'vitest';
import { type Standings, standingFindings } from '../../../src/cli/remote/model-standings.ts';

type Standing = Standings['models'][number];
const at = '2026-11-26T17:00:00.000Z';
const serving: Standing = {
  model: 'compatible:writer',
  state: 'serving',
  circuit: 'closed',
  failuresInRow: 0,
  lastServedAt: at,
};
const lastFailure = { code: 'upstream-unavailable', reason: 'It cannot be reached.', at };

const told = (one: Standing) => standingFindings({ models: [one], roles: [] })[0];

describe('what the doctor says of a model', () => {
  it('is ok only where its last call succeeded', () => {
    expect(told(serving)).toMatchObject({ state: 'ok', detail: `serving, circuit closed, served last at ${at}` });
    expect(told({ ...serving, lastFailure })).toMatchObject({ state: 'ok' });
    const failed = told({ ...serving, failuresInRow: 1, lastFailure });
    expect(failed).toMatchObject({
      state: 'warning',
      detail: `still asked, failed once, circuit closed, served last at ${at}; last failure upstream-unavailable at ${at}: It cannot be reached.`,
      advice: expect.stringMatching(/go on by themselves/u),
    });
    const resting: Standing = { ...serving, state: 'failing', circuit: 'open', failuresInRow: 5, lastFailure };
    expect(told(resting)).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/^failing, failed 5 times/u),
    });
  });

  it('is a problem where somebody has to correct a setting or an account', () => {
    const refused = { ...lastFailure, code: 'config-invalid', reason: 'The key was refused.' };
    expect(told({ ...serving, state: 'failing', failuresInRow: 1, lastFailure: refused })).toMatchObject({
      state: 'problem',
      advice: expect.stringMatching(/^Do what the reason says/u),
    });
  });

  it('is nothing of one that nobody asked', () => {
    expect(standingFindings({ models: [{ ...serving, state: 'untried' }], roles: [] })).toEqual([]);
  });
});
