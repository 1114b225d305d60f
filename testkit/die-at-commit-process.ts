// Loaded into a server before its program (`--import`): from the signal SIGUSR2 on it dies by SIGKILL as soon as the nth commit of the record is durable, and before
// the program hears of that. The file DIE_AT_COMMIT says which, and goes when it was read.
import { readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

let left = Number.POSITIVE_INFINITY;
process.on('SIGUSR2', () => {
  const file = process.env['DIE_AT_COMMIT'] ?? '';
  left = Number(readFileSync(file, 'utf8'));
  rmSync(file);
});
const isIt = (): boolean => {
  left -= 1;
  return left === 0;
};
const end = (): void => void process.kill(process.pid, 'SIGKILL');

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql);
  if (sql === 'COMMIT' && isIt()) end();
};

const { write } = Socket.prototype;
const commit = Buffer.from('COMMIT\0');
Socket.prototype.write = function (this: Socket, ...given: Parameters<typeof write>) {
  const [data] = given as readonly unknown[];
  if (data instanceof Uint8Array && Buffer.from(data).includes(commit) && isIt()) this.prependOnceListener('data', end);
  return write.apply(this, given);
} as typeof write;
