// Properties are tried on the same cases in every run, so that a red build means a change and not a draw; FOOTNOTE_TEST_SEED
// chooses others, and the long run draws at random and prints the seed of what it finds.
import fc from 'fast-check';

const chosen = process.env['FOOTNOTE_TEST_SEED'];
if (chosen !== undefined) fc.configureGlobal({ seed: Number(chosen) });
else if (process.env['FOOTNOTE_TEST_LONG'] === undefined) fc.configureGlobal({ seed: 20_261_121 });
