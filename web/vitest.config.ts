// The pages in a real browser: the last step of `npm test`, skipped where no Chromium is.
import { defineConfig } from 'vitest/config';

/** A busy machine takes what it takes. */
const hungMs = 300_000;

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/browser/**/*.test.ts'],
    maxWorkers: 1,
    // They share one Chromium, and what they import.
    isolate: false,
    testTimeout: hungMs,
    hookTimeout: hungMs,
    // What is waited for may take a minute.
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['../test/built.ts'],
    reporters: ['default', '../test/reporter.ts'],
  },
});
