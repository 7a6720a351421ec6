export { ProcessTrainer } from './train-in-process.js';
