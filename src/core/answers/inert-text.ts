// Takes the power out of markup in what an answer says: Markdown links and images to an address, and HTML that loads, runs or hides something, become
// text that reads the same. Invariants: only spaces are added, so that the verifier reads the same words; what no client acts on stays
// as it is. CommonMark 0.31 (6.3 links, 6.6 raw HTML), GFM 0.29 (6.11 disallowed raw HTML); EchoLeak, CVE-2025-32711.

/** A destination with a scheme, a host, or characters that can spell one (entities, escapes). Paths of the same site load nothing foreign. */
const destination = /\](?=\(\s*(?:<[^>]{0,200}|[^)\s]{0,200})(?::|\/\/|\\|&))/gu;
/**
 * Comments, declarations and elements that swallow or run what follows; addresses that run; a tag with the value of an attribute or the name of a
 * handler, however it is written, and one that does not end here, since what is said next would end it. Before the first `=` of a tag nothing is
 * quoted: `>` ends it there.
 */
const tag =
  /<(?=[!?]|\/(?![a-z])|\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|frameset|noscript|script|plaintext|template|svg|math)\b|(?:javascript|vbscript|data):|\/?[a-z](?!(?:(?![\s/]on)[^>=]){0,200}>))/gi;

/** Markdown makes a link of it that the document does not have: `mailto:` stands nowhere in it. */
const mailbox = /<(?=[^\s<>@]{1,64}@[^\s<>@]{1,255}>)/gu;

/** The text as one that no Markdown or HTML client acts on, also beside other such texts. Pure; the second time changes nothing. */
export function toInert(text: string): string {
  return text.replace(destination, '] ').replace(tag, '< ').replace(mailbox, '< ');
}
