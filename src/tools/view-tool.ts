import type { CatalogTool, ServerName } from '../core/index.js';

/** A tool that clients may see. */
export interface ViewTool {
  readonly server: ServerName;
  readonly name: string;
  readonly tool: CatalogTool;
}
