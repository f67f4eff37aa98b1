import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import type { ToolServer } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { EffectBadge } from '../ui/effect.js';
import { FormSection } from '../ui/form-section.js';
import { ProblemNotice } from '../ui/notice.js';
import { Time } from '../ui/time.js';
import { BroughtFields } from './brought-fields.js';
import { ProbeState } from './probe-state.js';
import { needsOf } from './server-needs.js';
import { useProbe, type Brought, type KnownProbe } from './use-probe.js';

/** Asks a worker to connect to the stored server, and shows what it found. */
export function ProbeSection({
  server,
  isDirty,
}: {
  readonly server: ToolServer;
  readonly isDirty: boolean;
}) {
  const missingScope = useMissingScope('agents:write');
  const { known, probing } = useProbe(server.id);
  const [brought, setBrought] = useState<Brought>({ tokens: {} });
  return (
    <FormSection title="Probe" about="A worker connects and lists the tools. No tool is called.">
      <BroughtFields needs={needsOf(server)} brought={brought} onChange={setBrought} />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          unavailable={missingScope ?? (isDirty ? 'Save or discard the changes first' : null)}
          disabled={probing.isPending}
          onClick={() => probing.mutate(brought)}
        >
          <RefreshCw aria-hidden className={probing.isPending ? 'size-3.5 animate-spin' : 'size-3.5'} />
          {probing.isPending ? 'Probing …' : 'Probe'}
        </Button>
        <span role="status">
          {known !== null && (
            <>
              <ProbeState probe={known.probe} />
              <span className="text-muted">
                {' '}
                <Time at={known.at} />
              </span>
            </>
          )}
        </span>
      </div>
      {probing.isError && <ProblemNotice error={probing.error} title="The probe was not made" />}
      {known !== null && <Found known={known} />}
    </FormSection>
  );
}

function Found({ known: { probe } }: { readonly known: KnownProbe }) {
  return (
    <>
      {probe.message !== null && <p className="text-failed wrap-anywhere">{probe.message}</p>}
      {probe.fault === 'connection_needed' && (
        <p>
          <Link to="/tools" search={{ tab: 'connections' }} className="text-accent underline">
            Connect a user
          </Link>{' '}
          first.
        </p>
      )}
      {probe.warnings.length > 0 && (
        <ul className="list-disc pl-5 text-action">
          {probe.warnings.map((warning) => (
            <li key={warning} className="wrap-anywhere">
              {warning}
            </li>
          ))}
        </ul>
      )}
      {probe.tools.length > 0 && (
        <ul className="max-h-96 overflow-y-auto" tabIndex={0} aria-label="Tools of the server">
          {probe.tools.map(({ name, tool, description, effect }) => (
            <li
              key={name}
              className="grid h-9 grid-cols-[minmax(0,14rem)_6.5rem_minmax(0,1fr)] items-center gap-3 border-b border-line"
            >
              <Link
                to="/tools/$name"
                params={{ name }}
                title={name}
                className="truncate font-mono text-sm hover:underline"
              >
                {tool}
              </Link>
              <EffectBadge effect={effect} />
              <span className="truncate text-muted">{description.slice(0, 300)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
