// Which thing a sentence is about: by its own words, by the sentence before it, by the heads over it.
import { describe, expect, it } from 'vitest';
import { createReadAbout, type Thing } from '../../../src/agent/analyse/subject.ts';
import type { Evidence } from '../../../src/core/search.ts';
import { evidenceOf } from '../../../testkit/turn-library.ts';

const others = [evidenceOf('Beta Drives', 'Beta Drives sells drives.'), evidenceOf('Acme Foods: a profile', 'Pies.')];
const read = (thing: Partial<Thing>, evidence: Evidence): readonly string[] =>
  createReadAbout({ name: 'Acme', others: [], ...thing }, [evidence, ...others])(evidence).map(
    ({ start, end, standing }) => `${standing}: ${evidence.text.slice(start, end)}`,
  );

describe('the thing of a sentence', () => {
  it('is what it names, and not what only begins alike', () => {
    const text = 'Acme has 20 patents.\n\nAcme Foods sells pies.\n\nBeta Drives has debts.\n\nBeta Drives sued Acme.';
    expect(read({}, evidenceOf('Notes', text))).toEqual([
      'own: Acme has 20 patents.',
      'beside: Beta Drives sued Acme.',
    ]);
  });

  it('goes on from the sentence before it, else from the heads', () => {
    const text =
      'Its margin is 61 %. Beta Drives has low prices. It also has the fastest delivery.\n\nThe plant is old.';
    expect(read({}, evidenceOf('Acme: annual report', text))).toEqual([
      'own: Its margin is 61 %.',
      'own: The plant is old.',
    ]);
    expect(read({}, evidenceOf('Notes', text))).toEqual([]);
  });

  it('is told by the nearest heading that names one', () => {
    const text = '# Acme: annual report\n\nThe plant is old.\n\n## Beta Drives\n\nThe plant is new.';
    expect(read({}, evidenceOf('Acme: annual report', text))).toEqual(['own: The plant is old.']);
  });

  it('is told by all words of a topic that has no name', () => {
    const text = 'Robots for the warehouse cost less.\n\nRobots dance.';
    expect(read({ name: 'warehouse robots' }, evidenceOf('Notes', text))).toEqual([
      'own: Robots for the warehouse cost less.',
    ]);
  });
});
