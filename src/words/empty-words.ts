/**
 * Words that say nothing, which depends on what is read: where something comes from or goes to says
 * nothing of a tool, but much of a request.
 */
import { wordSet } from './word-set.js';

const ANYWHERE = 'a an and can i it its that the their them this will you your';
/** How things stand to each other. */
const RELATIONS = 'are as at be by for from has have if in into is of on or such to was which with';
/** How people ask. */
const TALK = 'also could just me my our please she so then these they those us we would';

/** Of a search query, and of the texts it is compared with. */
export const EMPTY_IN_SEARCH = wordSet(
  ANYWHERE,
  RELATIONS,
  TALK,
  'about all am any been being but did do does each either had how itself let may might must onto ours',
  'out shall should some than there too via want wants were what when where while who yours',
);

/** Of the description of a tool or parameter. */
export const EMPTY_IN_DESCRIPTIONS = wordSet(
  ANYWHERE,
  RELATIONS,
  'e g get given list not one retrieve return returned returns search set specific specified use used using',
);

/** Of a request, where only what is to be done counts. */
export const EMPTY_IN_REQUESTS = wordSet(ANYWHERE, TALK, 'he her him his kindly now');
