import type { ServerListing } from '../core/index.js';
import { cleanItems, cleanJson } from './clean-json.js';

/** What a server offers besides tools, without hidden characters, and where they were. */
export function cleanListing(listing: ServerListing): {
  readonly listing: ServerListing;
  readonly hidden: readonly string[];
} {
  const { resources, resourceTemplates, prompts, ...rest } = listing;
  const about = cleanJson(rest);
  const lists = {
    prompts: cleanItems(prompts, 'name'),
    resources: cleanItems(resources, 'uri'),
    resourceTemplates: cleanItems(resourceTemplates, 'uriTemplate'),
  };
  return {
    listing: {
      ...about.value,
      prompts: lists.prompts.items,
      resources: lists.resources.items,
      resourceTemplates: lists.resourceTemplates.items,
    },
    hidden: [
      ...about.hidden,
      ...lists.prompts.hidden.map((place) => `prompt ${place}`),
      ...lists.resources.hidden.map((place) => `resource ${place}`),
      ...lists.resourceTemplates.hidden.map((place) => `resource template ${place}`),
    ],
  };
}
