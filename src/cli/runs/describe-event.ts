import type { RunEventInfo } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { formatMs } from '../print/format-time.js';

const WORDS: Readonly<Record<RunEventInfo['type'], string>> = {
  'run-started': 'run started',
  'run-checkpoint': 'run shortened',
  'run-finished': 'run',
  'script-ended': 'script',
  'task-called': 'called',
  'task-started': 'started',
  'task-deferred': 'continues as a task of its server',
  'task-progress': 'reports progress',
  'task-completed': 'completed',
  'task-failed': 'failed',
  'task-retried': 'retries',
  'task-doubted': 'is in doubt',
  'task-held': 'needs approval',
  'task-skipped': 'skipped',
  'decision-made': 'decided by',
  'message-added': 'message',
};

/** One line: when, which task, what happened to it. */
export function describeRunEvent({ atMs, type, task, text }: RunEventInfo): string {
  const what = [...(task === undefined ? [] : [visible(task)]), WORDS[type]].join(' ');
  const isPlain = type === 'run-finished' || type === 'decision-made';
  const more = text === undefined ? '' : `${isPlain ? ' ' : ': '}${visible(text)}`;
  return `${`+${formatMs(atMs)}`.padStart(9)}  ${what}${more}`;
}
