import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { toolsSearchOf } from './tools-search.js';

export const toolsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools',
  validateSearch: toolsSearchOf,
  component: lazyRouteComponent(() => import('./tools-screen.js'), 'ToolsScreen'),
});
