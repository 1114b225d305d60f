// Kind and size of a picture from its first bytes, without unpacking it: PNG (W3C), JPEG (ITU-T T.81 §B.2.2), BMP, GIF (89a §18), WebP (RFC 9649).
// Linear time, and nothing outside of the bytes is looked at.

export interface PictureHead {
  readonly mime: 'image/png' | 'image/jpeg' | 'image/bmp' | 'image/gif' | 'image/webp';
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Undefined for other kinds, and where the head says no size. */
export function pictureHead(bytes: Uint8Array): PictureHead | undefined {
  if (bytes.length < 30) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const signature = view.getUint32(0);
  if (signature === 0x89504e47) return { mime: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
  if (signature >>> 16 === 0x424d)
    return { mime: 'image/bmp', width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
  if (signature === 0x47494638)
    return { mime: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (signature === 0x52494646 && view.getUint32(8) === 0x57454250) return webpHead(view);
  return signature >>> 16 === 0xffd8 ? jpegHead(view) : undefined;
}

function jpegHead(view: DataView): PictureHead | undefined {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // Bytes that fill, and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { mime: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}

function webpHead(view: DataView): PictureHead | undefined {
  const [kind, mime] = [view.getUint32(12), 'image/webp'] as const;
  if (kind === 0x56503858) {
    const part = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
    return { mime, width: part(24), height: part(27) };
  }
  if (kind === 0x56503820)
    return { mime, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind !== 0x5650384c) return undefined;
  const bits = view.getUint32(21, true);
  return { mime, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
