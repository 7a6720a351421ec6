import { useState } from 'preact/hooks';

import { ask } from '../../api.js';
import { runs } from '../../live.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { goTo, linkTo, route } from '../../router.js';
import { useQuery } from '../../use-query.js';
import { Candidates } from './candidates.js';
import { ExecutionPart } from './execution.js';
import { PlanPart } from './plan.js';

import './why.css';

const SHOWN_INTENTS = 6;

/** Why PML would answer an intent as it would, or what a past run came from. */
export function Why() {
  const { q = '' } = route.value.query;
  return (
    <Page
      title="Why"
      about="Which tools PML considers for a request, what speaks for each, and the plan it would make. Nothing is run."
    >
      <AskForm key={q} asked={q} />
      {q === '' ? <Start /> : <Answer key={q} what={q} />}
    </Page>
  );
}

function AskForm({ asked }: { readonly asked: string }) {
  const [text, setText] = useState(asked);
  const submit = (event: Event) => {
    event.preventDefault();
    goTo(['why'], { q: text.trim() });
  };
  return (
    <form class="tools" onSubmit={submit}>
      <input
        type="search"
        aria-label="What is wanted, or the id of a run"
        placeholder="What is wanted, such as: read the notes and send a summary"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="primary" disabled={text.trim() === ''}>
        Explain
      </button>
    </form>
  );
}

function Start() {
  const intents = [...new Set(runs.value.flatMap(({ intent }) => (intent ? [intent] : [])))];
  return (
    <Empty title="Ask for something">
      <p>Type what an agent would ask for, or the id of a run.</p>
      {intents.length > 0 && (
        <ul class="row wrap-row examples">
          {intents.slice(0, SHOWN_INTENTS).map((intent) => (
            <li key={intent}>
              <a class="button small cut" href={linkTo(['why'], { q: intent })}>
                {intent}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Empty>
  );
}

function Answer({ what }: { readonly what: string }) {
  const explained = useQuery((signal) => ask('explain', { what }, signal), what);
  return (
    <Loaded query={explained}>
      {(answer) =>
        'plan' in answer ? (
          <>
            <PlanPart plan={answer.plan} />
            <Candidates intent={answer.plan.intent} />
          </>
        ) : (
          <ExecutionPart execution={answer.execution} />
        )
      }
    </Loaded>
  );
}
