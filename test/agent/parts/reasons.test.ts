// Why something is so, and when a version was released, as documents say it by their form; and what nothing around a claim speaks of.
import { describe, expect, it } from 'vitest';
import { reasonClaims } from '../../../src/agent/parts/reasons.ts';
import { releaseClaims } from '../../../src/agent/parts/release-headings.ts';
import { unspokenIn, unspokenNoun } from '../../../src/agent/parts/unspoken.ts';
import type { VerifiedClaim } from '../../../src/answer/claims/draft.ts';
import { evidenceOf, openLibrary } from '../../../testkit/turn-library.ts';

const texts = {
  'Outage of the shop on 3 May': `The shop was down for two hours.

## Root cause

The certificate had run out. Nobody was told.

## Measures

Watch all certificates.
`,
  'Board meeting': `The new depot opens three weeks late. Ada explained that the gates were not delivered. Lunch was served.

Sales of the Finch rose.
`,
  'Report: pump 2 failed': `Pump 2 failed at noon.

**Why:** It ran dry, because the valve was shut.
`,
  Lantern: `LANTERN  --  FIRMWARE HISTORY

Version 7.2   (2 April 2025)
 + IPv6 rules

Since version 7.1 of 3 May 2024 guests are let in.
`,
  'Finch release notes': `# Finch release notes

## 3.1.0 (20 January 2031)

- Adds export.

## 3.0.2 (2 October 2030)

- Fixes a crash.

## 3.0.1

- Last seen on 4 May 2030.
`,
};
const evidence = Object.entries(texts).map(([title, text]) => evidenceOf(title, text));
const reading = { readSpan: openLibrary(texts).readSpan, signal: new AbortController().signal };
const said = (claims: readonly VerifiedClaim[]): readonly string[] => claims.map(({ text }) => text);

describe('reasons', () => {
  it('stand under a heading of causes, in what is about the thing', async () => {
    const cause = ['The certificate had run out.'];
    expect(said(await reasonClaims('What caused the outage of the shop?', evidence, reading))).toEqual(cause);
    expect(said(await reasonClaims('What was the cause of the outage of the shop?', evidence, reading))).toEqual(cause);
    expect(said(await reasonClaims('Why did pump 2 fail?', evidence, reading))).toEqual([
      'Why: It ran dry, because the valve was shut.',
    ]);
    expect(said(await reasonClaims('Why did the factory burn?', evidence, reading))).toEqual([]);
    expect(said(await reasonClaims('When was the outage of the shop?', evidence, reading))).toEqual([]);
  });

  it('or in the sentence behind the one that says that it is so', async () => {
    expect(said(await reasonClaims('Why does the new depot open late?', evidence, reading))).toEqual([
      'The new depot opens three weeks late. Ada explained that the gates were not delivered.',
    ]);
    expect(said(await reasonClaims('Why did sales of the Finch rise?', evidence, reading))).toEqual([]);
  });
});

describe('headings of releases', () => {
  it('tell the date of the very version', async () => {
    const told = async (asked: string) => said(await releaseClaims(asked, evidence, reading));
    expect(await told('When was Finch 3.1.0 released?')).toEqual(['3.1.0 (20 January 2031)']);
    expect(await told('When was version 3.0.2 of the Finch released?')).toEqual(['3.0.2 (2 October 2030)']);
    expect(await told('When was version 3.0.2 of the Heron released?')).toEqual([]);
    expect(await told('When was firmware 3.0.2 released?')).toEqual(['3.0.2 (2 October 2030)']);
    expect(await told('What is the release date of Finch 3.1.0?')).toEqual(['3.1.0 (20 January 2031)']);
    expect(await told('When was firmware 7.2 of the Lantern released?')).toEqual(['Version 7.2 (2 April 2025)']);
    expect(await told('When was firmware 7.1 of the Lantern released?')).toEqual([]);
    expect(await told('When was Finch 3.1 released?')).toEqual([]);
    expect(await told('When was Finch 3.0.1 released?')).toEqual([]);
    expect(await told('When was Heron 3.1.0 released?')).toEqual([]);
  });
});

describe('what nothing around a claim speaks of', () => {
  const text = 'The board approved the budget of the depot.';
  const one = evidenceOf('Board', text);
  const span = { documentId: one.documentId, chunkId: one.chunkId, start: 0, end: text.length, quote: text };
  const claim = {
    text,
    spans: [{ ...span, title: 'Board', uri: 'Board', source: 's' }],
    support: 1,
    relevance: 1,
  } as VerifiedClaim;

  it('is the noun that is asked for, unless texts speak of it without its word', () => {
    expect(unspokenNoun('What is the warranty of the depot?', claim, [one])).toBe('warranty');
    expect(unspokenNoun('What is the budget of the depot?', claim, [one])).toBeUndefined();
    expect(unspokenNoun('What was the reason for the vote?', claim, [one])).toBeUndefined();
    expect(unspokenNoun('Who approved the depot?', claim, [one])).toBeUndefined();
  });

  it('or a word of a short question', () => {
    expect(unspokenIn('Who approves exceptions?', [claim], [one])).toEqual(['exceptions']);
    expect(unspokenIn('Who approved the budget?', [claim], [one])).toEqual([]);
    expect(unspokenIn('Who approved the long and costly works at the old depot?', [claim], [one])).toEqual([]);
  });
});
