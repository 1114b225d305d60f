// Office files with a password: those of other programs open with it, every variant of the standards opens, and nothing that was changed, or that costs
// without end, does. What is refused says what it lacks.
import { describe, expect, it } from 'vitest';
import { openCompound } from '../../src/containers/compound-file.ts';
import { rc4Blocks, rc4LockOf } from '../../src/office/office-rc4.ts';
import { ReadError } from '../../src/read-error.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { lockedOffice } from '../../testkit/locked-office.ts';
import { agileOf, compoundOf, sealedPart, sealedWhole } from '../../testkit/office-seal.ts';
import { spoiled } from '../../testkit/spoiled.ts';
import { relationships, zipOf } from '../../testkit/zip-fixture.ts';

const read = async (name: string, bytes: Uint8Array, password?: string) =>
  (await parseFile({ name, bytes, ...(password !== undefined && { password }) })).text;

const docxOf = (text: string): Uint8Array =>
  zipOf({
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
  });
const odtMime = 'application/vnd.oasis.opendocument.text';
const odtContent = (text: string): string =>
  `<office:document-content xmlns:office="o" xmlns:text="t"><office:body><office:text><text:p>${text}</text:p></office:text></office:body></office:document-content>`;
const manifestOf = (entries: string): string => `<manifest:manifest xmlns:manifest="m">${entries}</manifest:manifest>`;
const entryOf = (path: string, encryption: string): string =>
  `<manifest:file-entry manifest:full-path="${path}" manifest:size="9">${encryption}</manifest:file-entry>`;

const ofOthers = [
  ['agile', 'a.docx', 'The vault opens at nine.'],
  ['standard', 'a.docx', 'The vault opens at nine.'],
  ['odtAes', 'a.odt', 'The vault opens at nine.\nThe board met in May.'],
  ['doc', 'a.doc', 'The vault opens at nine.\nThe board met in May.'],
  ['xls', 'a.xls', 'Sheet1\n\nCity | Rent\nCity: Lyon; Rent: 845.5'],
] as const;

describe('an office file with a password', () => {
  it.each(ofOthers)(
    'of another program opens with it, and says what it lacks without: %s',
    async (kind, name, text) => {
      const bytes = lockedOffice(kind);
      expect(await read(name, bytes, 'sesame')).toBe(text);
      await expect(read(name, bytes)).rejects.toMatchObject({
        code: 'invalid-media',
        message: expect.stringMatching(/^a\.\w+ is encrypted: a password is needed.*--password-file/),
        details: { reason: 'password-needed' },
      });
      await expect(read(name, bytes, 'Sesame')).rejects.toMatchObject({ details: { reason: 'wrong-password' } });
    },
  );

  it('that Excel only protects opens without one, and whatever other is given', async () => {
    const text = 'Sheet1\n\nCity | Rent\nCity: Lyon; Rent: 845.5';
    expect(await read('a.xls', lockedOffice('xlsProtected'))).toBe(text);
    expect(await read('a.xls', lockedOffice('xlsProtected'), 'other')).toBe(text);
    const choice = { hash: 'sha512', keyBits: 256 } as const;
    expect(await read('a.docx', agileOf(docxOf('open'), 'VelvetSweatshop', choice))).toBe('open');
  });

  it('is read as what lies inside, whatever its name says', async () => {
    expect(await read('a.xlsx', lockedOffice('agile'), 'sesame')).toBe('The vault opens at nine.');
    const sealedNothing = agileOf(Buffer.alloc(64), 'sesame', { hash: 'sha1', keyBits: 128 });
    await expect(read('a.docx', sealedNothing, 'sesame')).rejects.toMatchObject({ code: 'invalid-media' });
    const twice = agileOf(lockedOffice('agile'), 'sesame', { hash: 'sha1', keyBits: 128 });
    await expect(read('a.docx', twice, 'sesame')).rejects.toMatchObject({ code: expect.stringMatching(/media$/) });
  });
});

describe('a locked file that is spoiled', () => {
  it.each(ofOthers)(
    'ends in a reason of ours: %s',
    async (kind, name) => {
      for (let seed = 0; seed < (kind === 'agile' ? 5 : 40); seed++) {
        const bytes = spoiled(lockedOffice(kind), seed);
        const outcome = await read(name, bytes, 'sesame').catch((thrown: unknown) => thrown);
        if (typeof outcome !== 'string') expect(outcome, `${seed}`).toBeInstanceOf(ReadError);
      }
    },
    60_000,
  );
});

