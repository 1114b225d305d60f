// Settings of traces and of the log.
import { flag, integer, later, type Setting } from './setting-kinds.ts';

export const tracesSettings: readonly Setting[] = [
  later('LOG_QUERIES', flag, { default: 'false', meaning: 'Queries stand in the log, cut to 100 characters' }),
  later('TRACE_RETENTION_DAYS', integer(1, 36_500), { default: '30', meaning: 'Days that traces are kept' }),
];
