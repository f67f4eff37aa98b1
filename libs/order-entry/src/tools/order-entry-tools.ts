import type { ToolDefinition } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { getOrderRequestTool } from './get-order-request.tool.js';
import { readPageTool } from './read-page.tool.js';
import { saveOrderDraftTool } from './save-order-draft.tool.js';
import { saveReviewedOrderDraftTool } from './save-reviewed-order-draft.tool.js';
import { searchCustomersTool } from './search-customers.tool.js';
import { searchItemsTool } from './search-items.tool.js';

/** The tools of order entry. None of them writes; `manager` only reads. */
export function orderEntryTools(manager: EntityManager): readonly ToolDefinition[] {
  return [
    searchItemsTool(manager),
    searchCustomersTool(manager),
    saveOrderDraftTool(manager),
    getOrderRequestTool(manager),
    saveReviewedOrderDraftTool(manager),
    readPageTool,
  ];
}
