// The columns that commits write, with their types.
import type { Columns } from './client/insert-rows.ts';

const texts = <Names extends string>(names: Names): Columns =>
  Object.fromEntries(names.split(' ').map((name) => [name, 'text' as const]));
const counts = (names: string): Columns =>
  Object.fromEntries(names.split(' ').map((name) => [name, 'bigint' as const]));

export const documentTypes: Columns = {
  ...texts(
    'tenant id source source_type uri title mime language category version published_at updated_at content_hash',
  ),
  ...texts('text_hash metadata access warnings reading seal path uri_hash'),
  ...counts('revision text_length chunk_count cite_by_line changed'),
  published_ms: 'double precision',
  updated_ms: 'double precision',
  stores: 'list',
  readers: 'list',
};
export const bodyColumns: Columns = {
  ...texts('tenant document_id file_hash'),
  text: 'bytea',
  structure: 'bytea',
  file: 'bytea',
};
export const chunkTypes: Columns = {
  ...texts('tenant id document_id hash heading_path place headings text seal'),
  ...counts('ordinal start_offset end_offset first_page last_page first_line last_line tokens'),
};
export const deliveryColumns: Columns = {
  ...texts('tenant document_id store status last_error updated_at'),
  ...counts('revision attempts'),
};
export const erasureColumns: Columns = texts('tenant kind id principal source uri noted_at');
