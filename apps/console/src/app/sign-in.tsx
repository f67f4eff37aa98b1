import { useEffect, useState, type SubmitEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { signIn } from '../api/console-session.js';
import { Button } from '../ui/button.js';
import { Field, Input } from '../ui/field.js';
import { ProblemNotice } from '../ui/notice.js';
import { readLastSession, whyEnded } from './ended-session.js';

/** Exchanges an API key for a session. The key is never kept by the page. */
export function SignIn() {
  const queries = useQueryClient();
  const [apiKey, setApiKey] = useState('');
  const [last] = useState(readLastSession);
  const [why] = useState(() => whyEnded(last, Date.now()));
  // The page shows nothing of the session before, nor finds it in its memory.
  useEffect(() => {
    queries.removeQueries({ type: 'inactive' });
    queries.getMutationCache().clear();
    toast.dismiss();
  }, [queries]);
  const signingIn = useMutation({
    mutationFn: signIn,
    onSuccess: (tenant) => {
      setApiKey('');
      if (last !== null && last.tenant !== tenant) {
        // Drafts and files on their way were those of another tenant.
        window.location.reload();
        return undefined;
      }
      return queries.resetQueries();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    signingIn.mutate(apiKey.trim());
  };
  return (
    <main className="flex h-full flex-col items-center justify-center bg-sunken p-4">
      <form
        onSubmit={submit}
        className="flex w-full max-w-sm flex-col gap-4 rounded-lg border border-line bg-surface p-6"
      >
        <h1 className="text-lg font-semibold">Sign in to Capstan</h1>
        {why !== null && <p role="alert">{why} After a new sign-in you are back on this page.</p>}
        <Field
          label="API key"
          hint="It is exchanged for a session in a cookie. What you may do here is what the key may do."
        >
          {(ids) => (
            <Input
              {...ids}
              type="password"
              name="api-key"
              autoComplete="current-password"
              autoFocus
              required
              value={apiKey}
              placeholder="csk_…"
              onChange={(change) => setApiKey(change.target.value)}
              className="font-mono"
            />
          )}
        </Field>
        <Button type="submit" look="primary" disabled={apiKey.trim() === '' || signingIn.isPending}>
          {signingIn.isPending ? 'Signing in …' : 'Sign in'}
        </Button>
      </form>
      {signingIn.isError && <ProblemNotice error={signingIn.error} />}
    </main>
  );
}
