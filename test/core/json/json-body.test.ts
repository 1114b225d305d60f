// Untrusted JSON: the depth is what JSON.parse would build, and nothing with a prototype key gets through.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonBody } from '../../../src/core/json/json-body.ts';
import { jsonShape } from '../../../src/core/json/json-shape.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const inner = Object.values(value).map(countOf);
  return inner.reduce((sum, count) => sum + count, inner.length === 0 ? 2 : 1);
}

describe('jsonShape', () => {
  it('counts what a parser would nest', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonShape(JSON.stringify(value))).toEqual({ depth: depthOf(value), values: countOf(value) });
      }),
    );
  });
  it('is not fooled by brackets and quotes in strings', () => {
    expect(jsonShape(JSON.stringify({ a: '[[,[{"\\"[', b: '\\' }))).toEqual({ depth: 1, values: 3 });
    expect(jsonShape('["\\\\",["\\\\\\"",[]],"[[[[')).toEqual({ depth: 3, values: 7 });
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
  it('refuses more values than schemas can check in one turn, unparsed', () => {
    const list = (length: number) => Buffer.from(JSON.stringify(Array.from({ length }, () => 0)));
    expect(parseJsonBody(list(20_000))).toHaveLength(20_000);
    expect(() => parseJsonBody(list(30_000))).toThrow('more than 30000 values');
    expect(() => parseJsonBody(Buffer.from(`[${'x,'.repeat(30_000)}`))).toThrow('more than 30000 values');
    const words = Buffer.from(JSON.stringify({ text: 'a, b, '.repeat(50_000) }));
    expect(parseJsonBody(words)).toHaveProperty('text');
  });
});
