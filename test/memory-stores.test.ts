import { describeCapabilityStore } from './conformance/capability-store.js';
import { describeOutputStore } from './conformance/output-store.js';
import { describeResultStore } from './conformance/result-store.js';
import { memoryStores } from './helpers/memory-stores.js';

const { capabilities, outputs, results } = memoryStores();

describeOutputStore('memory', () => outputs);
describeCapabilityStore('memory', () => capabilities);
describeResultStore('memory', () => results);
