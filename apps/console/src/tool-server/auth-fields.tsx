import { faultsAt, faultsBeside } from '../api/form-faults.js';
import { Faults } from '../ui/faults.js';
import { Field, Input, Select, TextArea } from '../ui/field.js';
import { FormSection } from '../ui/form-section.js';
import { authFields, GRANTS, SECRET_FIELDS } from './server-draft.js';
import type { ServerFormProps } from './server-form-props.js';

const GRANT_WORDS: Readonly<Record<string, string>> = {
  '': 'None',
  client_credentials: 'As the service itself (client credentials)',
  authorization_code: 'On behalf of each user (authorization code)',
};

const CLIENT_WORDS: Readonly<Record<string, string>> = {
  client_secret_basic: 'a secret, in a header',
  client_secret_post: 'a secret, in the body',
  private_key_jwt: 'a private key',
  none: 'nothing: a public client',
  registered: 'it is registered by this service',
};

interface Words {
  readonly label: string;
  readonly hint?: string;
}

const FIELD_WORDS: Readonly<Record<string, Words>> = {
  issuer: { label: 'Issuer', hint: 'Https address of the authorization server.' },
  client_id: { label: 'Client id' },
  client_secret: { label: 'Client secret' },
  key_algorithm: { label: 'Algorithm of the key', hint: 'RS256, PS256, ES256 and their larger ones.' },
  private_key: { label: 'Private key', hint: 'PEM, PKCS #8.' },
  scope: {
    label: 'Scope',
    hint: 'Words with single spaces between; by default what the server says it needs.',
  },
  redirect_uri: {
    label: 'Redirect address',
    hint: 'Page of yours that the browser of the user comes back to.',
  },
  client_metadata_url: {
    label: 'Address of the client metadata',
    hint: 'For authorization servers that take it as the name of the client.',
  },
};

/** How access tokens are got by OAuth; secrets are never shown again. */
export function AuthFields({ draft, faults, onChange }: ServerFormProps) {
  const { auth } = draft;
  const grant = typeof auth?.['grant'] === 'string' ? auth['grant'] : '';
  const ways = GRANTS[grant] ?? [];
  const fields = auth === null ? [] : authFields(auth);
  const set = (name: string, value: unknown): void =>
    onChange({ auth: { type: 'oauth', ...auth, [name]: value } });
  const setGrant = (next: string): void => {
    if (next === '') onChange({ auth: null });
    else {
      const way = auth?.['client_auth'];
      const isAllowed = typeof way === 'string' && GRANTS[next]?.includes(way) === true;
      onChange({
        auth: { type: 'oauth', ...auth, grant: next, client_auth: isAllowed ? way : GRANTS[next]?.[0] },
      });
    }
  };
  const places = ['grant', 'client_auth', ...fields].map((name) => ['config', 'auth', name]);
  const rest = faultsBeside(
    faults.filter(({ path }) => path[0] === 'config' && path[1] === 'auth'),
    places,
  );
  return (
    <FormSection title="OAuth" about="Access tokens in place of an Authorization header.">
      <Field label="Used" faults={faultsAt(faults, 'config', 'auth', 'grant')}>
        {(ids) => (
          <Select
            {...ids}
            value={grant}
            className="max-w-md"
            onChange={({ target }) => setGrant(target.value)}
          >
            {Object.entries(GRANT_WORDS).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {auth !== null && (
        <Field label="The client is known by" faults={faultsAt(faults, 'config', 'auth', 'client_auth')}>
          {(ids) => (
            <Select
              {...ids}
              value={String(auth['client_auth'])}
              className="max-w-md"
              onChange={({ target }) => set('client_auth', target.value)}
            >
              {ways.map((way) => (
                <option key={way} value={way}>
                  {CLIENT_WORDS[way] ?? way}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {fields.map((name) => {
        const isSecret = SECRET_FIELDS.includes(name);
        const isStored = isSecret && auth?.[name] === null;
        const value = auth?.[name];
        const { label, hint = null } = FIELD_WORDS[name] ?? { label: name };
        const parts = {
          value: typeof value === 'string' ? value : '',
          autoComplete: 'off',
          spellCheck: false,
          placeholder: isStored ? 'stored, never shown; type to replace it' : '',
          onChange: ({ target }: { readonly target: { readonly value: string } }) => set(name, target.value),
        };
        return (
          <Field key={name} label={label} hint={hint} faults={faultsAt(faults, 'config', 'auth', name)}>
            {(ids) =>
              name === 'private_key' ? (
                <TextArea {...ids} {...parts} rows={4} className="w-full font-mono text-sm" />
              ) : (
                <Input
                  {...ids}
                  {...parts}
                  type={isSecret ? 'password' : 'text'}
                  className="w-full max-w-xl"
                />
              )
            }
          </Field>
        );
      })}
      <Faults faults={faultsAt(rest, 'config', 'auth')} />
    </FormSection>
  );
}
