import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';

async function symbolsOf(name: string, source: string): Promise<[string, string][]> {
  const document = await parseFile({ name, bytes: new TextEncoder().encode(source) });
  expect(document.text).toBe(source);
  expect(document.citeByLine).toBe(true);
  return document.blocks.flatMap((block) =>
    block.symbol === undefined ? [] : [[block.symbol, source.slice(block.start, block.end)] as [string, string]],
  );
}

describe('code', () => {
  it('TypeScript: functions, arrow functions, classes, methods, with comments, decorators and export', async () => {
    const source = `import x from 'x';\n// 😀 über alles\nexport const add = (a: number) => a;\n\n@tag\nexport abstract class Box<T> {\n  /** opens */\n  open(): void {}\n  close = () => {};\n}\ninterface Shape { area(): number }\nnamespace N { export function f() {} }\n`;
    const symbols = await symbolsOf('a.ts', source);
    expect(symbols.map(([symbol]) => symbol)).toEqual([
      'function add',
      'class Box',
      'class Box > method open',
      'class Box > method close',
      'interface Shape',
      'namespace N',
      'namespace N > function f',
    ]);
    expect(symbols[0]![1]).toBe('// 😀 über alles\nexport const add = (a: number) => a;');
    expect(symbols[1]![1].startsWith('@tag\nexport abstract class')).toBe(true);
    expect(symbols[2]![1]).toBe('/** opens */\n  open(): void {}');
  });

  it('TSX and JavaScript', async () => {
    expect((await symbolsOf('a.tsx', 'export function App() { return <b>x</b>; }')).map(([symbol]) => symbol)).toEqual([
      'function App',
    ]);
    expect((await symbolsOf('a.mjs', 'function* g() {}\nclass A { static b() {} }')).map(([symbol]) => symbol)).toEqual(
      ['function g', 'class A', 'class A > method b'],
    );
  });

  it('Python: decorated functions and methods', async () => {
    const source =
      'import os\n\n@cache\ndef f():\n    return 1\n\nclass A(B):\n    """Doc."""\n    @property\n    def x(self):\n        return 2\n    async def y(self): pass\n';
    const symbols = await symbolsOf('a.py', source);
    expect(symbols.map(([symbol]) => symbol)).toEqual([
      'function f',
      'class A',
      'class A > method x',
      'class A > method y',
    ]);
    expect(symbols[0]![1].startsWith('@cache')).toBe(true);
  });

  it('Go and Java', async () => {
    expect(
      (
        await symbolsOf(
          'a.go',
          'package a\n\ntype T struct{}\n\n// Run runs.\nfunc (t *T) Run() {}\n\nfunc main() {}\n',
        )
      ).map(([symbol]) => symbol),
    ).toEqual(['type T', 'method T.Run', 'function main']);
    expect(
      (await symbolsOf('A.java', 'class A {\n  A() {}\n  int b() { return 1; }\n  enum E { X }\n}\n')).map(
        ([symbol]) => symbol,
      ),
    ).toEqual(['class A', 'class A > constructor A', 'class A > method b', 'class A > enum E']);
  });

  it('keeps code that does not parse, and says so', async () => {
    const document = await parseFile({ name: 'a.py', bytes: new TextEncoder().encode('def (:\n  ???\n') });
    expect(document.text).toBe('def (:\n  ???\n');
    expect(document.warnings).toHaveLength(1);
  });
});
