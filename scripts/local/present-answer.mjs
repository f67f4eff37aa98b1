/**
 * What a tool answered, in short: its message where it has one.
 * @param {unknown} answer the answer, or its JSON
 * @returns {string}
 */
export function describeAnswer(answer) {
  if (typeof answer === 'string') {
    try {
      return describeAnswer(JSON.parse(answer));
    } catch {
      return answer;
    }
  }
  /** @type {any} */
  const known = answer;
  const message = known?.result?.message ?? known?.message ?? known?.error;
  return typeof message === 'string' ? message : JSON.stringify(answer);
}
