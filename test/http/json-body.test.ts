// Untrusted JSON: the depth is what JSON.parse would build, and nothing with a prototype key gets through.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonDepth, parseJsonBody } from '../../src/http/json-body.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('jsonDepth', () => {
  it('counts what a parser would nest', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonDepth(JSON.stringify(value))).toBe(depthOf(value));
      }),
    );
  });
  it('is not fooled by brackets and quotes in strings', () => {
    expect(jsonDepth(JSON.stringify({ a: '[[[{"\\"[', b: '\\' }))).toBe(1);
  });
});

describe('parseJsonBody', () => {
  it('yields what JSON.parse yields', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        if (text.includes('__proto__')) return;
        expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });
  it('takes an empty body and a byte order mark', () => {
    expect(parseJsonBody(Buffer.from('  '))).toBeUndefined();
    expect(parseJsonBody(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 });
  });
  it('refuses a million brackets without a stack as deep', () => {
    expect(() => parseJsonBody(Buffer.from('['.repeat(1_000_000)))).toThrow('64');
  });
});
