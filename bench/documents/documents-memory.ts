// How much memory a large folder takes while it is read: whether that grows with the folder, and how much of it is more than a server needs
// that only holds what was read.
//
//   npm run bench documents-memory [-- gigabytes] [--dry]

import { writeResult } from '../report.ts';
import { folderData, folderNote, measureFolder } from './documents-folder.ts';

/** Memory at the end over memory at a tenth of the way, beyond which it is not bounded but grows with the folder. */
const allowedGrowth = 1.5;
/** Memory in the last tenth over that of a server started anew on the same data: what is more than the index, which both hold, is the run's own. */
const allowedBeyondIndex = 1.5;

const gigabytes = Number(process.argv.slice(2).find((argument) => /^[\d.]+$/.test(argument)) ?? 2);
const folder = await measureFolder(gigabytes * 1e9);
if (process.argv.includes('--dry')) {
  console.log(folder);
  process.exit(0);
}
const growth = folder.endMiB / folder.earlyMiB;
const beyondIndex = folder.endMiB / folder.anewMiB;
const round = (value: number): number => Math.round(value * 10) / 10;

await writeResult('documents-memory', {
  title: 'Documents: memory while a large folder is read',
  command: `npm run bench documents-memory ${gigabytes}`,
  seed: null,
  data: [...folderData],
  metrics: {
    'folder, megabytes': folder.megabytes,
    'folder, files': folder.files,
    'folder, chunks': folder.chunks,
    'memory of the process at a tenth of the way, MiB': folder.earlyMiB,
    'memory of the process at most in the last tenth, MiB': folder.endMiB,
    'memory of the process at most, MiB': folder.mostMiB,
    'memory of a server started anew on the same data, MiB': folder.anewMiB,
    'memory of a parser child at most, MiB': folder.childMiB,
  },
  goals: [
    {
      what: 'Memory in the last tenth over memory at a tenth of the way',
      wanted: `<= ${allowedGrowth}`,
      got: growth,
      met: growth <= allowedGrowth,
    },
    {
      what: 'Memory in the last tenth over that of a server started anew on the same data',
      wanted: `<= ${allowedBeyondIndex}`,
      got: beyondIndex,
      met: beyondIndex <= allowedBeyondIndex,
    },
  ],
  tables: [
    {
      title: 'Memory while the folder is read, MiB',
      columns: ['files read', 'process', 'parser child at most'],
      rows: folder.samples.map(({ files, processMiB, childMiB }) => [files, round(processMiB), round(childMiB)]),
    },
  ],
  notes: [folderNote],
});
