import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { runsRoute } from '../runs/runs.route.js';
import { runRoute } from '../run/run.route.js';
import { inboxRoute } from '../inbox/inbox.route.js';
import { sessionsRoute } from '../sessions/sessions.route.js';
import { sessionRoute } from '../session/session.route.js';
import { tryRoute } from '../try/try.route.js';
import { agentsRoute } from '../agents/agents.route.js';
import { agentRoute, newAgentRoute } from '../agent/agent.route.js';
import { toolsRoute } from '../tools/tools.route.js';
import { newToolServerRoute, toolServerRoute } from '../tool-server/tool-server.route.js';
import { toolRoute } from '../tool/tool.route.js';
import { knowledgeRoutes } from '../knowledge/knowledge.route.js';
import { memoryRoute } from '../memory/memory.route.js';
import { webhookRoutes } from '../webhooks/webhooks.route.js';
import { usageRoute } from '../usage/usage.route.js';
import { fleetRoute } from '../fleet/fleet.route.js';
import { settingsHomeRoute, settingsRoute } from '../settings/settings.route.js';
import { ScreenProblem } from './screen-problem.js';
import { rootRoute } from './root-route.js';

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    // TanStack Router takes a thrown redirect.
    // oxlint-disable-next-line typescript/only-throw-error -- it is how the router is asked to go elsewhere
    throw redirect({ to: '/runs' });
  },
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    homeRoute,
    runsRoute,
    runRoute,
    inboxRoute,
    sessionsRoute,
    sessionRoute,
    tryRoute,
    agentsRoute,
    newAgentRoute,
    agentRoute,
    toolsRoute,
    newToolServerRoute,
    toolServerRoute,
    toolRoute,
    ...knowledgeRoutes,
    memoryRoute,
    ...webhookRoutes,
    usageRoute,
    fleetRoute,
    settingsHomeRoute,
    settingsRoute,
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenProblem,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
