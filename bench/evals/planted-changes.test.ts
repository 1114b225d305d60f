// What the bench of planted changes replaces stands in the program: a change of the program that moves it is seen here, not when the bench runs next.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { regressions, sameAsBefore } from './planted-changes.ts';

const source = join(import.meta.dirname, '../../src');

describe('planted changes', () => {
  it('find what they replace, once each', () => {
    const unfitting = [...regressions, ...sameAsBefore].filter(
      ({ file, find }) =>
        file !== undefined && find !== undefined && readFileSync(join(source, file), 'utf8').split(find).length !== 2,
    );
    expect(unfitting.map(({ name, file }) => `${name}: ${file}`)).toEqual([]);
  });
});
