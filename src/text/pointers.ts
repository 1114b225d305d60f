// Pieces that are only a link: they hold the words of a question and answer nothing. Pure.

/** Is the piece only the name of something (a link, an address, an image) that says nothing by itself? */
export function isBareLink(piece: string): boolean {
  const rest = piece
    .replace(/!?\[[^[\]\n]*\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)/g, '')
    .replace(/<?\bhttps?:\/\/[^\s>]+>?/g, '');
  return rest !== piece && !/[\p{L}\p{N}]/u.test(rest);
}
