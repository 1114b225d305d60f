// A data folder that came from somebody else sends nothing away: its lock file may name any process and any address.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccess } from '../../../src/cli/remote/access.ts';
import { loadConfig } from '../../../src/config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-access-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('openAccess', () => {
  it('asks no server on another machine, and leaves no pass for it', async () => {
    // 192.0.2.0/24 is for documentation (RFC 5737): nobody has it, and a request there would not end with `forbidden`.
    const server = { host: '192.0.2.7', port: 80 };
    await writeFile(join(folder, 'lock-1'), JSON.stringify({ pid: process.pid, command: 'footnote serve', server }));
    const config = loadConfig({ folder, environment: { FOOTNOTE_DATA: folder } });
    await expect(openAccess(config)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('192.0.2.7:80, which is not this machine. Nothing was sent there.') as string,
    });
    expect(await readdir(folder)).toEqual(['lock-1']);
  });
});
