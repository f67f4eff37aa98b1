import { describe, expect, it } from '@jest/globals';
import { waitedForProcessorMs } from './waited-for-processor.js';

describe('the time a thread has waited for a processor', () => {
  const itOnLinux = process.platform === 'linux' ? it : it.skip;

  itOnLinux('is counted, and never goes down', () => {
    const before = waitedForProcessorMs();
    expect(before).toBeGreaterThan(0);
    expect(waitedForProcessorMs()).toBeGreaterThanOrEqual(before);
  });
});
