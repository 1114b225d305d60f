import { expect, it } from 'vitest';
import { defined } from '../../../src/core/values/defined.ts';

it('leaves out what is undefined, keeps all else, and the order', () => {
  const given: { b?: number } = {};
  const object = defined({ z: 0, b: given.b, a: null, text: '', no: false });
  expect(JSON.stringify(object)).toBe('{"z":0,"a":null,"text":"","no":false}');
  expect('b' in object).toBe(false);
});
