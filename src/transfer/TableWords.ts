/** Names the records of a table in words that a person knows, for the progress of an export or import. */

/** The words for tables whose names are not plain words. The first pattern that matches the name decides. */
const wordsOf: ReadonlyArray<readonly [RegExp, string]> = [
  [/^pgboss\./, "background jobs"],
  [/^auth_/, "sign-ins"],
  [/^users$/, "people"],
  [/^(?:spaces|memberships)$/, "workspaces and members"],
  [/^api_key/, "keys"],
  [/^(?:events|event_|stream_)/, "events"],
  [/^(?:search_|memory_vectors|centrality_)/, "the search index"],
  [/^memory_/, "memory facts"],
  [/^knowledge_/, "knowledge entries"],
  [/^entit/, "entities"],
  [/^document/, "documents"],
  [/^webhook/, "webhooks"],
  [/^(?:rules|automation_)/, "automation rules"],
  [/^governance_/, "governance rules"],
  [/^(?:relation|property)_?defs?$|^profiles$/, "kinds of records"],
  [/^notification/, "notifications"],
  [/^vault/, "the vault"],
  [/^(?:pod_state|setup_|secret_|idempotency_|model_tokens|preferences)/, "settings and state of the pod"]
]

/** Returns words for a table. For `public.knowledge_entries`, the words are `knowledge entries`. */
export const tableWords = (table: string): string => {
  const name = table.replace(/^public\./, "")
  return wordsOf.find(([pattern]) => pattern.test(name))?.[1] ?? name.replaceAll("_", " ")
}
