/**
 * The REST endpoint of proactive posts. With this endpoint, an agent writes a message to its person although the person
 * did not ask for one.
 */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { write } from "../../doors/DeclareRest.ts"
import { writes } from "../../doors/Door.ts"
import { PostAnswer, ProactivePost } from "./ProactivePost.ts"

export const ProactiveApi = HttpApiGroup.make("proactive")
  .annotate(OpenApi.Description, "Messages that agents send to the person that they act for.")
  .add(
    write("proactive.post", {
      method: "POST",
      path: "/proactive/post",
      payload: ProactivePost,
      success: PostAnswer,
      door: writes("hub-protocol.write", "channel", ["create"], undefined, "message"),
      summary:
        "Send a message about a workspace to the person that you act for. Nobody else can read the message. A person gets at most 3 messages an hour and 10 a day about one workspace, and in quiet hours only alerts that they want."
    })
  )
