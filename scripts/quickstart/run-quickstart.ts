import { startLocalEnvironment } from '../local/local-environment.ts';
import { untilStopped, type CommandContext } from '../local/run-until-stopped.ts';
import { say, style, withProgress } from '../local/terminal.ts';
import { createApiClient } from './api-client.ts';
import { checkModel } from './check-model.ts';
import { readInput, type Example } from './example.ts';
import { runExample, type ExampleReport } from './run-example.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';
import { registerReceiver } from './webhook-registration.ts';

const RECEIVER_PORT = 3003;

export interface QuickstartOptions {
  /** Whether to exit after the run. */
  readonly isOnce: boolean;
  /** Null uses the first input of the example. */
  readonly inputFile: string | null;
}

/**
 * Starts everything, submits one input and shows its processing; then keeps running, unless it should run once.
 * @param quickstart.startedAt Unix time in ms
 * @param quickstart.defaults variables where the user sets none
 * @returns the exit code
 */
export async function runQuickstart(quickstart: {
  root: string;
  context: CommandContext;
  startedAt: number;
  example: Example;
  defaults: Readonly<Record<string, string>>;
  options: QuickstartOptions;
}): Promise<number> {
  const { root, context, startedAt, example, defaults, options } = quickstart;
  const input = readInput(root, example, options.inputFile);
  say(style.bold('Capstan'));
  const environment = await startLocalEnvironment({
    root,
    context,
    command: 'quickstart',
    programs: 'bundled',
    isOneProcess: true,
    simulatedModel: example.simulatedModel,
    defaults,
    watch: {
      onLine: () => undefined,
      onUnexpectedExit: (_name, message) => {
        context.fail(new Error(message));
      },
    },
  });
  const { api, apiKey } = environment;
  if (environment.hasModelProvider) {
    await withProgress('model', (note) => {
      note('asking the provider for a sign of life');
      return checkModel(createApiClient(api, context.signal, apiKey), example.agent);
    });
  }
  const receiver = await startWebhookReceiver(RECEIVER_PORT);
  context.onStop(receiver.close);
  environment.publish({ receiver: receiver.url });
  await registerReceiver({ api, apiKey, receiver, context });

  const report = await runExample({ api, apiKey, example, input, receiver, signal: context.signal });
  const seconds = ((report.settledAt - startedAt) / 1_000).toFixed(1);
  if (!options.isOnce) sayWhatIsNext({ api, apiKey, report, next: input.next, seconds });
  for (const problem of report.problems) say(`${style.red('✗')} ${problem}`);
  const exitCode = report.problems.length === 0 ? 0 : 1;
  if (options.isOnce) {
    say(`\nFirst result after ${seconds} s. Everything stops again now: npm run quickstart keeps it up.`);
    return exitCode;
  }
  say(`\nEverything stays up: Ctrl-C stops it, or npm run quickstart -- --stop from another terminal.`);
  say(`Logs are in ${environment.folder}/logs, addresses in ${environment.folder}/addresses.json.`);
  await untilStopped(context.signal);
  say('\nStopping …');
  return exitCode;
}

function sayWhatIsNext(done: {
  api: string;
  apiKey: string | null;
  report: ExampleReport;
  next: string;
  seconds: string;
}): void {
  const { api, apiKey, report, next, seconds } = done;
  const header = apiKey === null ? '' : ` -H "authorization: Bearer $API_KEY"`;
  say(`\n${style.bold('Next')}  first result after ${seconds} s`);
  say(`  console ${api}/console/`);
  say(`  API     ${api}/api/agents/`);
  say(`  docs    ${api}/docs/`);
  if (apiKey !== null) say(`  key     export API_KEY=${apiKey}`);
  say(`  agent   one of your own: docs/tutorial/first-agent.md, with API=${api}`);
  say(`  sources npm run example -- ask-the-docs "How is the signature of a webhook checked?"`);
  say(`  more    npm run example`);
  say(`  events  curl -N ${api}/api/executions/${report.executionId}/events/${header}`);
  // Node writes the JSON, since jq may be missing.
  const toJson = `node -p 'JSON.stringify({ input: fs.readFileSync(0, "utf8") })' < ${next}`;
  const submit = `curl -s ${api}/api/agents/${report.agentId}/execute/${header} -H 'content-type: application/json' -d @-`;
  say(`  submit  ${toJson} | ${submit}`);
}
