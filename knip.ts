// What is used, for knip: programs of their own are entries, each measurement by its name among them.
import { benches } from './bench/names.ts';

export default {
  workspaces: {
    '.': {
      entry: [
        'src/index.ts',
        'src/cli/{main,program}.ts',
        'src/testing/index.ts',
        'src/**/*-child.ts',
        'src/**/*-worker.ts',
        'test/**/*-child.ts',
        'testkit/**/*-{child,process,provider}.ts',
        'testkit/bundled-entry-file.ts',
        'bench/*.ts',
        'bench/**/*-process.ts',
        'bench/**/*.test.ts',
        ...Object.values(benches).map(({ file }) => `bench/${file}`),
        'scripts/*.{ts,mjs}',
        'scripts/lint/*.mjs',
        'ops/*.mjs',
        'bin/*.mjs',
        'test/**/*.test.ts',
      ],
      project: ['src/**/*.ts', 'bench/**/*.ts', 'test/**/*.ts', 'testkit/**/*.ts', 'scripts/**'],
    },
    web: {
      entry: ['src/key/key.ts', 'test/**/*.test.ts', 'testkit/screen-times.ts'],
      project: ['src/**/*.{ts,tsx}', 'test/**/*.ts', 'testkit/**/*.ts'],
    },
    'packages/readers': {
      entry: ['test/**/*.test.ts'],
      project: ['src/**/*.ts', 'test/**/*.ts', 'testkit/**/*.ts'],
    },
  },
  ignoreDependencies: ['@tesseract.js-data/eng', '@vscode/tree-sitter-wasm'],
  ignoreBinaries: [
    'chromium',
    'haproxy',
    'mkfifo',
    'mount',
    'nsenter',
    'pdftotext',
    'promtool',
    'strace',
    'systemd-analyze',
    'umount',
    'unshare',
  ],
  ignoreExportsUsedInFile: true,
  exclude: ['types'],
};
