import { createSetupIo } from '../init/setup-io.js';
import type { AddIo } from './run-add.js';
import { tryServer } from './try-server.js';

/** The real machine, terminal and daemon. */
export function createAddIo(): AddIo {
  return {
    ...createSetupIo(),
    tryServer,
    async askValue({ name, description, choices }) {
      const { isCancel, select, text } = await import('@clack/prompts');
      const message = description === undefined ? name : `${name}: ${description}`;
      const answer = choices
        ? await select({ message, options: choices.map((value) => ({ value, label: value })) })
        : await text({
            message,
            validate: (given) => (given === undefined || given === '' ? 'Needed.' : undefined),
          });
      return isCancel(answer) ? undefined : answer;
    },
  };
}
