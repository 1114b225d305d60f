// Pictures as PDFs pack them, written by hand: of fax machines, of JBIG2 and of JPEG 2000. Each is even, as even ones take no encoder.

export interface PackedPicture {
  readonly format: string;
  /** How light it is drawn, 0 to 255. */
  readonly grey: number;
  /** What the PDF says of it. */
  readonly described: string;
  readonly bytes: Uint8Array;
}

const bytesOf = (bits: string): Buffer =>
  Buffer.from(
    (bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/gu) ?? []).map((one) => Number.parseInt(one, 2)),
  );
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** No white point, then 64 black ones: a run of 64 and its end. */
const blackRow = '00110101' + '0000001111' + '0000110111';

/** 64 by 8 black points, one dimension (ITU-T T.4). */
const fax: PackedPicture = {
  format: 'CCITT',
  grey: 0,
  described:
    '/Width 64 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /CCITTFaxDecode /DecodeParms << /K 0 /Columns 64 /Rows 8 /EndOfBlock false >>',
  bytes: bytesOf(blackRow.repeat(8)),
};

/** The same in JBIG2 (ITU-T T.88): a page, and a region of two dimensions whose rows but the first are as the one above. */
function jbig2(): PackedPicture {
  const points = bytesOf(`001${blackRow}${'11'.repeat(7)}`);
  const size = '00000040 00000008';
  const page = hex(`00000000 30 00 01 00000013 ${size} 00000000 00000000 00 0000`);
  const region = hex(`${size} 00000000 00000000 00 01`);
  const head = hex(`00000001 26 00 01 ${(region.length + points.length).toString(16).padStart(8, '0')}`);
  return {
    format: 'JBIG2',
    grey: 0,
    described: '/Width 64 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode',
    bytes: Buffer.concat([page, head, region, points]),
  };
}

/** 64 by 64 points of JPEG 2000 (ITU-T T.800) without any coefficient, which is the grey in the middle: sizes, coding, quantities, one empty packet. */
const jpx: PackedPicture = {
  format: 'JPEG 2000',
  grey: 128,
  described: '/Width 64 /Height 64 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /JPXDecode',
  bytes: hex(
    [
      'ff4f',
      'ff51 0029 0000 00000040 00000040 00000000 00000000 00000040 00000040 00000000 00000000 0001 07 01 01',
      'ff52 000c 00 00 0001 00 00 04 04 00 01',
      'ff5c 0004 40 40',
      'ff90 000a 0000 0000000f 00 01',
      'ff93 00',
      'ffd9',
    ].join(' '),
  ),
};

export const pictures = [fax, jbig2(), jpx] as const;

/** A page with a line of text above the picture. */
export function pdfWith({ described, bytes }: PackedPicture): Uint8Array {
  const drawing = 'q 200 0 0 100 0 0 cm /Picture Do Q BT /Font 12 Tf 20 150 Td (The scanned page of the mill.) Tj ET';
  const picture = Buffer.from(bytes).toString('latin1');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /XObject << /Picture 5 0 R >> /Font << /Font 6 0 R >> >> >>',
    `<< /Length ${drawing.length} >> stream\n${drawing}\nendstream`,
    `<< /Type /XObject /Subtype /Image ${described} /Length ${picture.length} >> stream\n${picture}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.5\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = file.length;
  file += `xref\n0 7\n0000000000 65535 f \n${places.join('')}trailer << /Size 7 /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
