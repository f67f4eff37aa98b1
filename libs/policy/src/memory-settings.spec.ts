import { describe, expect, it } from '@jest/globals';
import { memorySettingsSchema, readMemorySettings } from './memory-settings.js';

const OFF = { enabled: false, max_facts: 50, max_tokens: 1_000, llm: null };

describe('memory settings of an agent', () => {
  it.each([
    ['nothing unless it says so', {}, OFF],
    [
      'what it says',
      { memory: { enabled: true, max_facts: 3, llm: 7 } },
      { ...OFF, enabled: true, max_facts: 3, llm: 7 },
    ],
    ['nothing where the key meant something else once', { memory: 'long' }, OFF],
    ['nothing where a part of it cannot be read', { memory: { enabled: true, max_facts: 0 } }, OFF],
  ])('is %s', (_name, config, settings) => {
    expect(readMemorySettings(config)).toEqual(settings);
  });

  it.each([
    ['max_facts', 0],
    ['max_facts', 201],
    ['max_facts', 1.5],
    ['max_tokens', 49],
    ['max_tokens', 4_001],
    ['enabled', 'yes'],
    ['llm', 'gpt'],
    ['maximum', 1],
  ])('has no %s of %j', (key, value) => {
    expect(memorySettingsSchema.safeParse({ [key]: value }).success).toBe(false);
  });
});
