/** Words in names of ids: which words mark an id, and which words say what the id belongs to. */
import { wordSet } from './word-set.js';

/** A name with one of these words is the name of an id. */
export const ID_WORDS = wordSet('id ids key keys ref refs reference references slug');

/** These words say which one of several, or what for. They do not say what a thing is. */
export const WHICH_ONE = wordSet(
  'source target origin destination parent child from to new old first last next previous default current main primary secondary foreign external internal unique original base root the a an of by for',
);

/** Words for anything at all, and for containers of anything. */
export const ANYTHING = wordSet(
  'object item resource record entity result data value element entry node row match hit list page info information detail response output body payload content text catalog database db store index table registry collection all',
);

const ACCOUNTS = 'user customer account member people owner employee';

/** People with an account, whose id a request may give: "I am customer 1234". */
export const ACCOUNT_HOLDERS = wordSet(ACCOUNTS);

/** A person may have one of these ids. */
export const PEOPLE = wordSet(ACCOUNTS, 'client contact author');

/** Roles of a person. The id of a role is the id of a person. */
export const ROLES = wordSet(
  'owner author creator assignee sender recipient receiver reviewer manager requester organizer host cast crew actor director',
);

/** Different words for the same thing. */
export const SAME_THINGS = [wordSet('location geo place'), wordSet('customer client')];
