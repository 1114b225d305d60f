// Doors tell exports of conversations from documents.
export { tellExport } from '../memory/archive/import/open-export.ts';
