import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../api/problem.js';
import { faultsOf } from './faults.js';

const problem = (...faults: string[]): ApiProblem => new ApiProblem(422, 'Invalid', '', 'X', null, faults);

describe('faultsOf', () => {
  it('puts each fault at its field', () => {
    const faults = faultsOf(problem('#/name: is required', '#/credentials/api_base: must be: an address'));
    expect(faults.at('name')).toBe('is required');
    expect(faults.at('credentials/api_base')).toBe('must be: an address');
    expect(faults.at('credentials')).toBe('api_base: must be: an address');
    expect(faults.at('cred')).toBeNull();
    expect(faults.areAllIn(['name', 'credentials'])).toBe(true);
    expect(faults.areAllIn(['name'])).toBe(false);
  });

  it('has none without a problem, or for one without fields', () => {
    expect(faultsOf(null).at('name')).toBeNull();
    expect(faultsOf(new TypeError('x')).areAllIn(['name'])).toBe(false);
  });
});
