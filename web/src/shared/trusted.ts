// What may reach a place of the browser that runs script: the worker of our build, and pages that the server made. The policy of the pages refuses everything
// that does not come through here (Trusted Types); browsers that do not know them take the text itself.

interface Policy {
  createHTML(html: string): string;
  createScriptURL(url: string): string;
}
interface Policies {
  createPolicy(name: string, policy: Policy): Policy;
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies };
const same = (text: string): string => text;
const policy = trustedTypes?.createPolicy('footnote', {
  createHTML: same,
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} is no script of ours.`);
    return url;
  },
});

/** Only for what the server made with all that others wrote in it escaped. */
export const trustedHtml = (html: string): string => policy?.createHTML(html) ?? html;

export const trustedScript = (url: string): string => policy?.createScriptURL(url) ?? url;
