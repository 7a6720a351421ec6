// Dynamic 8-bit quantisation of a BERT-style ONNX model. A product with constant weights becomes
// DynamicQuantizeLinear → MatMulInteger → Cast → Mul, with one scale per column of the weights; an
// embedding table keeps one scale per row. The names and the order of what is added are part of the
// result, whose checksum is pinned.
import protobuf from 'protobufjs';

/** 7 bits: products of full 8-bit values overflow in the 16-bit sums of CPUs with AVX2 but no VNNI. */
const MATRIX_RANGE = 63;
const TABLE_RANGE = 127;
/** Scale of a column or row of zeros. */
const LEAST_MAXIMUM = 1e-8;
/** Smaller tables, such as positions, are not worth it. */
const LEAST_TABLE_ROWS = 1001;

/** `TensorProto.DataType`. */
const FLOAT = 1;
const INT8 = 3;
/** `AttributeProto.AttributeType`. */
const INT_ATTRIBUTE = 2;

/** The part of onnx.proto that is changed; the rest passes as bytes. */
const { root } = protobuf.parse(
  `syntax = "proto2";
  message Tensor {
    repeated int64 dims = 1 [packed = true];
    optional int32 data_type = 2;
    repeated float float_data = 4 [packed = true];
    repeated int32 int32_data = 5 [packed = true];
    repeated int64 int64_data = 7 [packed = true];
    optional string name = 8;
    optional bytes raw_data = 9;
    optional string doc_string = 12;
  }
  message Attribute {
    optional string name = 1;
    optional int64 i = 3;
    optional int32 type = 20;
  }
  message Node {
    repeated string input = 1;
    repeated string output = 2;
    optional string name = 3;
    optional string op_type = 4;
    repeated bytes attribute = 5;
    optional string doc_string = 6;
    optional string domain = 7;
  }
  message Graph {
    repeated Node node = 1;
    optional string name = 2;
    repeated Tensor initializer = 5;
    optional string doc_string = 10;
    repeated bytes input = 11;
    repeated bytes output = 12;
    repeated bytes value_info = 13;
  }
  message Opset {
    optional string domain = 1;
    optional int64 version = 2;
  }
  message Model {
    optional int64 ir_version = 1;
    optional string producer_name = 2;
    optional string producer_version = 3;
    optional string domain = 4;
    optional int64 model_version = 5;
    optional string doc_string = 6;
    optional Graph graph = 7;
    repeated Opset opset_import = 8;
    repeated bytes metadata_props = 14;
  }`,
  { keepCase: true },
);
const Model = root.lookupType('Model');
const Attribute = root.lookupType('Attribute');

/** The bytes of a model in, the bytes of the smaller one out. */
export function quantizeModel(bytes) {
  const model = Model.decode(bytes);
  const { graph } = model;
  const weights = new Map(
    graph.initializer.filter(isFloatMatrix).map((tensor) => [tensor.name, tensor]),
  );
  const made = { nodes: [], tensors: [], matrices: 0, tables: 0, quantizedInputs: new Map() };
  for (const node of graph.node) {
    const matrix = node.op_type === 'MatMul' ? weights.get(node.input[1]) : undefined;
    const table = node.op_type === 'Gather' ? weights.get(node.input[0]) : undefined;
    if (matrix) replaceProduct(made, node, matrix);
    else if (table && Number(table.dims[0]) >= LEAST_TABLE_ROWS) replaceLookup(made, node, table);
    else made.nodes.push(node);
  }
  const used = new Set(made.nodes.flatMap(({ input }) => input));
  const kept = graph.initializer.filter(({ name }) => used.has(name));
  graph.initializer = [...kept, ...made.tensors];
  graph.node = made.nodes;
  graph.value_info = [];
  model.producer_name = 'pml-quantize';
  return Model.encode(model).finish();
}

function isFloatMatrix({ dims, data_type }) {
  return dims.length === 2 && data_type === FLOAT;
}

