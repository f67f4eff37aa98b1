import { startLocalEnvironment } from './local-environment.mjs';
import { readOrderText } from './order-texts.mjs';
import { runMainJob } from './run-main-job.mjs';
import { untilStopped } from './run-until-stopped.mjs';
import { say, style } from './terminal.mjs';
import { startWebhookReceiver } from './webhook-receiver.mjs';
import { registerReceiver } from './webhook-registration.mjs';

const RECEIVER_PORT = 3003;

/**
 * Brings everything up, sends one order through it and shows the way it took; then stays up, unless it shall run once.
 * @param {object} options
 * @param {string} options.root
 * @param {import('./run-until-stopped.mjs').CommandContext} options.context
 * @param {number} options.startedAt milliseconds since 1970
 * @param {import('./quickstart-arguments.mjs').QuickstartOptions} options.options
 * @returns {Promise<number>} the exit code
 */
export async function runQuickstart({ root, context, startedAt, options }) {
  const order = readOrderText(root, options.orderFile);
  say(style.bold('Capstan'));
  const environment = await startLocalEnvironment({
    root,
    context,
    needsBuild: true,
    watch: {
      onLine: () => {},
      onUnexpectedExit: (_name, message) => {
        context.fail(new Error(message));
      },
    },
  });
  const receiver = await startWebhookReceiver(RECEIVER_PORT);
  context.onStop(receiver.close);
  environment.publish({ receiver: receiver.url });
  await registerReceiver({ api: environment.api, receiver, context });

  const report = await runMainJob({ api: environment.api, order, receiver, signal: context.signal });
  sayWhatIsNext({ api: environment.api, report, next: order.next, startedAt });
  for (const problem of report.problems) say(`${style.red('✗')} ${problem}`);
  const exitCode = report.problems.length === 0 ? 0 : 1;
  if (options.isOnce) return exitCode;
  say(`\nEverything stays up: Ctrl-C stops it. Logs are in .local/logs, addresses in .local/addresses.json.`);
  await untilStopped(context.signal);
  say('\nStopping …');
  return exitCode;
}

/**
 * @param {object} options
 * @param {string} options.api
 * @param {import('./run-main-job.mjs').MainJobReport} options.report
 * @param {string} options.next path of an order text
 * @param {number} options.startedAt
 */
function sayWhatIsNext({ api, report, next, startedAt }) {
  const seconds = ((report.settledAt - startedAt) / 1_000).toFixed(1);
  say(`\n${style.bold('Next')}  first result after ${seconds} s`);
  say(`  API     ${api}/api/agents/`);
  say(`  docs    ${api}/docs`);
  say(`  events  curl -N ${api}/api/executions/${report.executionId}/events/`);
  // Node makes the JSON: it is there for certain, jq may not be.
  const toJson = `node -p 'JSON.stringify({ input: fs.readFileSync(0, "utf8") })' < ${next}`;
  const submit = `curl -s ${api}/api/agents/${report.agentId}/execute/ -H 'content-type: application/json' -d @-`;
  say(`  submit  ${toJson} | ${submit}`);
}
