import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { agentsFilterOf } from './agents-filter.js';

export const agentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents',
  validateSearch: agentsFilterOf,
  component: lazyRouteComponent(() => import('./agents-screen.js'), 'AgentsScreen'),
});
