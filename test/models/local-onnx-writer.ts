// Writes ONNX files, as far as the tiny model of the tests needs them: protocol buffers by hand (the wire format of
// protobuf.dev/programming-guides/encoding, the field numbers of onnx.proto3), so that no model is committed and no
// dependency is needed to make one.

const encoder = new TextEncoder();

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return bytes;
}

type Field = readonly [number, number | string | Uint8Array];

/** A message of numbered fields; a number is a varint, the rest is length-delimited. */
function message(...fields: readonly Field[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [number, value] of fields) {
    if (typeof value === 'number') parts.push(Uint8Array.from([...varint(number << 3), ...varint(value)]));
    else {
      const bytes = typeof value === 'string' ? encoder.encode(value) : value;
      parts.push(Uint8Array.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes);
    }
  }
  return Buffer.concat(parts);
}

/** Element types of onnx.proto3 (TensorProto.DataType). */
export const elementTypes = { float: 1, int64: 7, float16: 10 } as const;
type ElementType = keyof typeof elementTypes;

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly output: string;
  /** Integer attributes. */
  readonly attributes?: Readonly<Record<string, number>>;
}

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly constants: Readonly<
    Record<string, { readonly dims: readonly number[]; readonly data: Float32Array | BigInt64Array }>
  >;
  /** A dimension is a number or the name of a free one. */
  readonly inputs: Readonly<
    Record<string, { readonly type: ElementType; readonly dims: readonly (number | string)[] }>
  >;
  readonly outputs: Readonly<
    Record<string, { readonly type: ElementType; readonly dims: readonly (number | string)[] }>
  >;
}

function valueInfo(name: string, { type, dims }: OnnxGraph['inputs'][string]): Uint8Array {
  const shape = message(...dims.map((dim): Field => [1, message(typeof dim === 'number' ? [1, dim] : [2, dim])]));
  return message([1, name], [2, message([1, message([1, elementTypes[type]], [2, shape])])]);
}

/** The bytes of a model file: ir_version 8, operators of opset 13. */
export function toOnnx(graph: OnnxGraph): Uint8Array {
  const nodes = graph.nodes.map(
    ({ op, inputs, output, attributes = {} }): Field => [
      1,
      message(
        ...inputs.map((input): Field => [1, input]),
        [2, output],
        [3, output],
        [4, op],
        ...Object.entries(attributes).map(([name, value]): Field => [5, message([1, name], [3, value], [20, 2])]),
      ),
    ],
  );
  const constants = Object.entries(graph.constants).map(
    ([name, { dims, data }]): Field => [
      5,
      message(
        ...dims.map((dim): Field => [1, dim]),
        [2, data instanceof Float32Array ? elementTypes.float : elementTypes.int64],
        [8, name],
        [9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)],
      ),
    ],
  );
  const body = message(
    ...nodes,
    [2, 'tiny'],
    ...constants,
    ...Object.entries(graph.inputs).map(([name, info]): Field => [11, valueInfo(name, info)]),
    ...Object.entries(graph.outputs).map(([name, info]): Field => [12, valueInfo(name, info)]),
  );
  return message([1, 8], [2, 'footnote-tests'], [7, body], [8, message([1, ''], [2, 13])]);
}
