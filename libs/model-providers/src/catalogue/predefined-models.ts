/** Day on which the list prices below were compared with public price tables. */
export const PRICES_AS_OF = '2026-05-13';

interface PredefinedModel {
  readonly id: string;
  readonly label: string;
  /** US dollars per million tokens, standard tier. */
  readonly input: string;
  readonly cachedInput: string;
  readonly output: string;
  readonly note?: string;
}

/** The eight models that need no set-up (S1-12). All of them reason. */
export const PREDEFINED_MODELS: readonly PredefinedModel[] = [
  { id: 'gpt-5.2', label: 'GPT-5.2', input: '1.75', cachedInput: '0.175', output: '14' },
  {
    id: 'gpt-5.2-pro',
    label: 'GPT-5.2 pro',
    input: '21',
    cachedInput: '21',
    output: '168',
    note: 'no discount for cached input is published',
  },
  { id: 'gpt-5', label: 'GPT-5', input: '1.25', cachedInput: '0.125', output: '10' },
  { id: 'gpt-5-mini', label: 'GPT-5 mini', input: '0.25', cachedInput: '0.025', output: '2' },
  { id: 'gpt-5-nano', label: 'GPT-5 nano', input: '0.05', cachedInput: '0.005', output: '0.4' },
  { id: 'gpt-5-codex', label: 'GPT-5-Codex', input: '1.25', cachedInput: '0.125', output: '10' },
  { id: 'gpt-5.1-codex', label: 'GPT-5.1-Codex', input: '1.25', cachedInput: '0.125', output: '10' },
  { id: 'gpt-5.3-codex', label: 'GPT-5.3-Codex', input: '1.75', cachedInput: '0.175', output: '14' },
];
