// Doors tell exports of conversations from documents.

/** The format of an export that a file is, or undefined. Readers of exports are loaded when the first file is looked at. */
export async function tellExport(path: string) {
  const exports = await import('../memory/archive/import/open-export.ts');
  return exports.tellExport(path);
}
