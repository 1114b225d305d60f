// The version of this build, and whether it runs in a checkout, read from package.json, which stands at the same place in a checkout and in a package.
import { readFileSync } from 'node:fs';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const facts = typeof manifest === 'object' && manifest !== null ? manifest : {};

export const version: string = 'version' in facts ? String(facts.version) : '0.0.0';

/** What is packed has no workspaces. */
const isCheckout = 'workspaces' in facts;

/** What a person types before a command: in a checkout nothing named `footnote` is on the path. */
export const programName: string = isCheckout ? 'npm run -s footnote --' : 'footnote';
