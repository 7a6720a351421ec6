export { observeOutput } from './observe-output.js';
export { resolveSchema } from './resolve-schema.js';
export { type Field, inputParameters, outputFields, type Parameter } from './schema-fields.js';
export { resolveReference, scopeOf } from './schema-scope.js';
export { propertiesOf, typeOfSchema } from './schema-type.js';
export { shortType } from './short-type.js';
export { type TypeBits, typeBitsOf, typeFit } from './type-fit.js';
export { nameOf } from './type-text.js';
