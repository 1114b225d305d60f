// The entry of the command line: runs one command and ends with its exit code.
import { enableCompileCache } from 'node:module';
import { ownFolder } from '../config/own-folder.ts';

// Compiled code is kept between runs, which halves the time that a command takes to start. It is run as it lies there, so its place
// is this user's alone; without one it is not kept. The folder that Node would take is shared by all users of the machine.
const compiled = ownFolder(['.cache', 'footnote', 'compiled']);
if (compiled !== undefined) enableCompileCache(compiled);
const { runCli } = await import('./program.ts');

// Whatever would keep the process alive after the command is not waited for.
process.exit(await runCli(process.argv.slice(2)));
