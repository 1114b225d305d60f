// Runs regular expressions over texts in a thread that can be ended, and tells the milliseconds of processor time that each took.
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', ({ pattern, flags, text }: { pattern: string; flags: string; text: string }) => {
  const expression = new RegExp(pattern, flags);
  const started = process.threadCpuUsage();
  if (flags.includes('g')) for (const _ of text.matchAll(expression));
  else expression.test(text);
  const { user, system } = process.threadCpuUsage(started);
  parentPort?.postMessage((user + system) / 1000);
});
