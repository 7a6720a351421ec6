import type { Capabilities } from '../capabilities/index.js';
import type { Catalog } from '../catalog/index.js';
import { BUILT_IN_SERVER, isCapability, parseToolId, type ToolId } from '../core/index.js';
import { createToolPolicy, joinPolicies, type ToolPolicy } from '../policy/index.js';
import type { GatewaySettings } from './settings.js';

type Rules = Pick<GatewaySettings, 'permissions' | 'workflows'>;

/** What the user's rules, a tool's own hints and its name say of calling it, worked out once each. */
export class ToolPolicies {
  readonly #catalog: Catalog;
  readonly #capabilities: Capabilities;
  readonly #known = new Map<ToolId, ToolPolicy>();
  #judge: ReturnType<typeof createToolPolicy>;

  constructor(rules: Rules, parts: { catalog: Catalog; capabilities: Capabilities }) {
    this.#catalog = parts.catalog;
    this.#capabilities = parts.capabilities;
    this.#judge = createJudge(rules);
  }

  configure(rules: Rules): void {
    this.#judge = createJudge(rules);
    this.forget();
  }

  /** Definitions changed, or what capabilities reach. */
  forget(): void {
    this.#known.clear();
  }

  of(tool: ToolId): ToolPolicy {
    const known = this.#known.get(tool);
    if (known) return known;
    const policy = this.#judged(tool);
    this.#known.set(tool, policy);
    return policy;
  }

  #judged(tool: ToolId): ToolPolicy {
    const { server, tool: name } = parseToolId(tool);
    if (server === BUILT_IN_SERVER) return { risk: 'read', repeatable: true };
    if (!isCapability(tool)) {
      const stated = this.#catalog.overridden.of(tool)?.annotations;
      // What the server says; what the user says beside it counts more.
      return this.#judge(tool, this.#catalog.listed(tool)?.definition, stated);
    }
    // One that is not there is refused before anything asks for its policy to call it.
    if (!this.#capabilities.get(name)) return { risk: 'write', repeatable: false };
    return joinPolicies(this.#capabilities.toolsOf(name), (one) => this.of(one));
  }
}

function createJudge({ permissions, workflows }: Rules) {
  return createToolPolicy({ permissions, idempotent: workflows.idempotent });
}
