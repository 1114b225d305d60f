// The bundled program (scripts/bundle.mjs), which is made before tests run.
import { join } from 'node:path';

/** The command line. */
export const programMain = join(import.meta.dirname, '../dist/cli/main.js');
