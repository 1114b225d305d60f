// Files that are built as such: importing one gives its address.
declare module '*?url' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: A file is imported so.
  export default address;
}
declare module '*.css';
