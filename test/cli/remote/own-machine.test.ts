// A server is asked on this machine alone, whatever a lock file says.
import { describe, expect, it } from 'vitest';
import { addressOnThisMachine } from '../../../src/cli/remote/own-machine.ts';

const ports = {
  own: () => ['127.0.0.1', '::1', '10.1.2.3', 'fe80::1'],
  addressesOf: async (name: string) => {
    const known = {
      'desk.example': ['10.1.2.3'],
      'evil.example': ['203.0.113.9'],
      'both.example': ['127.0.0.1', '203.0.113.9'],
    };
    const found = known[name as keyof typeof known];
    if (!found) throw new Error('nobody knows it');
    return found;
  },
};

describe('addressOnThisMachine', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.8.8.8', '127.8.8.8'],
    ['::1', '::1'],
    ['0.0.0.0', '0.0.0.0'],
    ['::', '::'],
    ['10.1.2.3', '10.1.2.3'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['desk.example', '10.1.2.3'],
  ])('reaches %s', async (host, address) => {
    expect(await addressOnThisMachine(host, ports)).toBe(address);
  });

  it.each([
    '10.1.2.4',
    '203.0.113.9',
    '2001:db8::1',
    'evil.example',
    'both.example',
    'unknown.example',
    '',
    '127.0.0.1.evil.example',
  ])('refuses %s', async (host) => {
    expect(await addressOnThisMachine(host, ports)).toBeUndefined();
  });

  it('knows the names of this machine', async () => {
    expect(await addressOnThisMachine('localhost')).toMatch(/^127\.|^::1$/u);
  });
});
