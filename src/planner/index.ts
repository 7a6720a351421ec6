export { orderTasks } from './order-tasks.js';
export { outputValue } from './output-value.js';
export { parsePlan, type ParsePlanOptions } from './parse-plan.js';
export { resolveArgs } from './resolve-args.js';
