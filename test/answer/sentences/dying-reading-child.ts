// A reading thread that comes up and dies over its first task.
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => process.exit(1));
parentPort?.postMessage({ kind: 'ready' });