describe('agile encryption', () => {
  const text = 'words '.repeat(3000).trim();

  it.each([
    ['sha1', 128],
    ['sha256', 192],
    ['sha384', 256],
    ['sha512', 256],
  ] as const)('opens with %s and keys of %d bits, over many pieces', async (hash, keyBits) => {
    const sealed = agileOf(docxOf(text), 'pässword', { hash, keyBits });
    expect(await read('a.docx', sealed, 'pässword')).toBe(text);
    await expect(read('a.docx', sealed, 'password')).rejects.toMatchObject({ details: { reason: 'wrong-password' } });
  });

  it('gives nothing that was changed or cut after it was encrypted', async () => {
    const choice = { hash: 'sha512', keyBits: 256 } as const;
    const changed = agileOf(docxOf(text), 'x', {
      ...choice,
      spoil({ content }) {
        content[content.length - 40] = (content[content.length - 40] ?? 0) ^ 1;
      },
    });
    await expect(read('a.docx', changed, 'x')).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringMatching(/changed or cut/),
    });
  });

  it('does no more work than is fair, and says what only a certificate opens', async () => {
    const patched = (from: string | RegExp, to: string) =>
      agileOf(docxOf('x'), 'x', {
        hash: 'sha1',
        keyBits: 128,
        spoil(streams) {
          streams.info = streams.info.replace(from, to);
        },
      });
    for (const count of ['4000000000', '-1', 'NaN'])
      await expect(read('a.docx', patched('spinCount="1000"', `spinCount="${count}"`), 'x')).rejects.toMatchObject({
        code: 'too-large',
        message: expect.stringMatching(/rounds of hashing/),
      });
    await expect(
      read('a.docx', patched(/encryptedKeyValue="[^"]*"/u, 'encryptedKeyValue=""'), 'x'),
    ).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringMatching(/its key is cut short/),
    });
    await expect(read('a.docx', patched(/ spinCount="\d+"/u, ''), 'x')).rejects.toMatchObject({
      message: expect.stringMatching(/certificates/),
    });
    await expect(read('a.docx', patched('ChainingModeCBC', 'ChainingModeCFB'), 'x')).rejects.toMatchObject({
      code: 'invalid-media',
    });
    const strange = compoundOf({
      EncryptionInfo: Buffer.from([3, 0, 3, 0, 0, 0, 0, 0]),
      EncryptedPackage: Buffer.alloc(64),
    });
    await expect(read('a.docx', strange, 'x')).rejects.toMatchObject({ message: expect.stringMatching(/own program/) });
  });
});

describe('RC4', () => {
  // Made with msoffcrypto-tool 5.0 (Python): the description of CryptoAPI with a key, and what stands around the border of two blocks.
  it.each([
    [
      128,
      '02000200040000002a00000004000000000000000168000004800000800000000100000000000000000000005400650073007400000010000000000102030405060708090a0b0c0d0e0f1568c92555b194d40d60145189469cc514000000f9c3f5900749d1ff91c4a3d535cb06f0c5954428',
      '1bd4635bb332ff10fc234a2482f9032d94179d6841880f39abb9b123a61eef64aca686fb24539d6d',
    ],
    [
      40,
      '02000200040000002a00000004000000000000000168000004800000280000000100000000000000000000005400650073007400000010000000000102030405060708090a0b0c0d0e0f0c9242205191825290724f9754bf66a11400000012069c23360ebbd6d019aa37d8a789c278191ff7',
      '93ac22d824ec1cb6dc4cfc7ef3ba53a8a02713e9c9d44c10884ae9ab0e72996ae025ccbabab82255',
    ],
  ])('of the CryptoAPI opens with keys of %d bits', (_, info, sealed) => {
    const lock = rc4LockOf(Buffer.from(info, 'hex'), 'a.doc');
    expect(lock('other')).toBeUndefined();
    const key = lock('sesame');
    if (key === undefined) throw new Error('The password does not fit.');
    const around = Buffer.alloc(540);
    Buffer.from(sealed, 'hex').copy(around, 500);
    expect(rc4Blocks(around, key, 512).toString('latin1', 500)).toBe(
      'The vault opens at nine. '.repeat(30).slice(500, 540),
    );
  });

  it('leaves a file as it is around its streams', () => {
    const bytes = lockedOffice('doc');
    const file = openCompound(bytes, 'a.doc');
    const words = file.stream('WordDocument') ?? Buffer.alloc(0);
    const copy = file.with(new Map([['worddocument', words.map((byte) => byte ^ 0xff)]]));
    expect(copy.length).toBe(bytes.length);
    expect(openCompound(copy, 'a.doc').stream('WordDocument')).toEqual(words.map((byte) => byte ^ 0xff));
    expect(openCompound(copy, 'a.doc').stream('1Table')).toEqual(file.stream('1Table'));
  });
});

