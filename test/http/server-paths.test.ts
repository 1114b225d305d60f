// What a key is told of where things lie on the server: nothing, while routes and what it sent itself stay readable.
import { describe, expect, it } from 'vitest';
import { withoutServerPaths } from '../../src/http/server-paths.ts';

const hidden = '(a path on the server)';

describe('withoutServerPaths', () => {
  it.each([
    ['/home/ann/notes.footnote/record.sqlite: No permission.', `${hidden}: No permission.`],
    ['The folder "/etc/ssl" is not there.', `The folder "${hidden}" is not there.`],
    ['Read /var/lib/x, /tmp/y and /usr.', `Read ${hidden}, ${hidden} and ${hidden}`],
    ['See file:///home/ann/a%20b.md now.', `See ${hidden} now.`],
    ['C:\\Users\\ann\\x.txt is gone', `${hidden} is gone`],
    ['/srv/my data/record.sqlite is damaged', `${hidden} is damaged`],
  ])('%s', (text, told) => {
    expect(withoutServerPaths(text, ['/srv/my data'])).toBe(told);
  });

  it.each([
    'GET /v1/schemas/filter describes one, POST /admin/keys makes one.',
    'The document docs/a/b.md has 3/4 of it; see https://example.org/tmp/x and a/tmp/y.',
    'Listen on http://127.0.0.1:4180/ or ./tmp/x or ../etc.',
  ])('leaves what is no path of the machine: %s', (text) => {
    expect(withoutServerPaths(text)).toBe(text);
  });
});
