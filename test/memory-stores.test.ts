import { describeCapabilityStore } from './conformance/capability-store.js';
import { describeEpisodeStore } from './conformance/episode-store.js';
import { describeOutputStore } from './conformance/output-store.js';
import { describeResultStore } from './conformance/result-store.js';
import { memoryStores } from './helpers/memory-stores.js';

const { capabilities, episodes, outputs, results } = memoryStores();

describeEpisodeStore('memory', () => episodes);
describeOutputStore('memory', () => outputs);
describeCapabilityStore('memory', () => capabilities);
describeResultStore('memory', () => results);
