// The last barrier before a terminal or a log file: a secret of the configuration is not written even where a message, a stack or a value
// holds it.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const terminal = resolve(import.meta.dirname, '../../src/cli/terminal/terminal.ts');

function outputOf(lines: string): string {
  const program = `import { createTerminal } from ${JSON.stringify(terminal)};
    const terminal = createTerminal();
    terminal.hide(['sk-4f1c9e-planted', 'short']);
    ${lines}`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
  expect(status, stderr.toString()).toBe(0);
  return `${stdout}${stderr}`;
}

it.each([
  ['a stack', "terminal.fail(new TypeError('Headers: sk-4f1c9e-planted is no header'));"],
  ['a warning', "terminal.warn('2026 req_1 POST /v1/ask 500 sk-4f1c9e-planted');"],
  ['a line', "terminal.line('key sk-4f1c9e-planted');"],
  ['a value', "terminal.json = true; terminal.value({ key: 'sk-4f1c9e-planted' });"],
])('%s is written without it', (_, lines) => {
  const output = outputOf(lines);
  expect(output).toContain('[secret]');
  expect(output).not.toContain('4f1c9e');
});

it('leaves words alone that someone gave for a key', () => {
  expect(outputOf("terminal.line('a short line');")).toContain('a short line');
});
