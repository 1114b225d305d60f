// In the place of src/db/both/traces.ts: nothing is saved.
import { createTraceRepository as createKept } from '../../../src/db/both/traces.ts';

export { openTraceGroups } from '../../../src/db/both/traces.ts';

export const createTraceRepository: typeof createKept = (scope, ports) => ({
  ...createKept(scope, ports),
  save: async () => undefined,
  saveSoon: async () => undefined,
});
