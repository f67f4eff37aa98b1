import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { agentSearchOf, newAgentSearchOf } from './agent-search.js';

export const newAgentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/new',
  validateSearch: newAgentSearchOf,
  component: lazyRouteComponent(() => import('./new-agent-screen.js'), 'NewAgentScreen'),
});

export const agentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$id',
  validateSearch: agentSearchOf,
  component: lazyRouteComponent(() => import('./agent-screen.js'), 'AgentScreen'),
});
