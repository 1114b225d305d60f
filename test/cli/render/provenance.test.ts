import { describe, expect, it } from 'vitest';
import { keptLines, provenanceOf, toAge } from '../../../src/cli/render/provenance.ts';

const now = Date.parse('2026-11-23T12:00:00.000Z');

describe('provenanceOf', () => {
  it('says who chose a page, when it was read and how long ago that is', () => {
    expect(provenanceOf({ trust: 'unvetted', retrievedAt: '2026-11-20T10:15:30.000Z' }, now)).toBe(
      'unvetted: a search of the web found this page, nobody chose it · read 2026-11-20 10:15 UTC, 3 days ago',
    );
    expect(provenanceOf({ retrievedAt: '2026-11-23T11:59:30.000Z', publishedAt: '2024-02-01' }, now)).toBe(
      'read 2026-11-23 11:59 UTC, less than a minute ago · published 2024-02-01, 2 years ago',
    );
  });

  it('says nothing that is not known, and shows no time that cannot be read', () => {
    expect(provenanceOf({}, now)).toBeUndefined();
    expect(provenanceOf({ retrievedAt: 'yesterday \u001b[31m' }, now)).toBeUndefined();
    // A clock that was wrong says nothing of an age.
    expect(provenanceOf({ retrievedAt: '2027-01-01T00:00:00.000Z' }, now)).toBe('read 2027-01-01 00:00 UTC');
  });

  it('rounds ages down to whole units', () => {
    const hour = 3_600_000;
    const ages = [
      59_999,
      60_000,
      hour - 1,
      hour,
      47 * hour,
      48 * hour,
      59 * 24 * hour,
      60 * 24 * hour,
      729 * 24 * hour,
    ];
    expect(ages.map(toAge)).toEqual([
      ...['less than a minute', '1 minute', '59 minutes', '1 hour', '47 hours', '2 days', '59 days'],
      ...['2 months', '24 months'],
    ]);
  });

  it('says how old what was kept from an earlier search is', () => {
    const kept = [
      { type: 'web', ageSeconds: 10_900 },
      { type: 'docs', ageSeconds: 30, isStale: true },
    ] as const;
    expect(keptLines({ sources: [], reason: '', kept: [...kept] })).toEqual([
      'web: kept from an earlier search, 3 hours old',
      'docs: kept from an earlier search, less than a minute old, and being asked for anew',
    ]);
    expect(keptLines({ sources: [], reason: '' })).toEqual([]);
  });
});
