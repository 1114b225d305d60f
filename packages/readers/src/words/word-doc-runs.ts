// Properties of paragraphs and characters in Word files ([MS-DOC] §2.8.6, §2.9.174, §2.6.1): runs by their place in the file, each with the properties that differ
// from its style. Invariant: every offset is checked against the bytes there are, and there are at most `maxRuns`.
import { tableDefinition } from './word-doc-rows.ts';

export interface PropertyRun {
  readonly from: number;
  readonly to: number;
  readonly styleIndex: number;
  readonly sprms: Buffer;
}

const maxRuns = 2_000_000;
/** Runs of properties by their place in the file (§2.8.6, §2.9.174): pages of 512 bytes, each with its runs. */
export function readRuns(main: Buffer, plc: Buffer, kind: 'paragraph' | 'character'): PropertyRun[] {
  const count = Math.floor((plc.length - 4) / 8);
  const runs: PropertyRun[] = [];
  for (let index = 0; index < count && runs.length < maxRuns; index++) {
    const page = (plc.readUInt32LE((count + 1) * 4 + index * 4) & 0x3f_ffff) * 512;
    if (page + 512 > main.length) continue;
    const fkp = main.subarray(page, page + 512);
    const size = kind === 'paragraph' ? 13 : 1;
    const held = Math.min(fkp[511] ?? 0, Math.floor((511 - 4) / (4 + size)));
    for (let run = 0; run < held; run++) {
      const [from, to] = [fkp.readUInt32LE(run * 4), fkp.readUInt32LE(run * 4 + 4)];
      const offset = (fkp[(held + 1) * 4 + run * size] ?? 0) * 2;
      runs.push({ from, to, ...(kind === 'paragraph' ? paragraphBytes(fkp, offset) : characterBytes(fkp, offset)) });
    }
  }
  return runs.sort((a, b) => a.from - b.from);
}

export const noBytes = Buffer.alloc(0);

/** Properties that did not fit into their page, as those of rows with many cells, stand in the Data stream (§2.6.2, sprmPHugePapx). */
export function withLongProperties(runs: PropertyRun[], data: Buffer | undefined): PropertyRun[] {
  if (data === undefined) return runs;
  let long = 0;
  return runs.map((run) => {
    const at =
      long < maxLongRuns ? longProperties.map((code) => sprmValue(run.sprms, code)).find(Number.isInteger) : undefined;
    if (at === undefined || at + 2 > data.length) return run;
    long++;
    return { ...run, sprms: data.subarray(at + 2, at + 2 + Math.min(data.readUInt16LE(at), maxLongBytes)) };
  });
}

/** Newer files have the second. */
const longProperties = [0x6645, 0x6646];
const maxLongBytes = 0x3fa2;
const maxLongRuns = 20_000;

function paragraphBytes(fkp: Buffer, offset: number): Pick<PropertyRun, 'styleIndex' | 'sprms'> {
  if (offset === 0) return { styleIndex: 0, sprms: noBytes };
  const short = fkp[offset] ?? 0;
  const start = short === 0 ? offset + 2 : offset + 1;
  const length = short === 0 ? (fkp[offset + 1] ?? 0) * 2 : short * 2 - 1;
  if (length < 2 || start + 2 > 511) return { styleIndex: 0, sprms: noBytes };
  return { styleIndex: fkp.readUInt16LE(start), sprms: fkp.subarray(start + 2, Math.min(start + length, 511)) };
}

function characterBytes(fkp: Buffer, offset: number): Pick<PropertyRun, 'styleIndex' | 'sprms'> {
  return {
    styleIndex: 0,
    sprms: offset === 0 ? noBytes : fkp.subarray(offset + 1, Math.min(offset + 1 + (fkp[offset] ?? 0), 511)),
  };
}

/** The operand of a property (§2.6.1), as a number of up to four bytes; undefined where it is not set. */
export function sprmValue(sprms: Buffer, wanted: number): number | undefined {
  const operand = sprmOperand(sprms, wanted);
  return operand === undefined ? undefined : numberIn(operand, operandSizes[wanted >> 13] ?? 0);
}

/** Bytes of operands by kind; 0 where they say it themselves. */
const operandSizes = [1, 1, 2, 4, 2, 2, 0, 3];

export function sprmOperand(sprms: Buffer, wanted: number): Buffer | undefined {
  let found: Buffer | undefined;
  for (let at = 0; at + 2 < sprms.length; ) {
    const code = sprms.readUInt16LE(at);
    const operand = at + 2;
    const size = operandSizes[code >> 13] ?? 0;
    const said = code === tableDefinition && operand + 2 <= sprms.length ? sprms.readUInt16LE(operand) : sprms[operand];
    const length = size > 0 ? size : (said ?? 0) + 1;
    if (code === wanted) found = sprms.subarray(operand, operand + length);
    at = operand + Math.max(1, length);
  }
  return found;
}

function numberIn(operand: Buffer, size: number): number | undefined {
  if (size === 4) return operand.length < 4 ? undefined : operand.readUInt32LE(0);
  return size === 2 && operand.length >= 2 ? operand.readUInt16LE(0) : operand[0];
}

/** Deleted by a tracked change, or hidden. */
export const isLeftOut = (sprms: Buffer): boolean => sprmValue(sprms, 0x0800) === 1 || sprmValue(sprms, 0x083c) === 1;

/** The first run that ends behind an offset of the file. */
export function runFrom(runs: readonly Pick<PropertyRun, 'to'>[], offset: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.to ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The run that holds an offset of the file. */
export function runAt(runs: readonly PropertyRun[], offset: number): PropertyRun | undefined {
  let low = 0;
  let high = runs.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle] as PropertyRun;
    if (offset < run.from) high = middle - 1;
    else if (offset >= run.to) low = middle + 1;
    else return run;
  }
  return undefined;
}
