import type { ServerListing } from '../core/index.js';
import { stripItems, stripJson } from './strip-json.js';

/** What a server offers besides tools, without hidden characters, and where they were. */
export function cleanListing(listing: ServerListing): {
  readonly listing: ServerListing;
  readonly hidden: readonly string[];
} {
  const { resources, resourceTemplates, prompts, ...rest } = listing;
  const about = stripJson(rest);
  const lists = {
    prompts: stripItems(prompts, 'name'),
    resources: stripItems(resources, 'uri'),
    resourceTemplates: stripItems(resourceTemplates, 'uriTemplate'),
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
