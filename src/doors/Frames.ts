/** Frames: parts of an answer that an operation sends while it still runs, such as the words of a model. */
import { Context, Effect } from "effect"

/**
 * The receiver of the frames, which are the parts of an answer. If the caller reads no frames, the pod drops them, and
 * the caller gets the whole answer at the end. If the reader leaves, the call is interrupted.
 */
export class Frames extends Context.Reference<Frames>()("pod/Frames", {
  defaultValue: () => ({
    /**
     * Sends one frame (a part of the answer), encoded by the declared schema. Completes when the reader can accept the
     * next frame, or when the reader has left.
     */
    send: (_frame: unknown): Effect.Effect<void> => Effect.void,
    /**
     * True if the pod has already sent a frame (a part of the answer). The pod then never repeats the call, because the
     * reader would get this part twice.
     */
    hasBegun: (): boolean => false
  })
}) {}

export type FrameSink = typeof Frames.Service
