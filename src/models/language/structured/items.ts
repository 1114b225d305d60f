// Reads the items of a list out of JSON while it is still being written: `{"claims": [item, item, …` gives each item as soon as its
// last bracket is there. Invariant: an item is given once, whole, in order, and exactly as `JSON.parse` of the whole text would hold it.

export interface ItemReader {
  /** The items that this piece of text completes. */
  push(piece: string): unknown[];
}

const deepest = 64;

/** What may stand before the answer. After thoughts or sentences nobody knows yet which object is the answer: no items come then. */
const lead = /^\s*(?:```\w*\s*)?$/u;

/**
 * Items that are objects, in the list under `key` of the outermost object, which must come first or in a fence. After damaged JSON, or
 * nesting beyond 64 levels, no more items come. Time linear in the text.
 */
export function createItemReader(key: string): ItemReader {
  let text = '';
  let next = 0;
  let isString = false;
  let stringStart = 0;
  /** The last string of the outermost object that was closed, and whether a colon followed: its current key. */
  let lastString = '';
  let currentKey = '';
  const open: string[] = [];
  let itemStart = 0;
  let isOver = false;
  const isInList = (): boolean => open.length >= 2 && open[0] === '{' && open[1] === '[' && currentKey === key;

  // oxlint-disable-next-line complexity -- Each kind of message that a provider sends is a case.
  const read = (items: unknown[]): void => {
    for (; next < text.length && !isOver; next++) {
      const character = text[next];
      if (isString) {
        // The escaped character may be in the next piece: its place is passed all the same.
        if (character === '\\') next += 1;
        else if (character === '"') {
          isString = false;
          if (open.length === 1) lastString = text.slice(stringStart, next + 1);
        }
      } else if (character === '"') {
        isString = open.length > 0;
        stringStart = next;
      } else if (character === ':' && open.length === 1) currentKey = nameOf(lastString);
      else if (character === '{' || character === '[') {
        if (open.length === 0 && !lead.test(text.slice(0, next))) isOver = true;
        if (isInList() && open.length === 2 && character === '{') itemStart = next;
        open.push(character);
        if (open.length > deepest) isOver = true;
      } else if ((character === '}' || character === ']') && open.length > 0) {
        const opening = open.pop();
        if ((opening === '{') !== (character === '}')) isOver = true;
        else if (opening === '{' && isInList() && open.length === 2) {
          const item = parsed(text.slice(itemStart, next + 1));
          if (item === undefined) isOver = true;
          else items.push(item);
        }
      }
    }
  };
  return {
    push(piece) {
      const items: unknown[] = [];
      if (isOver) return items;
      text += piece;
      read(items);
      return items;
    },
  };
}

function nameOf(written: string): string {
  const name = parsed(written);
  return typeof name === 'string' ? name : '';
}

function parsed(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}
