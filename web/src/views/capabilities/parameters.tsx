import type { CapabilityDetails } from '../../../../src/control/contract/capabilities.js';
import { Tag } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { ToolName } from '../../parts/tool-name.js';
import { fieldsOf } from '../../pure/schema-fields.js';
import { linkTo } from '../../router.js';

/** Parameters, requests it served, steps, and what it is made of. */
export function Parameters({ details }: { readonly details: CapabilityDetails }) {
  const { parameters, intents, steps, contains, containedBy, aliases } = details;
  const fields = fieldsOf(parameters);
  return (
    <Card title="Parameters and examples">
      {fields.length === 0 ? (
        <p class="muted">It takes no parameters.</p>
      ) : (
        <dl class="facts">
          {fields.map(({ name, kind, isRequired, description, start }) => (
            <Parameter
              key={name}
              name={name}
              kind={kind}
              isRequired={isRequired}
              description={description}
              start={start}
            />
          ))}
        </dl>
      )}
      <Lines title="Requests it served" lines={intents} />
      <Lines title="Other names" lines={aliases} />
      {steps.length > 0 && (
        <section>
          <h3>Steps</h3>
          <pre class="mono small wrap">{steps.join('\n')}</pre>
        </section>
      )}
      <Members title="Calls these capabilities" names={contains} />
      <Members title="Called by these capabilities" names={containedBy} />
    </Card>
  );
}

interface ParameterProps {
  readonly name: string;
  readonly kind: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly start: string;
}

function Parameter({ name, kind, isRequired, description, start }: ParameterProps) {
  return (
    <>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>
        <span class="row wrap-row">
          <Tag text={kind} />
          {isRequired && <Tag text="needed" tone="warn" />}
          {start !== '' && <code class="small">{start}</code>}
          <span class="small muted wrap">{description}</span>
        </span>
      </dd>
    </>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line} class="wrap">
            <a href={linkTo(['why'], { q: line })}>{line}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Members({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul class="row wrap-row">
        {names.map((name) => (
          <li key={name}>
            <ToolName id={name.startsWith('cap:') ? name : `cap:${name}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
