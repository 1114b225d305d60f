// The settings in force as traces, suites and reports tell them. Invariant: no secret, and no path or address of this machine.

import { version } from '../../config/version.ts';
import type { Config } from '../../config.ts';
import type { Environment } from '../../core/events.ts';
import { sha256 } from '../../core/ids.ts';

/** Where things lie on this machine, and who may reach it: nothing of a request depends on them. Addresses are left out, too. */
const ownToTheMachine: ReadonlySet<string> = new Set([
  'FOOTNOTE_DATA',
  'FOOTNOTE_HOST',
  'FOOTNOTE_PORT',
  'MODELS_FOLDER',
  'OCR_FOLDER',
  'SOURCE_ROOTS',
  'TLS_CERT',
  'TLS_KEY',
]);

export type SettingFacts = Pick<Environment, 'program' | 'node' | 'config' | 'settings' | 'flags'>;

export function settingFacts({ effective }: Pick<Config, 'effective'>): SettingFacts {
  const known = effective.filter(
    ({ value, name }) =>
      value !== undefined && value !== '(set)' && !ownToTheMachine.has(name) && !/_(?:URL|ENDPOINT)$/u.test(name),
  );
  const changed = known.filter(({ origin, unused }) => origin !== 'default' && !unused);
  return {
    program: version,
    node: process.version,
    config: sha256(JSON.stringify([version, known.map(({ name, value }) => [name, value])])),
    settings: Object.fromEntries(changed.map(({ name, value }) => [name, value as string | number | boolean])),
    flags: known.flatMap(({ name, value }) => (name.startsWith('ENABLE_') && value === true ? [name] : [])),
  };
}
