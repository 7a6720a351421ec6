/**
 * The words by which a tool's name says that it changes something, for tools whose server calls them
 * read-only. The lists were made by reading the names of 1,240 tools of 67 published servers. A word
 * that is missing lets `pml_read` reach a tool that writes; a word too many only sends a reading tool
 * to `pml_execute_*`, and `permissions.read` brings it back.
 */

/** Verbs, and names of what executes anything: they count wherever no reading verb stands before them. */
export const WRITES: ReadonlySet<string> = words(`
  abort accept acknowledge activate add adjust allocate amend append apply approve archive assign attach
  authorize ban bash bookmark cancel cherry cleanup clear click clone close cmd configure create deactivate decline
  decrement delete deny deprovision destroy detach disable discard dismiss drag drop duplicate edit eject
  enable enqueue erase eval evaluate evict exec execute flush grant handle hide impersonate increment ingest
  init initialize inject insert install interact invite invoke kill launch logout make manage migrate modify
  mutate mute navigate notify nuke overwrite pause pay persist powershell press protect provision prune publish
  purge put quarantine reauthorize reboot redeploy register reject reload remember remove rename
  reopen reorder replace reprocess rerun resend resize restart restore resume retry revert revoke rewrite rm
  rmdir roll rollback rollout rotate save scale send shell shut shutdown spawn start stop submit suspend swipe tap tear terminate
  toggle trash trigger truncate unapprove unarchive unassign unblock uninstall unlink unlock unmerge unpin
  unprotect unpublish unset unsubscribe upgrade upsert wipe write`);

/**
 * Verbs that are nouns before what belongs to a thing and after what tells one from others:
 * `build_update_status`, `pull_request_comments`, `newest_purchase`.
 */
export const WRITES_OR_NOUN: ReadonlySet<string> = words(`
  backup build buy checkout clean commit complete copy cut deploy fill fork forward import join lock mark merge
  move patch post pull purchase push rebase refund release reply reset run set share sign snooze stash subscribe swap
  sync transfer tweet undo update upload vote`);

/** Nouns but for the start of a name: `log_message` and `tag_image`, but `git_log` and `order_lines`. */
export const WRITES_AT_START: ReadonlySet<string> = words(`
  back block book branch call change charge comment email index label link log login mail order pin print record
  report schedule stage star store tag terminal type watch`);

/** They stay nouns when nothing but the server's name stands before them: `git_log`. */
export const NOUNS_ALONE: ReadonlySet<string> = words('log report schedule');

/** After these, what belongs to a thing says that they are nouns even at the start: `run_status`. */
export const NOUNS_AT_START: ReadonlySet<string> = words(
  'backup build call commit deploy import merge order pull release run sync transfer upload',
);

/** What belongs to a thing, and is never what one of the verbs above is done to. */
export const BELONGINGS: ReadonlySet<string> = words(
  'count details history info list log logs notes request requests stats status summary',
);

export const ADJECTIVES: ReadonlySet<string> = words(
  'active current failed first last latest my newest oldest pending previous recent top',
);

/** Verbs that read. What follows one is what it reads: `get_update_history`, `read_write_locks`. */
export const READS: ReadonlySet<string> = words(`
  analyze are browse calculate can compare count describe diff discover does explain fetch find get has
  inspect is lookup peek read retrieve scan show summarize tail validate verify whoami`);

/** These read too, and are nouns as well: in `list_delete` and `view_create` the last word is the verb. */
export const READS_OR_NOUN: ReadonlySet<string> = words(
  'audit check list monitor poll preview query search stat status test trace view',
);

/** Written as one word, as `writefile` and `runcommand` are. */
export const GLUED =
  /^(create|delete|destroy|drop|exec|execute|insert|overwrite|remove|run|send|truncate|update|upload|write)(all|code|command|data|database|db|doc|document|email|file|folder|item|mail|message|note|page|query|record|row|script|shell|sql|table|user)s?$/;

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
