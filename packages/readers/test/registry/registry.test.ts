import { describe, expect, it } from 'vitest';
import { formats } from '../../src/media-types.ts';
import { loaderOf } from '../../src/registry/registry.ts';

describe('the table of formats and the parsers', () => {
  it.each(formats.map(({ name, mime }) => [name, mime]))('%s (%s) has a parser that says so', async (_, mime) => {
    const load = loaderOf(mime);
    expect(load).toBeDefined();
    expect((await load?.())?.mimes).toContain(mime);
  });

  it('no extension and no media type means two formats', () => {
    const extensions = formats.flatMap((format) => format.extensions);
    const types = formats.flatMap((format) => [format.mime, ...(format.aliases ?? [])]);
    expect(new Set(extensions).size).toBe(extensions.length);
    expect(new Set(types).size).toBe(types.length);
  });

  it('knows no parser for what is in no table', () => {
    expect(loaderOf('application/x-unknown')).toBeUndefined();
  });
});
