/**
 * Says how to call the command line if `npm start` or `npx` started the pod. In this case, no program named `pod` is
 * installed.
 */
export const NpxNote = () => (
  <>
    If you started the pod with <code>npm start</code>, write <code>npx pod</code> in place of <code>pod</code>.
  </>
)
