import { readsNoMoreByKeptPlans } from './kept-plans.suite.js';

readsNoMoreByKeptPlans(1_000);
