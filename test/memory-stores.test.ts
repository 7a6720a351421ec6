import { describeOutputStore } from './conformance/output-store.js';
import { memoryStores } from './helpers/memory-stores.js';

const { outputs } = memoryStores();

describeOutputStore('memory', () => outputs);
