import {
  type CatalogTool,
  parseToolId,
  type ServerName,
  type ToolId,
  type ToolOverride,
  type ToolOverrides,
} from '../core/index.js';
import { overrideFault, overrideTool, strangeParameters } from './override-tool.js';

/** An override that does not do what the user wants, and why. */
export interface OverrideProblem {
  readonly tool: ToolId;
  readonly problem: string;
}

type FindListed = (tool: ToolId) => CatalogTool | undefined;

/** Tools with the overrides of the user. Replaced as a whole when the configuration changes. */
export class OverriddenTools {
  readonly #overrides: ToolOverrides;
  /** By the tool as it is listed: the same object for as long as nothing changes. */
  readonly #made = new WeakMap<CatalogTool, CatalogTool>();
  readonly #listed: FindListed;

  constructor(overrides: ToolOverrides, listed: FindListed) {
    this.#overrides = overrides;
    this.#listed = listed;
  }

  of(tool: ToolId): ToolOverride | undefined {
    return this.#overrides.get(tool);
  }

  /** A listed tool as agents see it. */
  seen(tool: CatalogTool): CatalogTool {
    const override = this.#overrides.get(tool.id);
    if (!override) return tool;
    const made = this.#made.get(tool) ?? overrideTool(tool, override);
    this.#made.set(tool, made);
    return made;
  }

  /** Why a tool cannot be called with its override. */
  faultOf(tool: ToolId): string | undefined {
    const override = this.#overrides.get(tool);
    return override && overrideFault(override, this.#listed(tool));
  }

  /** What is wrong with overrides, as far as the lists of their servers are known. */
  problems(isListed: (server: ServerName) => boolean): readonly OverrideProblem[] {
    return [...this.#overrides].flatMap(([tool, override]) => {
      const problem = this.#problemOf(tool, override, isListed(parseToolId(tool).server));
      return problem === undefined ? [] : [{ tool, problem }];
    });
  }

  #problemOf(id: ToolId, override: ToolOverride, isListed: boolean): string | undefined {
    const tool = this.#listed(id);
    const fault = overrideFault(override, tool);
    if (fault !== undefined) return `PML refuses the tool: ${fault}`;
    if (!isListed) return undefined;
    if (!tool || tool.status === 'gone') return 'its server lists no such tool';
    const strange = strangeParameters(override, tool);
    return strange.length > 0 ? `the tool has no parameter ${strange.join(', ')}` : undefined;
  }
}
