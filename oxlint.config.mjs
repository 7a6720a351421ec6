export default {
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'node', 'vitest'],
  options: { typeAware: true },
  categories: { correctness: 'error' },
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'no-console': 'error',
    'no-restricted-globals': ['error', 'AsyncDisposableStack', 'DisposableStack', 'WebSocket'],
    'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/return-await': ['error', 'in-try-catch'],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
  },
};
