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
        "Send a message about a workspace to the person that you act for. Nobody else can read the message. The pod writes at most 3 messages in an hour, 10 in a day, and none in quiet hours."
    })
  )
