/** Hardly a word begins with these but what `DERIVED` makes of them: `createissue`, `killprocess`. */
const BEGINS =
  /^(?:append|create|delete|destroy|disable|enable|execute|insert|install|invoke|kill|modify|overwrite|publish|purge|remove|rename|replace|revoke|submit|terminate|truncate|uninstall|update|upload|upsert|write)(.{2,})$/;

/** The ends of other words made of a verb: `submitted`, `killer`, `insertions`, `replacement`, `deleteditems`. */
const DERIVED =
  /^(?:a?ble|a?tions?|d(?:at|by|date|files|items|messages|on)|i[cx]es|ions?|ix|ments?|rs|t?e[drs]|t?ers|t?ings?|ups?)$/;

/** Other words begin with these as well (`address`, `postcode`, `runtime`), so their object must be known. */
const WITH_OBJECT =
  /^(?!postscript$)(?:add|assign|cancel|clear|close|copy|drop|edit|exec|merge|move|post|push|put|reset|run|save|send|set|start|stop)(?:all|branch|card|command|comment|customer|data|database|db|doc|document|email|event|file|folder|group|image|invoice|issue|item|job|key|label|mail|member|message|note|order|payment|permission|process|project|query|record|reply|role|row|script|server|service|shell|sql|status|table|task|ticket|tweet|user|value|workflow)s?$/;

/** `issuecreate` and `filedelete`, but not `lastupdate`. */
const ENDS =
  /.(?:create|delete|destroy|execute|insert|overwrite|remove|truncate|(?<!last)update|upload|write)$/;

/** Whether a word is a verb that changes something and its object, written as one. */
export function isGluedVerb(word: string): boolean {
  const rest = BEGINS.exec(word)?.[1];
  if (rest !== undefined && !DERIVED.test(rest)) return true;
  return WITH_OBJECT.test(word) || ENDS.test(word);
}
