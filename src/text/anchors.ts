// Anchors name a place in a page and print nothing: `<a id="w03">W03</a>` in Markdown reads "W03". Pure.

const named = /<a\s{1,4}(?:id|name)\s{0,4}=\s{0,4}(?:"[^"<>]{0,100}"|'[^'<>]{0,100}')\s{0,4}>([^<>]{0,200})<\/a>/giu;

/** The text as it is printed: what an anchor encloses stays. */
export const withoutAnchors = (text: string): string => (text.includes('<') ? text.replace(named, '$1') : text);
