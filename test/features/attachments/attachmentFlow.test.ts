/** Pictures attached to entities: who may attach them, which bytes are accepted, and how they are returned. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { Either } from "effect"
import { createHash } from "node:crypto"
import { imageMax, imageOf, imageTypeOf } from "../../../src/features/attachments/ImageBytes.ts"
import type { Caller } from "../../support/pod.ts"
import { expectStatus, createEntity, faultsOf, onEachPod, expectRefusal } from "../entities/entityScene.ts"

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")
const heads = {
  "image/png": png,
  "image/jpeg": Buffer.from("ffd8ffe000104a46", "hex"),
  "image/gif": Buffer.from("GIF89a\u0001\u0000", "latin1"),
  "image/webp": Buffer.from("RIFF\u0004\u0000\u0000\u0000WEBPVP8 ", "latin1")
}

describe("the bytes of an attached picture", () => {
  it("only the first bytes of a picture decide its media type", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (tail) => {
        for (const [type, head] of Object.entries(heads)) {
          assert.strictEqual(imageTypeOf(Buffer.concat([head, tail])), type)
          for (let length = 0; length < 3; length += 1) assert.isNull(imageTypeOf(head.subarray(0, length)))
        }
        assert.isNull(imageTypeOf(Buffer.concat([Buffer.from("<svg "), tail])))
      })
    )
  })

  it("a picture decodes from base64 to the same bytes, with or without the prefix of a data URL", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (tail) => {
        const bytes = Buffer.concat([png, tail])
        for (const head of ["", "data:image/png;base64,", "data:text/html;charset=utf-8;base64,"]) {
          const image = Either.getOrThrow(imageOf(head + bytes.toString("base64")))
          assert.deepStrictEqual(image, { bytes, mimeType: "image/png" })
        }
      })
    )
  })

  it("the pod accepts a picture of 10 MB, and refuses a picture that is one byte larger", () => {
    const sized = (size: number) => imageOf(Buffer.concat([png], size).toString("base64"))
    assert.isTrue(Either.isRight(sized(imageMax)))
    for (const more of [1, 2, 3, 4]) {
      const refusal = sized(imageMax + more)
      assert.strictEqual(Either.isLeft(refusal) ? refusal.left._tag : "", "TooLarge", String(more))
    }
  })
})

onEachPod("the attachments of an entity", (scene) => {
  const path = (id: string, attachmentId = "") =>
    `/api/hub/entities/${id}/attachments${attachmentId === "" ? "" : `/${attachmentId}`}`
  const attach = (caller: Caller, id: string, body: object) => caller.send("POST", path(id), body)
  const data = png.toString("base64")
  const aNote = async (workspaceId: string | null = scene().workspaceId) =>
    (await expectStatus(200, createEntity(scene().owner, { workspaceId, title: "With a picture" }))).id as string

  it("only a reader of an entity sees its attachments, and only a caller who may change the entity can add an attachment", async () => {
    const { other, owner, pod, workspaceId } = scene()
    const id = await aNote()
    const made = await expectStatus(200, attach(owner, id, { data }))
    for (const [missing, foreign] of [
      [attach(other, workspaceId, { data }), attach(other, id, { data })],
      [other.send("GET", path(workspaceId)), other.send("GET", path(id))],
      [other.send("GET", path(id, workspaceId)), other.send("GET", path(id, made.id))]
    ] as const) {
      assert.deepStrictEqual(await expectStatus(404, foreign), await expectStatus(404, missing))
    }
    const reader = await pod.aKey(owner, { grant: { permissions: ["entity.note.read"] } })
    await expectRefusal("GRANT_DENIED", attach(reader, id, { data }))
    await expectRefusal("GRANT_DOOR_UNSUPPORTED", reader.send("GET", path(id)))
    const tasks = await pod.aKey(owner, { grant: { permissions: ["entity.task", "entity.note.read"] } })
    await expectRefusal("GRANT_DENIED", attach(tasks, id, { data: "no picture, and nobody hears of it" }))
    const elsewhere = await aNote(null)
    await expectStatus(404, owner.send("GET", path(elsewhere, made.id)))
    assert.lengthOf(await expectStatus(200, owner.send("GET", path(id))), 1)
  })

  it("the pod answers 415 to an attachment that is not a picture, and 400 to a request with both a picture and a file, or with neither", async () => {
    const { other, owner } = scene()
    const id = await aNote()
    const svg = Buffer.from("<svg onload='alert(1)'/>").toString("base64")
    await expectStatus(415, attach(owner, id, { data: svg, mimeType: "image/png" }))
    for (const body of [{}, { data: "" }, { data: "not base64!" }, { data, fileEntityId: id }]) {
      assert.deepStrictEqual(await faultsOf(attach(owner, id, body)), ["data"])
    }
    const foreign = await expectStatus(200, createEntity(other, { title: "Their file" }))
    await expectStatus(404, attach(owner, id, { fileEntityId: foreign.id }))
    assert.deepStrictEqual(await expectStatus(200, owner.send("GET", path(id))), [])
  })

  it("a reader of an attachment gets the uploaded bytes and the hash of these bytes, and a listing of attachments contains no bytes", async () => {
    const { owner } = scene()
    const id = await aNote()
    const first = await expectStatus(
      200,
      attach(owner, id, { data: `data:image/jpeg;base64,${data}`, fileName: "pier.png" })
    )
    const sha256 = createHash("sha256").update(png).digest("hex")
    assert.deepInclude(first, {
      entityId: id,
      fileName: "pier.png",
      mimeType: "image/png",
      sizeBytes: png.length,
      sha256
    })
    const file = await aNote()
    const second = await expectStatus(200, attach(owner, id, { fileEntityId: file }))
    assert.deepInclude(second, { fileEntityId: file, mimeType: null, sha256: null })
    assert.deepStrictEqual(await expectStatus(200, owner.send("GET", path(id))), [second, first])
    assert.deepStrictEqual(await expectStatus(200, owner.send("GET", path(id, first.id))), { ...first, data })
    const events = await owner.query("events.list", { type: "entity.note.update" })
    const subjects = events.body.result.data.map(({ subjectId }: Record<string, string>) => subjectId)
    assert.lengthOf(
      subjects.filter((subject: string) => subject === id),
      2
    )
  })

  it("an agent whose changes need approval cannot attach a picture, because a proposal cannot store the bytes", async () => {
    const { agent, owner } = scene()
    const id = await aNote(null)
    await expectRefusal("APPROVAL_NEEDED", attach(agent, id, { data }))
    assert.deepStrictEqual(await expectStatus(200, owner.send("GET", path(id))), [])
  })
})
