/** What the agent of `pml demo` does, and what the same work takes without PML. */
import type { JsonObject } from '../../core/index.js';
import { CUSTOMERS, SAMPLE_INVOICES } from './sample-data.js';

export interface DemoCall {
  readonly tool: string;
  readonly args: JsonObject;
}

export interface DemoStep {
  readonly title: string;
  readonly call: DemoCall;
  /** Calls an agent makes for the same answer if it has the servers' tools themselves. */
  readonly direct: readonly DemoCall[];
}

const CODE = `const { invoices } = await mcp.crm.list_invoices({ status: args.status });
const owed = {};
for (const { customerId, amount } of invoices) owed[customerId] = (owed[customerId] ?? 0) + amount;
const top = Object.entries(owed).sort(([, one], [, other]) => other - one).slice(0, 3);
return Promise.all(top.map(async ([id, total]) => {
  const { name, email } = await mcp.crm.get_customer({ id });
  return { name, email, total };
}));`;

const OVERDUE: DemoCall = { tool: 'crm:list_invoices', args: { status: 'overdue' } };
const NEWEST: DemoCall = { tool: 'crm:list_invoices', args: { status: 'overdue', limit: '1' } };
const customer = (id: string): DemoCall => ({ tool: 'crm:get_customer', args: { id } });

/** The three customers that owe most. */
function debtors(): readonly string[] {
  const owed = new Map(CUSTOMERS.map(({ id }) => [id, 0]));
  for (const { customerId, amount, status } of SAMPLE_INVOICES) {
    if (status === 'overdue') owed.set(customerId, (owed.get(customerId) ?? 0) + amount);
  }
  const sorted = [...owed].toSorted(([, one], [, other]) => other - one);
  return sorted.slice(0, 3).map(([id]) => id);
}

const overdue = SAMPLE_INVOICES.filter(({ status }) => status === 'overdue');
const allDirect = [OVERDUE, ...debtors().map(customer)];

export const FIRST_STEPS: readonly DemoStep[] = [
  {
    title: 'The agent describes what it needs, PML names the tools',
    call: {
      tool: 'pml_discover',
      args: { intent: 'overdue invoices and whom to contact', limit: 3 },
    },
    direct: [],
  },
  {
    title: 'A workflow: two calls, the second takes a value from the first',
    call: {
      tool: 'pml_execute_workflow',
      args: {
        intent: 'contact of the newest overdue invoice',
        tasks: [
          { id: 'overdue', ...NEWEST },
          {
            id: 'contact',
            tool: 'crm:get_customer',
            args: { id: { $ref: 'overdue.invoices[0].customerId' } },
          },
        ],
      },
    },
    direct: [NEWEST, customer(overdue[0]?.customerId ?? '')],
  },
  {
    title: `Code: ${overdue.length} invoices stay in the sandbox, only the result reaches the agent`,
    call: {
      tool: 'pml_execute_code',
      args: {
        intent: 'customers with the highest total of overdue invoices',
        code: CODE,
        args: { status: 'overdue' },
      },
    },
    direct: allDirect,
  },
];

const QUESTION = 'who owes us the most money?';

/** After PML has made a capability of the code. */
export function laterSteps(capability: string): readonly DemoStep[] {
  return [
    {
      title: 'Another day, other words: PML finds the capability it made of the code',
      call: { tool: 'pml_discover', args: { intent: QUESTION, limit: 3 } },
      direct: [],
    },
    {
      title: 'The capability runs like a tool',
      call: {
        tool: 'pml_execute_workflow',
        args: { intent: QUESTION, capability, args: { status: 'overdue' } },
      },
      direct: allDirect,
    },
  ];
}

/** After PML has learned which request the capability served. */
export const LAST_STEP: DemoStep = {
  title: 'A plan: asked again, the agent only says what it wants',
  call: { tool: 'pml_execute_workflow', args: { intent: QUESTION } },
  direct: [],
};
