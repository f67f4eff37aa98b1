import { Field, Input, TextArea } from '../../ui/field.js';
import type { CredentialField, ModelDraft } from './model-draft.js';

interface CredentialInputsProps {
  readonly fields: readonly CredentialField[];
  readonly draft: ModelDraft;
  /** Last characters of the stored key; null without one. */
  readonly hint: string | null;
  readonly faultsOf: (name: string) => readonly string[];
  readonly onChange: (changed: Partial<ModelDraft>) => void;
}

/** Address and key of the provider. A stored key is never shown: an empty field leaves it as it is. */
export function CredentialInputs({ fields, draft, hint, faultsOf, onChange }: CredentialInputsProps) {
  const names = fields.map(({ variable }) => `credentials/${variable}`);
  const isAnyNamed = names.some((name) => faultsOf(name).length > 0);
  const ofOthers = [...faultsOf('settings'), ...(isAnyNamed ? [] : faultsOf('credentials'))];
  return (
    <>
      {fields.map(({ variable, label, type, default: usual = '' }) => {
        const isSecret = type === 'secret-input';
        return (
          <Field
            key={`${draft.provider} ${variable}`}
            label={label}
            hint={isSecret ? secretHint(hint) : undefined}
            faults={faultsOf(`credentials/${variable}`)}
          >
            {(ids) => (
              <Input
                {...ids}
                type={isSecret ? 'password' : 'text'}
                autoComplete={isSecret ? 'new-password' : 'off'}
                className={isSecret ? 'font-mono' : ''}
                placeholder={isSecret && hint !== null ? `•••••••• ${hint}` : usual}
                value={draft.credentials[variable] ?? ''}
                onChange={({ target }) =>
                  onChange({ credentials: { ...draft.credentials, [variable]: target.value } })
                }
              />
            )}
          </Field>
        );
      })}
      <Field
        label="Other settings of the connection"
        hint="JSON, such as first_byte_timeout_seconds (1 to 900, 60 by default) or auth: none for a server without a key."
        faults={ofOthers}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={2}
            spellCheck={false}
            className="font-mono text-sm"
            placeholder='{"first_byte_timeout_seconds": 60}'
            value={draft.settings}
            onChange={({ target }) => onChange({ settings: target.value })}
          />
        )}
      </Field>
    </>
  );
}

function secretHint(stored: string | null): string {
  return stored === null
    ? 'Stored encrypted, never shown again. When left empty, the server’s own key is used.'
    : 'A key is stored. When left empty, it stays; it belongs to this address.';
}
