export {
  Catalog,
  type CatalogChange,
  type CatalogOptions,
  type CatalogRefresh,
  type HiddenText,
} from './catalog.js';
export { DefinitionPins } from './definition-pins.js';
export type { OverrideProblem } from './overridden-tools.js';
export type { PinPolicy } from './judge-pin.js';
export { readAhead } from './parse-tools.js';
