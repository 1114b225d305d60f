// Many who come to a long step at once have a turn of the event loop each.
import { describe, expect, it } from 'vitest';
import { ownTurn } from '../../src/core/waiting/pieces.ts';

/** In which turns of the event loop `count` who come together go on. */
async function turnsOf(count: number): Promise<number[]> {
  let turn = 0;
  let isCounting = true;
  const tick = (): void => {
    turn += 1;
    if (isCounting) setImmediate(tick);
  };
  setImmediate(tick);
  const turns: number[] = [];
  await Promise.all(
    Array.from({ length: count }, async () => {
      await ownTurn();
      turns.push(turn);
    }),
  );
  isCounting = false;
  return turns;
}

describe('a turn of the event loop of one’s own', () => {
  it('is given to each of many who come at once, in their order', async () => {
    const turns = await turnsOf(50);
    expect(new Set(turns).size).toBe(50);
    expect(turns).toEqual(turns.toSorted((a, b) => a - b));
  });

  it('is the present one for who comes alone', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(ownTurn()).toBeUndefined();
    expect(ownTurn()).toBeInstanceOf(Promise);
  });
});
