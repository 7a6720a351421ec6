import type { Logger } from '../../core/index.js';
import type { ToolDirectory, View } from '../../tools/index.js';
import type { Workflows } from '../../workflows/index.js';
import { ServerSkills } from '../exposure/server-skills.js';
import { servedSkills, type Skills } from '../exposure/skills.js';

/** What handlers need of it. */
export type Served = Pick<ClientScope, 'workflows' | 'tools' | 'skills' | 'serverSkills'>;

/** What the clients of one profile, or of none, can see and do. */
export class ClientScope {
  readonly workflows: Workflows;
  readonly serverSkills: ServerSkills;
  #skills: { readonly of: View; readonly now: Skills } | undefined;

  constructor(workflows: Workflows, log: Logger) {
    this.workflows = workflows;
    this.serverSkills = new ServerSkills(this.tools, (text, fields) => log.info(text, fields));
  }

  get tools(): ToolDirectory {
    return this.workflows.tools;
  }

  /** Capabilities as Skills, in their current state. */
  get skills(): Skills {
    const { view } = this.tools;
    if (this.#skills?.of !== view) this.#skills = { of: view, now: servedSkills(this.tools) };
    return this.#skills.now;
  }

  /** One line for each list; JSON holds no line breaks. Only clients with user interfaces list apps. */
  listsFor({ hasUi }: { readonly hasUi: boolean }): string {
    const { toolList, promptList, resourceList, templateList, appToolList } = this.tools.view;
    const resources = [resourceList, this.skills.resources, templateList];
    const lists = [toolList, promptList, resources, hasUi ? appToolList : []];
    return lists.map((list) => JSON.stringify(list)).join('\n');
  }
}
