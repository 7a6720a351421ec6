export {
  Catalog,
  type CatalogChange,
  type CatalogOptions,
  type CatalogRefresh,
} from './catalog.js';
