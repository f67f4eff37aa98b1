import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { jsonFaultOf, readJsonObject, type JsonObject } from '../format/json-object.js';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import { faultsAt, fieldFaultsOf } from '../api/form-faults.js';
import type { Tool, ToolServer } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { BroughtFields } from '../tool-server/brought-fields.js';
import { needsOf } from '../tool-server/server-needs.js';
import type { Brought } from '../tool-server/use-probe.js';
import { Button } from '../ui/button.js';
import { Faults } from '../ui/faults.js';
import { Confirm } from '../ui/confirm.js';
import { JsonEditor } from '../ui/json-editor.js';
import { ProblemNotice } from '../ui/notice.js';
import { inputOf, tryFields } from './try-fields.js';
import { TryInputs } from './try-inputs.js';
import { TrialResult } from './trial-result.js';

/** Calls the tool for real, outside of any run. A tool that changes something more with each call asks first. */
export function TrySection({ tool, server }: { readonly tool: Tool; readonly server: ToolServer }) {
  const missingScope = useMissingScope('tools:try');
  const fields = tryFields(tool.input_schema);
  const [isText, setIsText] = useState(fields === null);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [json, setJson] = useState('{}');
  const [brought, setBrought] = useState<Brought>({ tokens: {} });
  const [asked, setAsked] = useState<JsonObject | null>(null);
  const trying = useMutation({
    mutationFn: (input: JsonObject) =>
      answerOf(
        api.POST('/api/tools/{name}/try/', {
          params: { path: { name: tool.name }, header: newIdempotencyKey() },
          body: { input, ...brought },
        }),
      ),
    onSettled: () => setAsked(null),
  });
  const read = readJsonObject(json);
  const input = isText ? (read.kind === 'object' ? read.value : null) : inputOf(fields ?? [], texts);
  const faults = fieldFaultsOf(trying.error);
  const switchView = (): void => {
    if (!isText) setJson(JSON.stringify(inputOf(fields ?? [], texts), null, 2));
    setIsText(!isText);
  };
  const run = (): void => {
    if (input === null) return;
    if (tool.effect === 'unsafe') setAsked(input);
    else trying.mutate(input);
  };
  return (
    <section aria-label="Try it" className="flex flex-col gap-3">
      <header className="flex flex-wrap items-center gap-x-3">
        <h2 className="font-semibold whitespace-nowrap">Try it</h2>
        <span className="text-muted">A worker calls it for real; who did what is kept.</span>
        {fields !== null && (
          <Button look="quiet" className="h-7" onClick={switchView}>
            {isText ? 'As a form' : 'As JSON'}
          </Button>
        )}
      </header>
      {isText ? (
        <JsonEditor label="Arguments as JSON" text={json} fault={jsonFaultOf(read)} onChange={setJson} />
      ) : (
        <TryInputs fields={fields ?? []} texts={texts} faults={faults} onChange={setTexts} />
      )}
      <BroughtFields needs={needsOf(server)} brought={brought} onChange={setBrought} />
      <Faults faults={isText ? faultsAt(faults, 'input') : []} />
      <div>
        <Button
          look="primary"
          unavailable={
            missingScope ??
            (server.status === 'inactive' ? 'The server is inactive' : null) ??
            (input === null ? 'The JSON has to be right first' : null)
          }
          disabled={trying.isPending}
          onClick={run}
        >
          <Play aria-hidden className="size-3.5" />
          {trying.isPending ? 'Calling …' : tool.effect === 'unsafe' ? 'Call it …' : 'Call it'}
        </Button>
      </div>
      {trying.isError && <ProblemNotice error={trying.error} title="It was not tried" />}
      {trying.data !== undefined && <TrialResult trial={trying.data} name={tool.name} />}
      {asked !== null && (
        <Confirm
          title={`Call ${tool.name}?`}
          action="Call it"
          isPending={trying.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() => trying.mutate(asked)}
        >
          <p>It changes something, with exactly these arguments. Nothing takes that back.</p>
          <pre className="max-h-60 overflow-auto font-mono text-sm whitespace-pre-wrap" tabIndex={0}>
            {JSON.stringify(asked, null, 2).slice(0, 10_000)}
          </pre>
        </Confirm>
      )}
    </section>
  );
}
