export { seededRandom } from '../../src/core/index.js';
