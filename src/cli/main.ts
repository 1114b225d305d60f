// The entry of the command line: runs one command and ends with its exit code.
import { enableCompileCache } from 'node:module';

// Compiled code is kept between runs, which halves the time that a command takes to start; without a place for it, not.
enableCompileCache();
const { runCli } = await import('./program.ts');

// Whatever would keep the process alive after the command is not waited for.
process.exit(await runCli(process.argv.slice(2)));
