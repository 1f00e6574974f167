/** Frames: parts of an answer that an operation sends while it still runs, such as the words of a model. */
import { Context, Effect } from "effect"

/**
 * The receiver of the frames of an answer. If nobody reads frames, the frames are dropped, and the caller gets the
 * whole answer at the end. If the reader leaves, the call is interrupted.
 */
export class Frames extends Context.Reference<Frames>()("pod/Frames", {
  defaultValue: () => ({
    /**
     * Sends one frame, encoded by the declared schema. Completes when the reader can accept the next frame, or when the
     * reader has left.
     */
    send: (_frame: unknown): Effect.Effect<void> => Effect.void,
    /**
     * Whether a frame was already sent. If so, the call is never repeated, because the reader would get the frames
     * twice.
     */
    hasBegun: (): boolean => false
  })
}) {}

export type FrameSink = typeof Frames.Service
