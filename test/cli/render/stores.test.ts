import { describe, expect, it } from 'vitest';
import { encoderOf } from '../../../src/cli/render/stores.ts';

describe('encoderOf', () => {
  const told = (state: 'waiting' | 'encoding' | 'ready' | 'too-many' | 'unavailable'): string =>
    encoderOf({ vectors: { state: 'ready', chunks: 300, embedded: 300, encoder: { state, embedded: 120 } } });

  it('tells how far it is, and why it does not come', () => {
    expect(told('encoding')).toBe('The sentence encoder has read 120 of 300 chunks for search by meaning.');
    expect(told('too-many')).toContain('would take this machine too long');
    expect(told('unavailable')).toContain('does not run here');
  });

  it('is silent where there is nothing to tell', () => {
    expect([told('ready'), told('waiting'), encoderOf({})]).toEqual(['', '', '']);
    expect(encoderOf({ vectors: { state: 'off', chunks: 3, embedded: 0 } })).toBe('');
  });
});
