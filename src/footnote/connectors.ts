// The connectors of this program, one for each kind that a source may declare (core/document.ts): the only place that opens them.
import type { Connectors } from '../ingest/connectors/connector.ts';
import { openFolder } from '../ingest/connectors/folder.ts';
import { type RootRules, resolveRoot } from '../ingest/connectors/roots.ts';

/** `rules`: which folders this caller may read. */
export function createConnectors(rules: RootRules): Connectors {
  return {
    open(connector, options) {
      switch (connector.kind) {
        case 'folder':
          return openFolder(connector, { ...options, rules });
      }
    },
    async check(connector) {
      switch (connector.kind) {
        case 'folder':
          await resolveRoot(connector, rules);
      }
    },
  };
}
