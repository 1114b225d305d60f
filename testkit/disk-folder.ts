// Where a folder of documents lies that keys may read: data folders of tests lie in memory (test/memory-folder.ts), which belongs to the system, and no key
// reads what does.
import { tmpdir } from 'node:os';

export const diskFolder = (): string => (tmpdir().startsWith('/dev/') ? '/tmp' : tmpdir());
