/** What an agent asks of PML over weeks, as a sequence that is the same every time. */

type Json = Record<string, unknown>;

export interface MetaCall {
  readonly name: string;
  readonly arguments: Json;
}

const PEOPLE = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia', 'Ken'];
const SUBJECTS = ['invoice', 'contract', 'minutes', 'report', 'offer', 'reminder', 'letter'];
const PLACES = ['Berlin', 'Paris', 'Oslo', 'Lisbon', 'Vienna', 'Prague', 'Dublin', 'Athens'];
const WANTED = [
  'write a note about',
  'find and summarize',
  'look up the price of',
  'add up the totals of',
  'send greetings with',
  'prepare a list for',
];

/** Files and numbers come from here, so that no two weeks look the same. */
export function createLoad(folder: string): (at: number) => MetaCall {
  return (at) => {
    const request = requestOf(at);
    const file = `${folder}/note-${at % 200}.txt`;
    const kinds = [discover, readAlone, workflow, readAlone, discover, script, writeAlone, chain];
    return kinds[at % kinds.length]!({ at, request, file });
  };
}

interface Moment {
  readonly at: number;
  readonly request: string;
  readonly file: string;
}

/** Thousands of different requests, some of which come back. */
function requestOf(at: number): string {
  const pick = (list: readonly string[], step: number) => list[Math.floor(at / step) % list.length];
  const wanted = `${pick(WANTED, 3)} the ${pick(SUBJECTS, 5)} of ${pick(PEOPLE, 7)}`;
  const whole = `${wanted} in ${pick(PLACES, 11)}, number ${at % 6_000}`;
  return at % 3 === 0 ? `${whole}, and then ${pick(WANTED, 13)} the one before it` : whole;
}

const discover = ({ request }: Moment): MetaCall => ({
  name: 'pml_discover',
  arguments: { intent: request },
});

const readAlone = ({ at, request }: Moment): MetaCall => ({
  name: 'pml_read',
  arguments: {
    tasks: [{ tool: 'everything:echo', args: { message: `${request}. ${'-'.repeat(at % 400)}` } }],
  },
});

const writeAlone = ({ request, file }: Moment): MetaCall => ({
  name: 'pml_execute_workflow',
  arguments: { tasks: [{ tool: 'files:write_file', args: { path: file, content: request } }] },
});

const workflow = ({ at, request }: Moment): MetaCall => ({
  name: 'pml_execute_workflow',
  arguments: {
    intent: request,
    tasks: [
      { id: 'total', tool: 'everything:get-sum', args: { a: at, b: at % 97 } },
      { id: 'told', tool: 'everything:echo', args: { message: 'total: ${total}' } },
      { id: 'seen', tool: 'everything:echo', args: { message: request } },
    ],
  },
});

const chain = ({ request, file }: Moment): MetaCall => ({
  name: 'pml_execute_workflow',
  arguments: {
    intent: request,
    tasks: [
      { id: 'said', tool: 'everything:echo', args: { message: request } },
      {
        id: 'kept',
        tool: 'files:write_file',
        args: { path: file, content: '${said}' },
        needs: ['said'],
      },
      { id: 'back', tool: 'files:read_text_file', args: { path: file }, needs: ['kept'] },
    ],
  },
});

const script = ({ at, request }: Moment): MetaCall => ({
  name: 'pml_execute_code',
  arguments: {
    intent: request,
    args: { count: (at % 5) + 2 },
    code: `const sums = [];
for (let n = 0; n < args.count; n++) sums.push(await mcp.everything["get-sum"]({ a: n, b: ${at % 13} }));
sums.length`,
  },
});
