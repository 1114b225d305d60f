// The child of the power-cut test: writes a history to a record and says `ACK n` when the n-th transaction is acknowledged.
// Usage: writer-child.ts FOLDER LEVEL SEED TRANSACTIONS
import { writeSync } from 'node:fs';
import { localScope } from '../../src/core/scope.ts';
import { type SynchronousLevel, synchronousLevels } from '../../src/db/sqlite/file/connection.ts';
import { openRecordAt } from '../../src/db/sqlite/sqlite-record.ts';
import { changesOf, transactionAt } from '../../testkit/history.ts';

const [folder = '', levelName = '', seed = '', transactions = ''] = process.argv.slice(2);
const level = synchronousLevels.find((name) => name === levelName) as SynchronousLevel;
const record = openRecordAt({ folder }, level);
// Frequent checkpoints, so that cuts fall into many of them.
await record.write((database) => database.exec('PRAGMA wal_autocheckpoint = 60'));
const tenant = record.forScope(localScope());

// Some wait for the one before and some do not: those share a commit.
let before: Promise<void> = Promise.resolve();
for (let index = 0; index < Number(transactions); index += 1) {
  const operations = transactionAt(Number(seed), index);
  const done = tenant.commit(changesOf(operations, index + 1)).then(() => void writeSync(1, `ACK ${index + 1}\n`));
  if (index % 3 !== 0) await done;
  before = Promise.all([before, done]).then(() => undefined);
}
await before;
await record.close();
writeSync(1, 'CLOSED\n');
