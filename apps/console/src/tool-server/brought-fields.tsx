import { Field, Input } from '../ui/field.js';
import type { ServerNeeds } from './server-needs.js';
import type { Brought } from './use-probe.js';

/** Tokens and user that a call of a server needs; they are kept nowhere. */
export function BroughtFields({
  needs,
  brought,
  onChange,
}: {
  readonly needs: ServerNeeds;
  readonly brought: Brought;
  readonly onChange: (brought: Brought) => void;
}) {
  if (needs.tokens.length === 0 && !needs.isPerUser) return null;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {needs.isPerUser && (
        <Field label="User" hint="Whose connection is used: executor.user_id of their requests.">
          {(ids) => (
            <Input
              {...ids}
              value={brought.user_id ?? ''}
              maxLength={200}
              onChange={({ target }) => {
                const { user_id: _, ...rest } = brought;
                onChange(target.value === '' ? rest : { ...rest, user_id: target.value });
              }}
            />
          )}
        </Field>
      )}
      {needs.tokens.map((name) => (
        <Field
          key={name}
          label={`Token ${name}`}
          hint="Kept sealed until a worker has used it, and not by this page."
        >
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoComplete="off"
              value={brought.tokens[name] ?? ''}
              onChange={({ target }) => {
                const { [name]: _, ...rest } = brought.tokens;
                onChange({
                  ...brought,
                  tokens: target.value === '' ? rest : { ...rest, [name]: target.value },
                });
              }}
            />
          )}
        </Field>
      ))}
    </div>
  );
}
