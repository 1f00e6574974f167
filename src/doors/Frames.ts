/** The parts of an answer that an operation sends while it still runs, such as the words of a model. */
import { Context, Effect } from "effect"

/**
 * Where an operation sends the frames of its answer. Without a reader frames are dropped, and the caller gets the whole
 * answer at the end. A reader that has left interrupts the call.
 */
export class Frames extends Context.Reference<Frames>()("pod/Frames", {
  defaultValue: () => ({
    /**
     * Sends one frame, in the encoded form of the declared schema. Ends when the reader can take the next one, or has left.
     */
    send: (_frame: unknown): Effect.Effect<void> => Effect.void,
    /** Whether a frame was sent. The call then never runs a second time, because the reader would get its frames twice. */
    hasBegun: (): boolean => false
  })
}) {}

/** A reader of frames. */
export type FrameSink = typeof Frames.Service
