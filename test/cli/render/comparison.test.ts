// What `footnote compare` prints: ranks and scores of every mode side by side, how far modes agree, and what they lacked.
import { describe, expect, it } from 'vitest';
import { compareSearches, renderComparison } from '../../../src/cli/render/comparison.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';
import type { Degradation, Mode, SearchResponse } from '../../../src/core/search.ts';

const note: Degradation = { component: 'vector', code: 'training', detail: 'Being learned.', effect: 'Words only.' };

function response(mode: Mode, ids: readonly string[], degraded: readonly Degradation[] = []): SearchResponse {
  const results = ids.map((chunkId, place) => ({
    chunkId,
    title: `Title ${chunkId}`,
    headingPath: [`Title ${chunkId}`, 'Part'],
    page: 2,
    score: 1 / (place + 1),
  }));
  return { mode, results, degraded } as unknown as SearchResponse;
}

function printed(searches: readonly SearchResponse[]): string[] {
  const lines: string[] = [];
  const terminal = { line: (text = '') => lines.push(text), paint: (_: unknown, text: string) => text };
  renderComparison(terminal as unknown as Terminal, compareSearches('q', searches));
  return lines;
}

describe('a comparison', () => {
  it('counts what every two modes have in common among their first ten', () => {
    const many = Array.from({ length: 12 }, (_, at) => `m${at}`);
    const { overlap } = compareSearches('q', [
      response('embedded', many),
      response('vector', ['m3', 'x', 'm11']),
      response('hybrid', []),
    ]);
    expect(overlap).toEqual([
      { modes: ['embedded', 'vector'], shared: 1, at: 10 },
      { modes: ['embedded', 'hybrid'], shared: 0, at: 10 },
      { modes: ['vector', 'hybrid'], shared: 0, at: 3 },
    ]);
  });

  it('is a table by the best rank in any mode, then the overlap and each note once', () => {
    const searches = [response('embedded', ['a', 'b'], [note]), response('hybrid', ['c', 'a'], [note])];
    expect(printed(searches)).toEqual([
      'embedded   hybrid     title',
      ' 1  1.000   2  0.500  Title a, page 2 › Part',
      ' -          1  1.000  Title c, page 2 › Part',
      ' 2  0.500   -         Title b, page 2 › Part',
      '',
      'embedded and hybrid: 1 of the first 2 in common',
      '',
      'note (vector): Being learned. Words only.',
    ]);
  });

  it('names the mode that a note is of, where not all have it, and says when nothing was found', () => {
    expect(printed([response('embedded', []), response('vector', [], [note])])).toEqual([
      'Nothing found.',
      '',
      'note (vector, mode vector): Being learned. Words only.',
    ]);
  });
});
