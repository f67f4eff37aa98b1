import { InvalidModelParameterError, type ParameterRules } from '#libs/payloads';

/** Rules of a model that accepts any parameter, and temperatures from 0 to 2. */
export const PARAMETER_RULES: ParameterRules = {
  names: ['temperature'],
  described: [],
  findFaults: ({ temperature = 0 }) =>
    typeof temperature === 'number' && temperature >= 0 && temperature <= 2
      ? []
      : [new InvalidModelParameterError('temperature', 'temperature must be a number between 0 and 2')],
};
