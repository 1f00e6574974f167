/** The Hub endpoints of threads and their messages. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { pagedStruct, pageOf } from "../../doors/Page.ts"
import { MessageBatch, MessageDraft, MessageWire, MessageResponse, MessageBatchResponse } from "./Message.ts"
import { StartedThread, Branches, Thread, ThreadChange, ThreadDraft, ThreadQuery } from "./Thread.ts"

const readDoor = rows("hub-protocol.read", "channel")
const ofThreads = (action: "create" | "update") =>
  writes("hub-protocol.write", "channel", [action], undefined, "thread")
const sendDoor = writes("hub-protocol.write", "channel", ["create"], undefined, "message")

export const ThreadApi = HttpApiGroup.make("threads")
  .annotate(OpenApi.Description, "Threads: conversations with their messages.")
  .add(
    read("threads.list", {
      path: "/threads",
      query: ThreadQuery,
      success: pageOf(Thread.schema),
      door: readDoor,
      summary: "List the threads that the caller may read, latest message or change first."
    })
  )
  .add(
    read("threads.get", {
      path: "/threads/:id",
      params: idPath,
      success: Thread.schema,
      errors: [NotFound],
      door: fullGrantInSpaces("hub-protocol.read"),
      summary: "Read one thread, without its messages."
    })
  )
  .add(
    write("threads.create", {
      method: "POST",
      path: "/threads",
      payload: ThreadDraft,
      success: StartedThread,
      door: ofThreads("create"),
      summary: "Create a thread, or return the thread of the space with the same `externalSource` and `externalId`."
    })
  )
  .add(
    write("threads.update", {
      method: "PATCH",
      path: "/threads/:id",
      params: idPath,
      payload: ThreadChange,
      success: Thread.schema,
      door: ofThreads("update"),
      summary: "Change a thread. The parent, `externalSource` and `externalId` of a thread never change."
    })
  )
  .add(
    read("threads.branches", {
      path: "/threads/:id/branches",
      params: idPath,
      query: Schema.Struct(pageQuery("branches", 50, 200)),
      success: pagedStruct(Branches),
      errors: [NotFound],
      door: readDoor,
      summary: "List the threads that branch off a thread."
    })
  )
  .add(
    read("threads.messages", {
      path: "/threads/:id/messages",
      params: idPath,
      query: Schema.Struct(pageQuery("messages", 50, 200)),
      success: pageOf(MessageWire),
      errors: [NotFound],
      door: readDoor,
      summary: "List the messages of a thread, latest first."
    })
  )
  .add(
    write("threads.say", {
      method: "POST",
      path: "/threads/:id/messages",
      params: idPath,
      payload: MessageDraft,
      success: MessageResponse,
      door: sendDoor,
      summary: "Write a message in a thread."
    })
  )
  .add(
    write("threads.sayAll", {
      method: "POST",
      path: "/threads/:id/messages.batch",
      params: idPath,
      payload: MessageBatch,
      success: MessageBatchResponse,
      door: sendDoor,
      summary: "Write up to 100 messages in a thread: the pod stores all of them, in the order of the request, or none."
    })
  )
