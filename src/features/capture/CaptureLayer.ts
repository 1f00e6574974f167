/**
 * The handler of capture. It writes a note with the service of entities, or a knowledge entry with the service of
 * knowledge.
 */
import { Effect, Layer } from "effect"
import { invalid } from "../../doors/Failure.ts"
import { implementTools } from "../../doors/Implement.ts"
import { repeatableTool } from "../../doors/RepeatableTool.ts"
import { Entities } from "../entities/Entities.ts"
import * as EntityLayer from "../entities/EntityLayer.ts"
import { Knowledge } from "../knowledge/Knowledge.ts"
import { active } from "../knowledge/KnowledgeEntry.ts"
import * as KnowledgeLayer from "../knowledge/KnowledgeLayer.ts"
import { Captured, type CaptureInput, CaptureTools } from "./CaptureTools.ts"
import { shortened } from "../../platform/StoredText.ts"

const titleMax = 120 // the maximum number of characters of a title that the pod makes from the text

/** Makes a title from the first line that contains a letter or digit. Shortens a long line at the end of a word. */
const titleOf = (content: string): string => {
  const line = content.split("\n").find((one) => /[\p{L}\p{N}]/u.test(one)) ?? content
  const plain = line.replace(/^[#>*\-\s]+/u, "").trim() || "Note"
  if (plain.length <= titleMax) return plain
  const cut = shortened(plain, titleMax - 1)
  return `${shortened(cut, Math.max(cut.lastIndexOf(" "), titleMax / 2)).trimEnd()}…`
}

/**
 * The arguments that are only for notes. With `key`, the text becomes a knowledge entry, and the pod refuses these
 * arguments.
 */
const ofNotes = ["title", "tags", "projectId", "sessionId"] as const

const handlers = implementTools(
  CaptureTools,
  Effect.gen(function* () {
    const entities = yield* Entities
    const knowledge = yield* Knowledge
    const once = yield* repeatableTool

    const asKnowledge = Effect.fnUntraced(function* (
      key: string,
      { content, workspaceId, ...besides }: Omit<CaptureInput, "key">
    ) {
      const unfit = ofNotes.find((name) => besides[name] !== undefined)
      if (unfit !== undefined)
        return yield* invalid(
          unfit,
          "is allowed only for a note. With `key` the text becomes a knowledge entry, so leave out this field or `key`"
        )
      const fields = { namespace: null, slug: null, status: active }
      const entry = yield* knowledge.put(key, { value: content, ...fields, ...(workspaceId && { workspaceId }) })
      return { storedAs: "knowledge" as const, id: entry.id, title: entry.key }
    })

    const asNote = Effect.fnUntraced(function* ({
      content,
      projectId,
      sessionId,
      tags,
      title,
      workspaceId
    }: CaptureInput) {
      const { entity } = yield* entities.create({
        profileSlug: "note",
        title: title ?? titleOf(content),
        description: content,
        forceCreate: true,
        ...(tags && { tags }),
        ...(workspaceId && { workspaceId }),
        ...(projectId && { projectId }),
        ...(sessionId && { sessionId })
      })
      return { storedAs: "note" as const, id: entity.id, title: entity.title }
    })

    return {
      svc_capture: Effect.fnUntraced(function* ({ idempotencyKey, ...input }) {
        const { key, ...rest } = input
        const captured: ReturnType<typeof asNote> | ReturnType<typeof asKnowledge> =
          key === undefined ? asNote(rest) : asKnowledge(key, rest)
        if (idempotencyKey === undefined) return yield* captured
        return (yield* once({ tool: "svc_capture", key: idempotencyKey, input, schema: Captured }, captured)).result
      })
    }
  })
)

export const layer = handlers.pipe(Layer.provide(Layer.merge(EntityLayer.services, KnowledgeLayer.services)))
