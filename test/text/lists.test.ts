import { describe, expect, it } from 'vitest';
import { announcesList, askedList, holdsList, listFit, listFits } from '../../src/text/lists.ts';

describe('what a question wants listed', () => {
  it.each([
    ['Which hooks does the pump have?', 'hooks'],
    ['What export formats are supported?', 'formats'],
    ['What are the values of the charter?', 'values'],
    ['List the stations in the north.', 'stations'],
    ['Which of the boats is the fastest?', undefined],
    ['What is a class?', undefined],
    ['Which does it need?', undefined],
    ['Who owns the boats?', undefined],
  ])('%s', (question, head) => {
    expect(askedList(question)).toBe(head);
  });
});

describe('how far a piece lists it', () => {
  it.each([
    ['The pump has the hooks start, stop and drain.', listFits.listed],
    ['Hooks: start, stop, drain, flush', listFits.listed],
    ['There is a start hook and a stop hook.', listFits.pair],
    ['A hook runs before the pump starts.', listFits.none],
    ['If a hook fails, the pump stops, and the operator has to be told by a message.', listFits.pair],
    ['You have to set a hook before the start, otherwise, the pump does not wait.', listFits.none],
    ['The valves are red, green and blue.', listFits.none],
  ])('%s', (piece, fit) => {
    expect(listFit('hooks', piece, false)).toBe(fit);
  });

  it('counts an announcement only where something stands below', () => {
    expect(listFit('hooks', 'There are two hooks:', true)).toBe(listFits.listed);
    expect(listFit('hooks', 'There are two hooks:', false)).toBe(listFits.none);
    expect(announcesList('hooks', 'There are two hooks:')).toBe(true);
    expect(announcesList('hooks', 'There are two valves:')).toBe(false);
  });

  it('finds the list in a passage', () => {
    expect(holdsList('hooks', 'Pumps wait. There\nare two hooks:\n\n- start\n- stop\n')).toBe(true);
    expect(holdsList('hooks', 'Hooks are useful. There are two valves:\n\n- inlet\n- outlet\n')).toBe(false);
    expect(holdsList('hooks', 'There are two hooks: they are old.')).toBe(false);
  });
});
