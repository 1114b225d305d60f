import { describe, expect, it } from 'vitest';
import { isBareLink } from '../../src/text/pointers.ts';

describe('pieces that are only a link', () => {
  it.each(['[Hooks](./Hooks.md)', '![](tide.png)', '* <https://example.org/tides>'])('%s', (piece) => {
    expect(isBareLink(piece)).toBe(true);
  });

  it.each(['See [Hooks](./Hooks.md).', 'The pump stops.', '- -'])('says something: %s', (piece) => {
    expect(isBareLink(piece)).toBe(false);
  });
});
