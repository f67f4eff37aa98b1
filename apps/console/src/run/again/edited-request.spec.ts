import { describe, expect, it } from '@jest/globals';
import { formOf, requestOf } from './edited-request.js';

const RUN = {
  input: 'x',
  options: { temperature: 0.2 },
  executor: { user_id: 'u7' },
  metadata: { ticket: 'T-1' },
};
const SESSION = '01a220af-e456-76c3-931f-a1fc533d5055';

describe('the request of a run that is changed', () => {
  const form = formOf(RUN);

  it('is the same request where nothing is changed, in a session of its own', () => {
    expect(requestOf(form, SESSION)).toEqual({ request: RUN });
  });

  it('names the version of the agent where one is chosen', () => {
    expect(requestOf({ ...form, version: 3 }, SESSION)).toEqual({ request: { ...RUN, agent_version: 3 } });
  });

  it('names the session where it continues it, and no executor where there is none', () => {
    const changed = { ...form, executor: ' ', isSameSession: true };
    const { executor: _, ...others } = RUN;
    expect(requestOf(changed, SESSION)).toEqual({ request: { ...others, session_uuid: SESSION } });
  });

  it('says of each field what is wrong with it', () => {
    const wrong = { ...form, input: ' ', options: '[]', executor: 'null', metadata: '{' };
    const object = 'Must be a JSON object.';
    expect(requestOf(wrong, SESSION)).toEqual({
      faults: { input: 'An input is required.', options: object, executor: object, metadata: object },
    });
  });
});
