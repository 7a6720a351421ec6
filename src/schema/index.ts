export {
  choicesOf,
  itemSchemas,
  propertiesOf,
  requiredOf,
  textsIn,
  typeNames,
} from './keywords.js';
export { observeOutput } from './observe-output.js';
export { followReferences, referredBy, resolveReference } from './resolve-reference.js';
export { resolveSchema } from './resolve-schema.js';
export { isResource } from './schema-document.js';
export {
  inputParameters,
  outputFields,
  type SchemaField,
  type ToolParameter,
} from './schema-fields.js';
export { follow, scopeOf } from './schema-scope.js';
export { propertyTypes, typeOfSchema } from './schema-type.js';
export { shortType } from './short-type.js';
export { type TypeBits, typeBitsOf, typeFit } from './type-fit.js';
export { nameOf, propertyText } from './type-text.js';
export { hasType } from './value-type.js';
