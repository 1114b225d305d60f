// In the place of src/db/sqlite/requests/traces.ts: nothing is saved.
import { createTraceRepository as createKept } from '../../../src/db/sqlite/requests/traces.ts';

export { openTraceGroups } from '../../../src/db/sqlite/requests/traces.ts';

export const createTraceRepository: typeof createKept = (scope, ports) => ({
  ...createKept(scope, ports),
  save: async () => undefined,
  saveSoon: async () => undefined,
});
