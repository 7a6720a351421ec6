/**
 * What the words of a tool's name say about it. The lists were made by reading the names of 1,240
 * tools of 67 published servers: a wrong word costs a needless question or, worse, a missing one.
 */

/** Only ever verbs in a name: they count wherever they are the first verb. */
export const DANGEROUS: ReadonlySet<string> = new Set(
  `buy delete deploy destroy erase evict kill nuke overwrite pay prune publish purchase purge redeploy
  refund remove revoke rm rmdir rollback send shutdown terminate trash truncate uninstall unlink
  unpublish wipe`.split(/\s+/),
);

/** Verbs or nouns: verbs at the start of a name (`push_files`), nouns elsewhere (`list_merge_requests`). */
export const DANGEROUS_AT_START: ReadonlySet<string> = new Set(
  'charge email mail merge push release reply reset transfer tweet'.split(' '),
);

/** Verbs at the end of a name: `branch_merge`, `device-reset`, `git_clean`. */
export const DANGEROUS_AT_END: ReadonlySet<string> = new Set(['clean', 'merge', 'push', 'reset']);

/** Harmless by themselves, dangerous with what they are done to. */
export const DANGEROUS_WITH: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    clear: 'all everything',
    drop: 'all collection collections column columns constraint database databases db function index indexes keyspace policy role schema sequence table tables topic trigger type user view',
    format: 'device disk drive filesystem partition volume',
    forward: 'email event mail message',
    move: 'trash',
    post: 'article comment message photo reply review status story thread tweet update video',
    roll: 'back',
    shut: 'down',
    tear: 'down',
  }).map(([verb, objects]) => [verb, new Set(objects.split(' '))]),
);

/** After one of the words that can be nouns, these say that it is one: `release_notes`, `deploy_status`. */
export const NOUN_MARKS: ReadonlySet<string> = new Set(
  'count date details history id info log logs note notes policy request requests stats status'.split(
    ' ',
  ),
);

/** The first verb of a name says what it does; what follows one of these is what it is done to. */
export const HARMLESS: ReadonlySet<string> = new Set(
  `accept add analyze append approve archive assess assign browse build calculate can cancel check clone
  compare complete compute configure convert copy count create decline describe diff disable download draft
  dump duplicate edit enable estimate evaluate explain export fetch find fork generate get has
  import inspect insert install is link list load lookup make manage mark measure modify monitor move open parse
  patch peek plan poll prepare preview put query read rename render resolve respond restore retrieve
  review save scan search select set show simulate stat subscribe suggest summarize sync toggle unapprove
  unarchive undo update upload upsert validate verify view wait watch write`.split(/\s+/),
);

/** Join two verbs, the second of which counts as well: `find_and_delete`. */
export const JOINS: ReadonlySet<string> = new Set(['and', 'or', 'then']);
