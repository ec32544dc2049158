import tseslint from 'typescript-eslint';

/** Files that hold one idea larger than the limit. This list may only shrink. */
const LARGE_FILES = [];

const CLOCK_AND_CHANCE = [
  { object: 'Math', property: 'random', message: 'Chance is an argument: draw from simulators/random.' },
  { object: 'Date', property: 'now', message: 'Time is an argument; the clock lives in infra/ and cli/.' },
  { object: 'performance', property: 'now', message: 'Time is an argument; the clock lives in infra/ and cli/.' },
];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.thaw/', 'results/', '**/generated/', '**/golden/'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'], location: 'anywhere' }],
    },
  },
  {
    files: ['schemas/**', 'simulators/**', 'learning/**', 'specification/**', 'activities/**', 'workflows/**'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-properties': ['error', ...CLOCK_AND_CHANCE],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Time is an argument; the clock lives in infra/ and cli/.',
        },
      ],
    },
  },
  { files: ['cli/**'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.test.{ts,tsx}', 'test/**'],
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      'no-console': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  { files: LARGE_FILES.length > 0 ? LARGE_FILES : ['none'], rules: { 'max-lines': 'off' } },
);
