import { describe, expect, it } from '@jest/globals';
import { ExecuteRequestDto } from './executions.dto.js';

const faultsOf = (body: unknown): string[] =>
  (ExecuteRequestDto.schema.safeParse(body).error?.issues ?? []).map(({ path }) => path.join('.')).toSorted();

describe('a request to run an agent', () => {
  it('may call its input `user_input` (S4-1)', () => {
    const parsed = ExecuteRequestDto.schema.parse({ user_input: ' Hello ' });
    expect(parsed).toMatchObject({ input: 'Hello' });
    expect(parsed).not.toHaveProperty('user_input');
  });

  it.each<[string, object, string[]]>([
    ['both names of the input', { input: 'a', user_input: 'a' }, ['user_input']],
    ['neither', {}, ['input']],
    ['neither, beside another fault', { options: 1 }, ['input', 'options']],
    ['a blank one', { user_input: ' ' }, ['user_input']],
    ['an executor without an id', { input: 'a', executor: { name: 'Mara' } }, ['executor.user_id']],
    ['an executor with an id alone', { input: 'a', executor: { user_id: 'u-17' } }, []],
  ])('with %s is judged field by field', (_name, body, faults) => expect(faultsOf(body)).toEqual(faults));

  it('names every fault of what is no object', () => expect(faultsOf([])).toEqual(['']));
});
