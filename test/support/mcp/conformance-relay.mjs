/** The client that the conformance suite starts: it asks the test that started the suite to play the scenario. */
import process from 'node:process';

const [relay, server] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const answer = await fetch(relay, {
  method: 'POST',
  body: JSON.stringify({ scenario, server, context: JSON.parse(context) }),
});
process.stdout.write(await answer.text());
process.exit(answer.ok ? 0 : 1);
