/** Says how to call the command line of a pod that `npm start` or `npx` started, because there is no program `pod`. */
export const NpxNote = () => (
  <>
    If you started the pod with <code>npm start</code>, write <code>npx pod</code> in place of <code>pod</code>.
  </>
)
