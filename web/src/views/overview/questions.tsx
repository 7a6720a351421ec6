import type { AskedTask, WaitingQuestion } from '../../../../src/control/contract/questions.js';
import { Tag } from '../../parts/badge.js';
import { DecisionButtons, decisionsFor } from '../../parts/decide.js';
import { FilledList } from '../../parts/filled-list.js';
import { JsonText } from '../../parts/json-view.js';
import { Ago } from '../../parts/time.js';
import { ToolName } from '../../parts/tool-name.js';
import { plural } from '../../pure/format.js';
import { linkTo } from '../../router.js';

/** Runs that wait for a person; nothing where none does. */
export function Questions({ questions }: { readonly questions: readonly WaitingQuestion[] }) {
  if (questions.length === 0) return null;
  return (
    <section class="card attention" aria-live="polite">
      <header>
        <h2>Waiting for you</h2>
        <span class="count">{plural(questions.length, 'question')}</span>
      </header>
      <ul>
        {questions.map((question) => (
          <Question key={question.run.run} question={question} />
        ))}
      </ul>
    </section>
  );
}

function Question({ question }: { readonly question: WaitingQuestion }) {
  const { run, since, text, tasks } = question;
  return (
    <li class="question card-body stack tight">
      <div class="row wrap-row">
        <a class="strong wrap" href={linkTo(['runs', run.run])}>
          {run.intent ?? run.run}
        </a>
        <span class="small muted">
          asked <Ago at={since} />
        </span>
        <span class="push">
          <DecisionButtons run={run.run} decisions={['abort']} />
        </span>
      </div>
      {tasks.length === 0 && <p class="wrap lines">{text}</p>}
      {tasks.map((task) => (
        <Asked key={task.id} run={run.run} task={task} />
      ))}
    </li>
  );
}

function Asked({ run, task }: { readonly run: string; readonly task: AskedTask }) {
  return (
    <div class="asked stack tight">
      <div class="row wrap-row">
        <ToolName id={task.tool} />
        <span class="small muted">task {task.id}</span>
        {task.whom === 'person' && <Tag text="only a person may approve" tone="warn" />}
      </div>
      {task.because && <p class="small muted wrap">{task.because}</p>}
      {task.error && <p class="small bad-text wrap">{task.error.message}</p>}
      <JsonText text={task.args} label={`Arguments of ${task.tool}`} />
      {task.filled && task.filled.length > 0 && <FilledList filled={task.filled} />}
      <DecisionButtons run={run} tasks={[task.id]} decisions={decisionsFor(task.status)} />
    </div>
  );
}
