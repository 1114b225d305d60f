// Libraries of the readers that tests and benches of the program use too, as oracles and to write files: declared and pinned in one manifest.
export { utils, write } from '@e965/xlsx';
export { fromMarkdown } from 'mdast-util-from-markdown';
export { gfmFromMarkdown } from 'mdast-util-gfm';
export { gfm } from 'micromark-extension-gfm';
export { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, parseFragment } from 'parse5';
