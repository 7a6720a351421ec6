import type { ActivityFilter } from '../../../../src/control/contract/activity.js';
import { setQuery } from '../../router.js';

interface FiltersProps {
  readonly filter: ActivityFilter;
  readonly clients: readonly string[];
  readonly servers: readonly string[];
}

const WAYS = ['meta', 'direct', 'run'];
const OUTCOMES = ['ok', 'error', 'failed', 'cancelled'];

/** The filter is part of the address, so a view can be kept or sent. */
export function Filters({ filter, clients, servers }: FiltersProps) {
  return (
    <div class="tools">
      <input
        type="search"
        aria-label="Search calls"
        placeholder="Search by tool, client, run or error"
        value={filter.text ?? ''}
        onInput={(event) => setQuery({ text: event.currentTarget.value })}
      />
      <Choice name="client" label="Any client" value={filter.client} options={clients} />
      <Choice name="server" label="Any server" value={filter.server} options={servers} />
      <Choice name="way" label="Any way" value={filter.way} options={WAYS} />
      <Choice name="outcome" label="Any outcome" value={filter.outcome} options={OUTCOMES} />
      {(filter.tool || filter.run) && (
        <button type="button" onClick={() => setQuery({ tool: undefined, run: undefined })}>
          {filter.tool ?? filter.run} ×
        </button>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly string[];
}

function Choice({ name, label, value = '', options }: ChoiceProps) {
  const all = value === '' || options.includes(value) ? options : [value, ...options];
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
    >
      <option value="">{label}</option>
      {all.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}
