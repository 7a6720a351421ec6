/**
 * The words by which a tool's name says that it changes something, for tools whose server calls them
 * read-only. The lists were made by reading the names of 1,240 tools of 67 published servers. A word
 * that is missing lets `pml_read` reach a tool that writes; a word too many only sends a reading tool
 * to `pml_execute_*`, and `permissions.read` brings it back.
 */

/** Verbs, and names of what executes anything: they count wherever they stand. */
export const WRITES: ReadonlySet<string> = words(`
  abort accept ack acknowledge activate add adjust allocate alter amend append apply approve archive
  assign attach authorise authorize ban bash bid bookmark borrow broadcast burn cancel cherry chgrp
  chmod chown cleanup clear click clone close cmd configure confirm connect cordon cp create deactivate
  decline decr decrement del delete demote deny deprovision destroy detach disable discard disconnect
  dismiss dispatch donate downvote drag drain drop duplicate edit eject elevate emulate enable encrypt
  enqueue enroll erase escalate eval evaluate evict exec execute expire finalise finalize finish flush
  follow freeze getdel getex getset grant halt handle hdel hide hover hset impersonate incr
  increment ingest init initialise initialize inject insert install interact invalidate invite invoke
  kick kill launch lend liquidate logout lpop lpush make manage migrate mint mkdir mkfs modify mount
  mutate mute mv navigate notify nuke obliterate override overwrite pause pay perform persist populate
  poweroff powershell press promote protect provision prune publish purge put quarantine reassign
  reauthorize reboot rebuild reconnect recreate redeploy refactor refresh register reimage reindex
  reinstall reject rekey relabel reload remember remove rename renew reopen reorder repair repay replace
  repost reprocess rerun reschedule resend resize respond restart restore resubmit resume resync retire
  retry retweet revert revoke rewrite rm rmdir roll rollback rollout rotate rpop rpush rsync sadd save
  scale scp send setex shell shred shut shutdown spawn squash srem ssh stake start stop submit sudo
  suspend swipe taint tamper tap tear terminate toggle touch trash trigger truncate turn umount
  unapprove unarchive unassign unban unblock uncordon undelete undeploy unfollow unfreeze uninstall
  unlink unlock unmerge unmount unmute unpin unprotect unpublish unset unstar unsubscribe unsuspend
  untag upgrade upsert upvote vacuum wipe withdraw write zadd zrem`);

/**
 * Verbs that are nouns before what belongs to a thing and after what tells one from others:
 * `build_update_status`, `pull_request_comments`, `newest_purchase`.
 */
export const WRITES_OR_NOUN: ReadonlySet<string> = words(`
  backup build buy change checkin checkout clean commit complete copy cut deploy deposit fill fork
  forward import join lock mark merge move patch post pull purchase push rebase refund release reply
  reset run sell set share sign snooze stash subscribe swap sync trade transfer transition tweet undo
  update upload vote wire`);

/** Nouns but for the start of a name: `log_message` and `tag_image`, but `git_log` and `order_lines`. */
export const WRITES_AT_START: ReadonlySet<string> = words(`
  arm back block book branch call charge claim comment compact email empty fax fix free index label link
  log login mail mirror new order pin print record report request reserve schedule seed sms stage star
  store tag terminal type warm watch`);

/** They stay nouns when nothing but the server's name stands before them: `git_log`. */
export const NOUNS_ALONE: ReadonlySet<string> = words('log report schedule');

/** After these, what belongs to a thing says that they are nouns even at the start: `run_status`. */
export const NOUNS_AT_START: ReadonlySet<string> = words(
  'backup build call commit deploy merge order pull release request run',
);

/** They are nouns before their state (`sync_status`), and verbs before what they move (`upload_logs`). */
export const TRANSPORTS: ReadonlySet<string> = words(
  'deposit import sync trade transfer upload wire',
);

/** What belongs to a thing, and is never what one of the verbs above is done to. */
export const STATES: ReadonlySet<string> = words('count details history info stats status summary');

/** These belong to a thing as well, or ask for it: `build_get_log`. */
export const RECORDS: ReadonlySet<string> = words('get list log logs notes request requests');

export const ADJECTIVES: ReadonlySet<string> = words(
  'active current failed first last latest my newest oldest pending previous recent top',
);

/** Verbs that read. What follows one is what it reads, as far as it can be a noun: `get_update_history`. */
export const READS: ReadonlySet<string> = words(`
  analyze are browse calculate can compare describe discover does explain fetch find get has inspect is
  peek read retrieve show summarize validate verify whoami`);

/** These read too, and are nouns as well: a verb may follow, as in `list_delete_card` and `status_set`. */
export const READS_OR_NOUN: ReadonlySet<string> = words(`
  audit check count diff list lookup monitor poll preview query scan search stat status tail test trace
  view`);

/** Of the verbs that count wherever they stand, those that a reading verb can have as its object: `get_trash`. */
export const NOUNS_AFTER_READS: ReadonlySet<string> = words(`
  archive ban bash bid bookmark cherry cleanup click clone close cmd dispatch drag drain edit expire
  grant handle init install invite launch make mount pay powershell press refresh register restart retry
  rollback rollout save scale shell shutdown ssh stake start stop swipe tap toggle touch trash trigger
  turn upgrade vacuum`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
