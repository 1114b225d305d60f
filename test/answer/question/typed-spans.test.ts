// Where something is: a name behind a preposition, and the place of the whole, not that of a region.
import { describe, expect, it } from 'vitest';
import { analyzeQuestion } from '../../../src/answer/question/question.ts';
import { typeFit } from '../../../src/answer/question/typed-spans.ts';

const fits = (question: string, piece: string): number => typeFit(analyzeQuestion(question), piece);

describe('a place', () => {
  it('is told by a name behind a preposition, not by any word there, nor by a month', () => {
    const asked = 'Where is Lumen headquartered?';
    expect(fits(asked, 'The headquarters of Lumen are in Los Gatos.')).toBe(1);
    expect(fits(asked, 'The lease of Lumen, a Delaware company, ends in several years.')).toBeLessThan(1);
    expect(fits(asked, 'The headquarters of Lumen moved in January.')).toBeLessThan(1);
  });
  it('of a region is not the plain one, unless the question asks for it', () => {
    const piece = 'The European headquarters of Lumen moved to Amsterdam.';
    expect(fits('Where is Lumen headquartered?', piece)).toBeLessThan(0.2);
    expect(fits('Where is the European headquarters of Lumen?', piece)).toBe(1);
    const both = 'Our headquarters are in Los Gatos and our European headquarters in Amsterdam.';
    expect(fits('Where is Lumen headquartered?', both)).toBe(1);
  });
});

describe('a version', () => {
  it('is told by one that the question does not name', () => {
    const asked = 'Which host versions does Kestrel v5 support?';
    expect(fits(asked, 'Kestrel v5 runs on v20 of its host.')).toBe(1);
    expect(fits(asked, 'Kestrel v5 needs a newer version of its host.')).toBeLessThan(0.5);
    expect(fits('Which release of Tern is the oldest?', 'Tern 0.9.1 is the oldest one.')).toBe(1);
  });
});

describe('a person', () => {
  it('is not told by the name of a page or a table', () => {
    const asked = 'Who is the chief engineer of Lumen?';
    expect(fits(asked, 'Chief Engineer EXHIBIT 31.2')).toBe(0);
    expect(fits(asked, 'Edith Mora is the chief engineer of Lumen.')).toBe(1);
  });
});
