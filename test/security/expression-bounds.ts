// Regular expressions that take more than linear time and are given short texts alone: how long these are at most, and what keeps them so.
// They are matched at that length. Invariant: the limit stands in the source beside the expression.
export const shortTexts: readonly { readonly folder: string; readonly characters: number; readonly why: string }[] = [
  {
    folder: 'src/agent/plan/',
    characters: 1_000,
    why: 'split.ts leaves longer questions whole before anything of them is matched',
  },
  {
    folder: 'src/retrieval/route/',
    characters: 2_000,
    why: 'route.ts looks at the first 2,000 characters of a question',
  },
  {
    folder: 'src/memory/facts/statements/',
    characters: 6_000,
    why: 'statements.ts reads nothing of longer messages',
  },
];

export const bounds: readonly { readonly pattern: string; readonly characters: number; readonly why: string }[] = [
  {
    pattern: '(?:[\\p{L}\\p{M}]+-)*[\\p{L}\\p{M}]*\\p{Ll}$',
    characters: 80,
    why: 'line-end-hyphens.ts looks at the longest word alone, 80 characters before the break',
  },
  {
    pattern: "[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}.'’-]*[\\p{L}\\p{M}\\p{N}])?$",
    characters: 24,
    why: 'sentences.ts looks at 24 characters before the end of a sentence',
  },
  {
    pattern: '^WEBVTT[ \\t]+-?[ \\t]*(\\S.*)$',
    characters: 500,
    why: 'subtitles.ts reads the title from the first 500 characters',
  },
];
