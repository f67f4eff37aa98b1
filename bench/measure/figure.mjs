// @ts-check
/**
 * A measured number, with its aim if there is one.
 * @typedef {object} Figure
 * @property {string} name
 * @property {number} value
 * @property {string} unit empty for a ratio or a count
 * @property {{value: number, isAtLeast: boolean, isMet: boolean} | null} aim
 */

/**
 * @param {string} name
 * @param {number} value
 * @param {string} [unit]
 * @param {{atLeast: number} | {atMost: number}} [aim]
 * @returns {Figure}
 */
export function figure(name, value, unit = '', aim) {
  return { name, value, unit, aim: aim === undefined ? null : evaluate(value, aim) };
}

/** @param {number} value @param {{atLeast: number} | {atMost: number}} aim */
function evaluate(value, aim) {
  if ('atLeast' in aim) return { value: aim.atLeast, isAtLeast: true, isMet: value >= aim.atLeast };
  return { value: aim.atMost, isAtLeast: false, isMet: value <= aim.atMost };
}
