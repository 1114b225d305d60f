// Doors tell exports of conversations from documents.

/** The format of an export that a file is, or undefined. What tells it is loaded when the first file is looked at. */
export async function tellExport(path: string) {
  const exports = await import('../memory/archive/import/export-process.ts');
  return exports.tellExport(path);
}
