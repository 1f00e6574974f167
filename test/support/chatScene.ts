/** A pod with a language model and one record, and functions that send requests to the pod as chat clients do. */
import { Option } from "effect"
import { assertOk } from "../attacks/attackScene.ts"
import { aModelStub } from "./modelStub.ts"
import { aPod, type Caller, type Storage } from "./pod.ts"

export const chatScopes = ["chat.stream", "hub-protocol.read"] as const

export const aChatScene = async (storage: Storage) => {
  const stub = await aModelStub()
  const pod = await aPod(storage, {
    languageModelUrl: Option.some(stub.url),
    languageModelName: Option.some("small")
  })
  const crane = assertOk(
    await pod.owner.send("POST", "/api/hub/entities", {
      profileSlug: "note",
      title: "Crane",
      description: "The crane on the quay was inspected in March 2026 by Miller."
    })
  )
  const key = await pod.aKey(pod.owner, { scope: chatScopes })
  const stop = async () => {
    await pod.stop()
    await stub.stop()
  }
  return { stub, pod, crane, key, stop }
}
export type ChatScene = Awaited<ReturnType<typeof aChatScene>>

/** Returns the values of the `data:` lines of an answer, parsed as JSON. The value `[DONE]` stays a text. */
export const framesIn = (text: string): ReadonlyArray<any> =>
  text
    .split("\n\n")
    .filter((block) => block.startsWith("data: "))
    .map((block) => (block === "data: [DONE]" ? "[DONE]" : JSON.parse(block.slice(6))))

/** Sends a request whose answer is a stream, and reads the stream to its end. */
export const streamed = async (
  baseUrl: string,
  caller: Pick<Caller, "headers">,
  path: string,
  body: object,
  signal?: AbortSignal
) => {
  const response = await fetch(baseUrl + path, {
    method: "POST",
    headers: { ...caller.headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal })
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, frames: framesIn(text) }
}
