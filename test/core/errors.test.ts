import { ReadError } from '@footnote/readers/read-error';
import { describe, expect, it } from 'vitest';
import { errorTable, FootnoteError, toFootnoteError } from '../../src/core/errors.ts';

describe('the error table', () => {
  it('has a sound status and exit code for every code', () => {
    for (const [code, rule] of Object.entries(errorTable)) {
      expect(rule.status, code).toBeGreaterThanOrEqual(400);
      expect(rule.status, code).toBeLessThan(600);
      expect(rule.exitCode, code).toBeGreaterThan(0);
      expect(rule.title, code).not.toMatch(/\.$/);
    }
  });
});

describe('toFootnoteError', () => {
  it.each([
    [Object.assign(new Error('x'), { code: 'ENOSPC' }), 'storage-full'],
    [Object.assign(new Error('x'), { code: 'EACCES', path: '/a' }), 'storage-denied'],
    [Object.assign(new Error('x'), { code: 'EADDRINUSE' }), 'port-taken'],
    [new DOMException('x', 'AbortError'), 'cancelled'],
    [new DOMException('x', 'TimeoutError'), 'deadline-exceeded'],
    [new TypeError('x'), 'internal'],
    ['thrown text', 'internal'],
    [undefined, 'internal'],
  ])('%s → %s', (thrown, code) => {
    expect(toFootnoteError(thrown).code).toBe(code);
  });

  it('names the path and keeps a FootnoteError as it is', () => {
    const known = new FootnoteError('conflict', 'x');
    expect(toFootnoteError(known)).toBe(known);
    expect(toFootnoteError(Object.assign(new Error('x'), { code: 'EACCES', path: '/a' })).message).toContain('/a');
  });

  it('takes what a reader says as it is, and nothing that only calls itself one', () => {
    const said = new ReadError('invalid-media', 'a.pdf is encrypted.', { details: { reason: 'password-needed' } });
    expect(toFootnoteError(said)).toMatchObject({
      name: 'FootnoteError',
      code: 'invalid-media',
      message: 'a.pdf is encrypted.',
      details: { reason: 'password-needed' },
    });
    const other = Object.assign(new Error('x'), { name: 'ReadError', code: 'toString' });
    expect(toFootnoteError(other).code).toBe('internal');
  });
});
