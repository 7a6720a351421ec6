import fc from 'fast-check';
import { expect, test } from 'vitest';

import { aCapability, aVersion } from '../../../test/helpers/capability-samples.js';
import { createCapabilities, proven } from '../../../test/helpers/prove.js';
import { writeSkill } from './write-skill.js';

const options = {
  name: 'copy-note',
  tools: ['files:read', 'files:write'],
  isReadOnly: false,
  hasMetaTools: true,
} as never as Parameters<typeof writeSkill>[1];

function copying() {
  const capabilities = createCapabilities();
  proven(
    capabilities,
    `const text = await mcp.files.read({ path: 'a' });\nreturn await mcp.files.write({ path: 'b', text });`,
    'copy a note',
  );
  return capabilities.list()[0]!;
}

test('a skill says when to use it, how to run it, what it takes and what it does', () => {
  const { text, frontmatter } = writeSkill(copying(), { ...options, tool: 'cap__copyNote' });

  expect(frontmatter).toMatchObject({
    name: 'copy-note',
    description: 'copy a note. Runs as the PML capability copyNote.',
  });
  expect(text).toMatch(/^---\nname: "copy-note"\ndescription: "copy a note\. Runs/);
  expect(text).toContain('it calls `files:read`, `files:write`. It may change things');
  expect(text).toContain('- Call the tool `cap__copyNote`');
  expect(text).toContain('- Or call `pml_execute_workflow` with `{"capability":"copyNote"');
  expect(text).toContain('| path | string | `"a"` |  |');
  expect(text).toContain('task-1 files:read path=args.path');
  expect(text).toContain('```ts\nconst text = await mcp.files.read({ path: args.path });');
});

test('a skill names only the tools the agent has', () => {
  const lone = writeSkill(copying(), { ...options, tool: 'cap__copyNote', hasMetaTools: false });
  const meta = writeSkill(copying(), options);

  expect(lone.text).not.toContain('pml_execute');
  expect(meta.text).toContain('- Call `pml_execute_workflow`');
});

test('a skill does not change when its capability is used', () => {
  const capability = copying();
  const used = {
    ...capability,
    intents: ['duplicate it', ...capability.intents],
    current: aVersion({
      ...capability.current,
      statistics: { uses: 9, successes: 8, failuresInRow: 1, totalMs: 90 },
    }),
  };

  expect(writeSkill(used, options)).toEqual(writeSkill(capability, options));
});

test('the frontmatter of a skill matches its data and stays closed for any description and code', () => {
  const strange = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('---\n', '"\\', '````'));
  fc.assert(
    fc.property(strange, strange, (description, code) => {
      const current = aVersion({ code: `// ${code}\nreturn 1` });

      const { text, frontmatter } = writeSkill(aCapability('a', { description, current }), options);

      const [start, name, said, ...rest] = text.split('\n');
      expect([start, name]).toEqual(['---', 'name: "copy-note"']);
      expect(JSON.parse(said!.slice('description: '.length))).toBe(frontmatter['description']);
      expect((frontmatter['description'] as string).length).toBeLessThanOrEqual(1_024);
      expect(rest.slice(0, 4)).toContain('---');
      expect(Buffer.from(text).toString()).toBe(text);
    }),
  );
});
