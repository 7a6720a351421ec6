export {
  Catalog,
  type CatalogChange,
  type CatalogOptions,
  type CatalogRefresh,
} from './catalog.js';
export { type ParsedTool, parseTools } from './parse-tools.js';
export { type ReconcileOptions, type Reconciled, reconcileTools } from './reconcile-tools.js';
