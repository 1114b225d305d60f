// The one reader of ZIPs on the disk, for whoever reads files of others in the box without being a reader.
export { openZipOnDisk, type ZipMember } from '@footnote/readers/containers/zip-on-disk';
