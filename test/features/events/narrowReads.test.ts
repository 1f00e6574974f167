/**
 * A listing with a filter that few rows match does not make the database read the many other rows of the person or the
 * space.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Document } from "../../../src/features/documents/Document.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import { KnowledgeStore } from "../../../src/features/knowledge/KnowledgeStore.ts"
import { NotificationStore } from "../../../src/features/notifications/NotificationStore.ts"
import { ProposalStore } from "../../../src/features/proposals/ProposalStore.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember } from "../../support/people.ts"
import { rowsRead } from "../../support/rowsRead.ts"
import { asOwner, onEachDatabase, withReach } from "../../support/stores.ts"
import { aProposal, fileProposal } from "../proposals/proposalCalls.ts"

const many = 3_000
const limit = 10
const readMax = 8 * limit

onEachDatabase("listings with a narrow filter", (stores) => {
  it.effect("the pod finds the few rows of a rare type, title, kind or namespace without reading the other rows", () =>
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const kept = yield* fileProposal(reach, aProposal({ spaceId, userId: personId }))
      yield* asOwner(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            INSERT INTO events (space_id, seq, id, type, user_id, actor_id, source, correlation_id)
            SELECT ${spaceId}::uuid, 1000 + n, gen_random_uuid(), 'entity.update', ${personId}::uuid, ${personId}::uuid, 'api',
              gen_random_uuid()
            FROM generate_series(1, ${many}::integer) n`
          yield* sql`
            INSERT INTO documents (id, space_id, user_id, actor_id, title, content, type)
            SELECT gen_random_uuid(), ${spaceId}::uuid, ${personId}::uuid, ${personId}::uuid, 'title ' || n, 'text', 'markdown'
            FROM generate_series(1, ${many}::integer) n`
          yield* sql`
            INSERT INTO knowledge_entries (space_id, key, id, value, namespace, status, user_id, actor_id, author)
            SELECT ${spaceId}::uuid, 'key.' || n, gen_random_uuid(), '1', 'name' || n % 5, CASE WHEN n % 5 = 0 THEN 'draft' ELSE 'active' END, ${personId}::uuid,
              ${personId}::uuid, 'user'
            FROM generate_series(1, ${many}::integer) n`
          yield* sql`
            INSERT INTO notifications (id, space_id, person_id, event_id, kind, subject_id, subject_type)
            SELECT gen_random_uuid(), ${spaceId}::uuid, ${personId}::uuid, gen_random_uuid(), 'kind' || n % 5, gen_random_uuid(), 'thread'
            FROM generate_series(1, ${many}::integer) n`
          yield* sql`
            INSERT INTO proposals (id, space_id, user_id, actor_id, subject, kind, action, target_type, target_id, proposal_type,
              class, content, content_hash, authority, is_private, summary, correlation_id, filed_event_id, expires_at)
            SELECT gen_random_uuid(), space_id, user_id, (ARRAY[user_id, actor_id, space_id, target_id])[1 + n % 4], subject, kind, action, target_type, target_id, proposal_type,
              class, content, content_hash, authority, is_private, summary, correlation_id, filed_event_id, expires_at
            FROM proposals, generate_series(1, ${many}::integer) n
            WHERE id = ${kept.id}::uuid`
          yield* sql`ANALYZE`
        })
      )
      const events = yield* EventLog
      const records = yield* Records
      const knowledge = yield* KnowledgeStore
      const notifications = yield* NotificationStore
      const proposals = yield* ProposalStore
      const asked = { spaceId, sessionId: undefined, limit, offset: 0, before: undefined }
      const list = {
        events: events.list({ limit }),
        "events of a type": events.list({ limit, type: "role.update" }),
        documents: records.list(Document, { spaces: [spaceId], limit }),
        "documents of a title": records.list(Document, { where: { title: "none" }, spaces: [spaceId], limit }),
        knowledge: knowledge.list({ spaceId, namespace: undefined, status: undefined, limit }),
        "knowledge of a namespace": knowledge.list({ spaceId, namespace: "rare", status: undefined, limit }),
        "archived knowledge": knowledge.list({ spaceId, namespace: undefined, status: "archived", limit }),
        notifications: notifications.list({ state: "open", limit }),
        "notifications of a kind": notifications.list({ state: "open", kind: "key_ending", limit }),
        "dismissed notifications": notifications.list({ state: "dismissed", limit }),
        "pending proposals": proposals.page({ ...asked, status: "pending" }),
        "rejected proposals": proposals.page({ ...asked, status: "rejected" }),
        "proposals of an actor": proposals.page({ ...asked, status: "all", actorId: uuidv7() })
      }
      const read: Record<string, number> = {}
      for (const [name, listing] of Object.entries(list)) {
        const tables = ["events", "documents", "knowledge_entries", "notifications", "proposals"]
        read[name] = (yield* rowsRead(tables, withReach(reach)(listing as Effect.Effect<unknown>))).read
      }
      assert.deepStrictEqual(
        Object.entries(read).filter(([, count]) => count > readMax),
        []
      )
    }).pipe(Effect.provide(stores), Effect.orDie)
  )
})
