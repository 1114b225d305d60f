import { describe, expect, it } from 'vitest';
import * as classes from '../../../src/text/language/code-classes.ts';

describe('codeClasses', () => {
  it('is what the Unicode properties say of every code unit', () => {
    const table = classes.codeClasses();
    const wrong: number[] = [];
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code);
      let expected: number = classes.other;
      if (/[\p{Lu}\p{Lt}]/u.test(character)) expected = classes.upper;
      else if (/\p{Ll}/u.test(character)) expected = classes.lower;
      else if (/\p{L}/u.test(character)) expected = classes.caseless;
      else if (/\p{M}/u.test(character)) expected = classes.mark;
      else if (/\p{N}/u.test(character)) expected = classes.number;
      else if (/[\r\n]/u.test(character)) expected = classes.lineEnd;
      else if (/\s/u.test(character)) expected = classes.space;
      else if (/\p{Surrogate}/u.test(character)) expected = classes.surrogate;
      if (table[code] !== expected) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });
});
