import { expect, it } from 'vitest';
import { createParserPool } from '../../../src/ingest/read/parser-pool.ts';
import { parserChildren } from '../../../testkit/parser-children.ts';

const script = new TextEncoder().encode('#!/bin/sh\nb() {\n  echo "$1"\n}\n');

it.runIf(process.platform === 'linux')(
  'a shell script takes no more memory than other code',
  { timeout: 60_000 },
  async () => {
    // Other files of tests that ran in this process share parsers, which are at rest.
    const others = new Set(parserChildren(process.pid).map(({ pid }) => pid));
    const pool = createParserPool({ size: 1, memoryMiB: 1500 });
    try {
      let peakMiB = 0;
      // V8 compiled the grammar anew for speed, beside the work: 500 MiB, for which small scripts were refused now and then.
      for (const begun = performance.now(); performance.now() - begun < 3000; ) {
        const { blocks } = await pool.parse({ name: 'a.sh', bytes: script });
        expect(blocks[0]?.symbol).toBe('function b');
        const own = parserChildren(process.pid).filter(({ pid }) => !others.has(pid));
        peakMiB = Math.max(peakMiB, ...own.map((child) => child.peakMiB));
      }
      expect(peakMiB).toBeGreaterThan(50);
      expect(peakMiB).toBeLessThan(350);
    } finally {
      await pool.close();
    }
  },
);