function replaceProduct(made, { input, output }, matrix) {
  const name = `q_${made.matrices++}`;
  const { dims, values, scales } = quantizeColumns(matrix);
  made.tensors.push(
    tensor(`${name}_w`, dims, values),
    tensor(`${name}_s`, [dims[1]], scales),
    tensor(`${name}_z`, [dims[1]], new Int8Array(dims[1])),
  );
  const from = quantizeInput(made, input[0]);
  made.nodes.push(
    node('MatMulInteger', `${name}_mm`, {
      input: [`${from}_q`, `${name}_w`, `${from}_z`, `${name}_z`],
      output: `${name}_i`,
    }),
    castToFloat(`${name}_c`, `${name}_i`, `${name}_f`),
    node('Mul', `${name}_sc`, { input: [`${from}_s`, `${name}_s`], output: `${name}_ss` }),
    node('Mul', `${name}_o`, { input: [`${name}_f`, `${name}_ss`], output: output[0] }),
  );
}

/** Several products often share an input, e.g. query, key and value of attention. */
function quantizeInput({ nodes, quantizedInputs }, input) {
  const known = quantizedInputs.get(input);
  if (known !== undefined) return known;
  const name = `dql_${quantizedInputs.size}`;
  quantizedInputs.set(input, name);
  nodes.push({
    op_type: 'DynamicQuantizeLinear',
    name,
    input: [input],
    output: [`${name}_q`, `${name}_s`, `${name}_z`],
  });
  return name;
}

function replaceLookup(made, { input, output, attribute }, table) {
  const name = `e_${made.tables++}`;
  const { dims, values, scales } = quantizeRows(table);
  made.tensors.push(tensor(`${name}_w`, dims, values), tensor(`${name}_s`, [dims[0], 1], scales));
  made.nodes.push(
    {
      ...node('Gather', `${name}_g`, { input: [`${name}_w`, input[1]], output: `${name}_q` }),
      attribute,
    },
    castToFloat(`${name}_c`, `${name}_q`, `${name}_f`),
    {
      ...node('Gather', `${name}_gs`, { input: [`${name}_s`, input[1]], output: `${name}_sg` }),
      attribute,
    },
    node('Mul', `${name}_o`, { input: [`${name}_f`, `${name}_sg`], output: output[0] }),
  );
}

function quantizeColumns(matrix) {
  const { dims, weights } = readFloats(matrix);
  const [rows, columns] = dims;
  const scales = new Float32Array(columns);
  for (let at = 0; at < weights.length; at += 1) {
    const column = at % columns;
    scales[column] = Math.max(scales[column], Math.abs(weights[at]));
  }
  for (let column = 0; column < columns; column += 1) {
    scales[column] = (scales[column] || LEAST_MAXIMUM) / MATRIX_RANGE;
  }
  const values = new Int8Array(rows * columns);
  for (let at = 0; at < weights.length; at += 1) {
    const value = Math.round(weights[at] / scales[at % columns]);
    values[at] = Math.max(-MATRIX_RANGE, Math.min(MATRIX_RANGE, value));
  }
  return { dims, values, scales };
}

function quantizeRows(table) {
  const { dims, weights } = readFloats(table);
  const [rows, columns] = dims;
  const scales = new Float32Array(rows);
  const values = new Int8Array(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const start = row * columns;
    let maximum = 0;
    for (let at = start; at < start + columns; at += 1) {
      maximum = Math.max(maximum, Math.abs(weights[at]));
    }
    scales[row] = (maximum || LEAST_MAXIMUM) / TABLE_RANGE;
    for (let at = start; at < start + columns; at += 1) {
      values[at] = Math.round(weights[at] / scales[row]);
    }
  }
  return { dims, values, scales };
}

function readFloats({ dims, raw_data, float_data }) {
  const weights = raw_data?.length
    ? new Float32Array(new Uint8Array(raw_data).buffer)
    : Float32Array.from(float_data);
  return { dims: dims.map(Number), weights };
}

function tensor(name, dims, values) {
  const raw_data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return { name, dims, data_type: values instanceof Int8Array ? INT8 : FLOAT, raw_data };
}

function node(op_type, name, { input, output }) {
  return { op_type, name, input, output: [output] };
}

function castToFloat(name, input, output) {
  const to = Attribute.encode({ name: 'to', i: FLOAT, type: INT_ATTRIBUTE }).finish();
  return { ...node('Cast', name, { input: [input], output }), attribute: [to] };
}
