/** A list of a space with thousands of rows reads only about as many rows as its page has, also with a filter. */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Artifact } from "../../../src/features/artifacts/Artifact.ts"
import { Channel } from "../../../src/features/conversations/Channel.ts"
import { Thread } from "../../../src/features/conversations/Thread.ts"
import { FocusSession } from "../../../src/features/focusSessions/FocusSession.ts"
import { KnowledgeStore } from "../../../src/features/knowledge/KnowledgeStore.ts"
import { MemoryStore } from "../../../src/features/memory/MemoryStore.ts"
import { MessagingStore } from "../../../src/features/messaging/MessagingStore.ts"
import { ProposalStore } from "../../../src/features/proposals/ProposalStore.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember } from "../../support/people.ts"
import { rowsRead } from "../../support/rowsRead.ts"
import { asOwner, onEachDatabase, withReach } from "../../support/stores.ts"
import { aProposal, fileProposal } from "../proposals/proposalCalls.ts"

const many = 3_000
const limit = 10
const readMax = 12 * limit
const tables = [
  "artifacts",
  "channels",
  "threads",
  "messages",
  "focus_sessions",
  "knowledge_revisions",
  "memory_facts",
  "proposals"
]

onEachDatabase("lists of a space with many rows", (stores) => {
  it.effect("the pod reads a page of a list without reading the thousands of other rows in the space", () =>
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const kept = yield* fileProposal(reach, aProposal({ spaceId, userId: personId }))
      yield* asOwner(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const place = sql`gen_random_uuid(), ${spaceId}::uuid, ${personId}::uuid, ${personId}::uuid`
          const rows = sql`FROM generate_series(1, ${many}::integer) n`
          yield* sql`
            INSERT INTO artifacts (id, space_id, user_id, actor_id, kind, title, origin_kind, state, placement)
            SELECT ${place}, 'url', 'title', 'user', 'working', 'desk' ${rows}`
          yield* sql`
            INSERT INTO channels (id, space_id, user_id, actor_id, type, updated_at)
            SELECT ${place}, 'chat' || n % 5, now() - n * interval '1 second' ${rows}`
          yield* sql`
            INSERT INTO threads (id, space_id, user_id, actor_id, parent_channel_id, context_object_id, updated_at)
            SELECT ${place}, gen_random_uuid(), gen_random_uuid(), now() - n * interval '1 second' ${rows}`
          yield* sql`
            INSERT INTO focus_sessions (id, space_id, user_id, actor_id, goal, status, expected_outputs, agent_ids)
            SELECT ${place}, 'goal', 'active', '[]', '[]' ${rows}`
          yield* sql`
            INSERT INTO knowledge_entries (space_id, key, id, value, status, user_id, actor_id)
            VALUES (${spaceId}::uuid, 'key', ${personId}::uuid, '1', 'active', ${personId}::uuid, ${personId}::uuid)`
          yield* sql`
            INSERT INTO knowledge_revisions (record_id, space_id, version, actor_id, event_id, at, value, status)
            SELECT ${personId}::uuid, ${spaceId}::uuid, n, ${personId}::uuid, gen_random_uuid(), now(), '1', 'active' ${rows}`
          yield* sql`
            INSERT INTO memory_facts (id, space_id, seq, lineage, user_id, actor_id, fact, level, trust, confidence,
              same_hash, session_id, valid_from)
            SELECT gen_random_uuid(), ${personId}::uuid, 1000 + n, gen_random_uuid(), ${personId}::uuid, ${personId}::uuid, 'fact', 'fact',
              'person', 1, n::text, 'session ' || n % 500, now() ${rows}`
          yield* sql`
            INSERT INTO proposals (id, space_id, user_id, actor_id, subject, kind, action, target_type, target_id, proposal_type,
              class, content, content_hash, authority, is_private, summary, correlation_id, filed_event_id, expires_at, session_id)
            SELECT gen_random_uuid(), space_id, user_id, actor_id, subject, kind, action, target_type, target_id, 'kind' || n % 5,
              class, content, content_hash, authority, is_private, summary, correlation_id, filed_event_id, expires_at, gen_random_uuid()
            FROM proposals, generate_series(1, ${many}::integer) n
            WHERE id = ${kept.id}::uuid`
          yield* sql`ANALYZE`
        })
      )
      const records = yield* Records
      const proposals = yield* ProposalStore
      const knowledge = yield* KnowledgeStore
      const memory = yield* MemoryStore
      const messaging = yield* MessagingStore
      const spaces = [spaceId]
      const asked = { spaceId, sessionId: undefined, status: "all" as const, limit, offset: 0, before: undefined }
      const conversations = { spaces, limit, offset: 0, cursor: undefined }
      const list = {
        "kept artifacts": records.list(Artifact, { where: { state: "kept" }, spaces, limit }),
        "channels of a type": records.list(Channel, { where: { type: "dm" }, spaces, limit }),
        "closed sessions": records.list(FocusSession, { where: { status: "closed" }, spaces, limit }),
        "branches of a thread": records.list(Thread, { where: { parentChannelId: uuidv7() }, spaces, limit }),
        "threads among ids": records.among(Thread, [uuidv7(), uuidv7()], ["title"]),
        "versions of an entry": knowledge.versions({ spaceId, key: "key" }, { limit }),
        "facts of a level": memory.list({ level: "turn", limit }),
        "facts of a writer": memory.list({ trust: "import", limit }),
        "forgotten facts": memory.list({ forgotten: true, limit }),
        "facts of a session": memory.list({ sessionId: "none", limit }),
        "proposals of a kind": proposals.page({ ...asked, proposalType: "none" }),
        "proposals of a session": proposals.page({ ...asked, sessionId: uuidv7() }),
        conversations: messaging.list(conversations)
      }
      const read: Record<string, number> = {}
      for (const [name, listing] of Object.entries(list)) {
        read[name] = (yield* rowsRead(tables, withReach(reach)(listing as Effect.Effect<unknown>))).read
      }
      assert.deepStrictEqual(
        Object.entries(read).filter(([, count]) => count > readMax),
        []
      )
      const linked = yield* rowsRead(tables, withReach(reach)(messaging.linked({ spaces, limit })))
      assert.isBelow(linked.read, many)
      // One channel has all threads of the space. It is not on the page.
      yield* asOwner(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            UPDATE threads SET parent_channel_id = (
              SELECT id FROM channels WHERE space_id = ${spaceId}::uuid ORDER BY updated_at, id LIMIT 1)
            WHERE space_id = ${spaceId}::uuid`
          yield* sql`ANALYZE threads`
        })
      )
      const page = yield* rowsRead(tables, withReach(reach)(messaging.list(conversations)))
      assert.isBelow(page.read, readMax)
    }).pipe(Effect.provide(stores), Effect.orDie)
  )
})
