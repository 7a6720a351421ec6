import { useState } from 'preact/hooks';

import type { CapabilityDetails } from '../../../../src/control/contract/capabilities.js';
import type { JsonObject } from '../../../../src/core/json.js';
import { ask } from '../../api.js';
import { Card } from '../../parts/page.js';
import { fieldsOf, type FormField, readForm } from '../../pure/schema-fields.js';
import { goTo } from '../../router.js';

/** Runs the capability with what the user types; the page then follows the run. */
export function RunForm({ details }: { readonly details: CapabilityDetails }) {
  const { name, parameters } = details;
  const fields = fieldsOf(parameters);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, field.start])),
  );
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<string | undefined>();

  const submit = async (event: Event) => {
    event.preventDefault();
    setError(undefined);
    const read = readForm(fields, texts, parameters);
    setProblems('problems' in read ? read.problems : {});
    if ('problems' in read) return;
    try {
      // The form holds JSON values only.
      const started = await ask('run-start', { capability: name, args: read.args as JsonObject });
      if ('run' in started) goTo(['runs', started.run]);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return (
    <Card title="Run it">
      <form class="stack" onSubmit={(event) => void submit(event)} noValidate>
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            text={texts[field.name] ?? ''}
            problem={problems[field.name]}
            onText={(text) => setTexts({ ...texts, [field.name]: text })}
          />
        ))}
        {error !== undefined && (
          <p class="notice" role="alert">
            {error}
          </p>
        )}
        <div>
          <button type="submit" class="primary">
            Run
          </button>
        </div>
      </form>
    </Card>
  );
}

interface FieldProps {
  readonly field: FormField;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onText: (text: string) => void;
}

function Field({ field, text, problem, onText }: FieldProps) {
  const { name, isRequired, description } = field;
  return (
    <label class="field">
      <span>
        <code>{name}</code>
        {isRequired && <span class="muted"> (needed)</span>}
      </span>
      <Input field={field} text={text} onText={onText} />
      {description && <small class="wrap">{description}</small>}
      {problem && (
        <small class="bad-text" role="alert">
          {problem}
        </small>
      )}
    </label>
  );
}

function Input({ field, text, onText }: Omit<FieldProps, 'problem'>) {
  const { kind, choices, isWhole } = field;
  switch (kind) {
    case 'json':
      return (
        <textarea
          rows={3}
          value={text}
          placeholder="JSON"
          onInput={(event) => onText(event.currentTarget.value)}
        />
      );
    case 'boolean':
    case 'choice':
      return (
        <select value={text} onChange={(event) => onText(event.currentTarget.value)}>
          <option value="">–</option>
          {(kind === 'boolean' ? ['true', 'false'] : choices).map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      );
    case 'number':
      return (
        <input
          type="number"
          step={isWhole ? 1 : 'any'}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      );
    case 'text':
      return <input value={text} onInput={(event) => onText(event.currentTarget.value)} />;
  }
}