describe('an OpenDocument file with a password', () => {
  it('opens as a whole: AES-GCM with a key by Argon2id', async () => {
    const plain = zipOf({ mimetype: odtMime, 'content.xml': odtContent('inside') });
    const sealed = sealedWhole(plain, 'pässword', { mime: odtMime });
    expect(await read('a.odt', sealed, 'pässword')).toBe('inside');
    await expect(read('a.odt', sealed)).rejects.toMatchObject({ details: { reason: 'password-needed' } });
    await expect(read('a.odt', sealed, 'x')).rejects.toMatchObject({ details: { reason: 'wrong-password' } });
  });

  it('does no more work than is fair, and unpacks no bomb', async () => {
    const plain = zipOf({ mimetype: odtMime, 'content.xml': odtContent('inside') });
    await expect(
      read('a.odt', sealedWhole(plain, 'x', { mime: odtMime, memory: 4_000_000 }), 'x'),
    ).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/4000000 KiB/),
    });
    const bomb = sealedPart(' '.repeat(100_000_000), 'x', { rounds: 10 });
    const odt = (part: { sealed: Buffer; encryption: string }): Uint8Array =>
      zipOf({
        mimetype: odtMime,
        'content.xml': part.sealed,
        'META-INF/manifest.xml': manifestOf(entryOf('content.xml', part.encryption)),
      });
    await expect(read('a.odt', odt(bomb), 'x')).rejects.toMatchObject({ code: 'too-large' });
    const slow = sealedPart(odtContent('x'), 'x', { rounds: 10, claimed: 2_000_000_000 });
    await expect(read('a.odt', odt(slow), 'x')).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/rounds of hashing/),
    });
    const part = sealedPart(odtContent('x'), 'x', { rounds: 10 });
    expect(await read('a.odt', odt(part), 'x')).toBe('x');
    expect(await read('a.odt', odt(sealedPart(odtContent('y'), 'x', { rounds: 10, saysHash: false })), 'x')).toBe('y');
    const byArgon = 'manifest:key-derivation-name="urn:argon2id"';
    for (const [from, to] of [
      [/iteration-count="10"/u, 'iteration-count="10.5"'],
      [/manifest:key-derivation-name="PBKDF2"/u, `${byArgon} manifest:argon2-lanes="0"`],
      [/manifest:key-derivation-name="PBKDF2"/u, `${byArgon} manifest:argon2-memory="8"`],
    ] as const) {
      const encryption = part.encryption.replace(from, to);
      expect(encryption).not.toBe(part.encryption);
      await expect(read('a.odt', odt({ ...part, encryption }), 'x'), to).rejects.toMatchObject({
        code: 'invalid-media',
        message: expect.stringMatching(/how its key is made/),
      });
    }
  });

  it('says what only an OpenPGP key opens, and what is encrypted otherwise', async () => {
    const odt = (manifest: string): Uint8Array =>
      zipOf({ mimetype: odtMime, 'content.xml': 'x', 'META-INF/manifest.xml': manifest });
    const forKeys = manifestOf(`<manifest:keyinfo><manifest:encrypted-key/></manifest:keyinfo>`);
    await expect(read('a.odt', odt(forKeys), 'x')).rejects.toMatchObject({ message: expect.stringMatching(/OpenPGP/) });
    const strange =
      '<manifest:encryption-data><manifest:algorithm manifest:algorithm-name="rot13"/></manifest:encryption-data>';
    await expect(read('a.odt', odt(manifestOf(entryOf('content.xml', strange))), 'x')).rejects.toMatchObject({
      message: expect.stringMatching(/cipher that cannot be read/),
    });
    const older = strange.replace('rot13', 'Blowfish CFB');
    await expect(read('a.odt', odt(manifestOf(entryOf('content.xml', older))), 'x')).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringMatching(/Blowfish, as before OpenDocument 1\.2/),
    });
  });
});
