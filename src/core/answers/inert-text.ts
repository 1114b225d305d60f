// Takes the power out of markup in a claim: Markdown links and images to an address, and HTML that loads, runs or hides something, become
// text that reads the same. Invariants: only spaces are added, so that the verifier reads the same words; what no client acts on stays
// as it is. CommonMark 0.31 (6.3 links, 6.6 raw HTML), GFM 0.29 (6.11 disallowed raw HTML); EchoLeak, CVE-2025-32711.

/** A destination with a scheme, a host, or characters that can spell one (entities, escapes). Paths of the same site load nothing foreign. */
const destination = /\](?=\(\s*<?[^)\s]{0,200}(?::|\/\/|\\|&))/gu;
/** Comments, declarations and elements that swallow or run what follows; and any tag with an attribute. */
const tag =
  /<(?=[!?]|\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|noscript|script|plaintext|template|svg|math)\b|[a-z][\w:-]*[\s/][^<>]*=)/giu;

/** The claim as text that no Markdown or HTML client acts on. Pure; the second time changes nothing. */
export function toInert(claim: string): string {
  return claim.replace(destination, '] ').replace(tag, '< ');
}
