// The path of a document, for filters: what a person would type, whatever the scheme of the uri.

/** `file:` and web addresses: the decoded path; anything else: the uri itself without a leading `./`. Total. */
export function toDocumentPath(uri: string): string {
  if (/^(file|https?):\/\//i.test(uri)) {
    try {
      return decodeURIComponent(new URL(uri).pathname);
    } catch {
      return uri;
    }
  }
  return uri.replace(/^(\.\/)+/, '');
}
