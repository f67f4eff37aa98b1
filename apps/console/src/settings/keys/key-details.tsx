import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { answerOf, api } from '../../api/client.js';
import type { ApiKey } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { useKeys } from '../../ui/keys.js';
import { ProblemNotice } from '../../ui/notice.js';
import { Time } from '../../ui/time.js';
import { StateWord } from '../parts/state-word.js';
import { useOpen } from '../parts/use-open.js';
import { RevokeKey, RotateKey } from './key-actions.js';

const WORDS = { active: 'Active', expired: 'Expired', revoked: 'Revoked' } as const;

/** All that is known of a key, without its secret. */
export function KeyDetails({ id }: { readonly id: string }) {
  const { leave } = useOpen();
  useKeys({ Escape: leave });
  const key = useQuery({
    queryKey: ['settings', 'api-keys', 'one', id],
    queryFn: ({ signal }) => answerOf(api.GET('/api/api-keys/{id}/', { params: { path: { id } }, signal })),
  });
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4">
      <Button look="quiet" className="-ml-2 px-2" onClick={leave}>
        <ArrowLeft aria-hidden className="size-4" /> Back
      </Button>
      {key.isError && (
        <ProblemNotice
          error={key.error}
          title="The key could not be read"
          onRetry={() => void key.refetch()}
        />
      )}
      {key.data !== undefined && <Details apiKey={key.data} />}
    </div>
  );
}

function Details({ apiKey }: { readonly apiKey: ApiKey }) {
  const { id, name, tenant_id, scopes, status, created_at, created_by, expires_at } = apiKey;
  const { last_used_at, revoked_at, replaced_by } = apiKey;
  const { show } = useOpen();
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    ['Status', <StateWord word={WORDS[status]} />],
    ['Key', <Copyable text={id} />],
    ['Tenant', tenant_id],
    ['Scopes', <span className="wrap-anywhere">{scopes.join(', ')}</span>],
    ['Created', <Time at={created_at} />],
    ['Created by', created_by === null ? 'the command line' : <Copyable text={created_by} />],
    ['Expires', expires_at === null ? 'never' : <Time at={expires_at} />],
    ['Last used', last_used_at === null ? 'never' : <Time at={last_used_at} />],
    ...(revoked_at === null ? [] : [['Revoked', <Time at={revoked_at} />] as const]),
    ...(replaced_by === null
      ? []
      : [
          [
            'Replaced by',
            <button type="button" className="text-accent underline" onClick={() => show(replaced_by)}>
              {replaced_by}
            </button>,
          ] as const,
        ]),
  ];
  return (
    <section aria-label={name} className="flex max-w-2xl flex-col gap-4 pt-2">
      <h2 className="text-lg font-semibold wrap-anywhere">{name}</h2>
      <dl className="grid grid-cols-[7rem_1fr] gap-y-2">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ))}
      </dl>
      {status === 'active' && (
        <div className="flex gap-2">
          <RotateKey apiKey={apiKey} />
          <RevokeKey apiKey={apiKey} />
        </div>
      )}
    </section>
  );
}

function Copyable({ text }: { readonly text: string }) {
  return (
    <span className="inline-flex items-center gap-1 font-mono text-sm">
      {text} <CopyButton text={text} label={`Copy ${text}`} />
    </span>
  );
}
