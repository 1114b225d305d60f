// Blocks of Org files: from their opening to the end of the same name, and what no kind of block is called like is read as what it holds.
import { expect, it } from 'vitest';
import { org } from '../../src/markup/org.ts';

const kindsOf = async (text: string): Promise<readonly (readonly [kind: string, text: string])[]> => {
  const document = await org.parse({ name: 'a.org', bytes: Buffer.from(text) });
  return document.blocks.map(({ kind, start, end }) => [kind, document.text.slice(start, end)] as const);
};

it('ends a block at the end of its name, whatever its case', async () => {
  const code = '#+BEGIN_SRC sh\nls\n#+end_srcs\n#+end_quote\n#+End_Src';
  expect(await kindsOf(`${code}\n\nAfter.\n`)).toEqual([
    ['code', code],
    ['paragraph', 'After.'],
  ]);
});

it.each(['constructor', 'toString', '__proto__', 'center'])('takes begin_%s for no block of its own', async (name) => {
  expect(await kindsOf(`#+begin_${name}\nText.\n#+end_${name}\n`)).toEqual([
    ['other', `#+begin_${name}`],
    ['paragraph', 'Text.'],
    ['other', `#+end_${name}`],
  ]);
});
