/** Short messages at the lower edge, with at most one action such as Undo. They never get the focus by themselves. */
import { Toast } from "@base-ui/react/toast"
import { buttonClass } from "./Button.tsx"
import { Inline } from "./Inline.tsx"

const manager = Toast.createToastManager()

interface ToastMessage {
  /** A sentence that says what happened. */
  readonly text: string
  readonly action?: { readonly name: string; readonly run: () => void }
  /**
   * Milliseconds for which the message stays. By default, a message with an action stays longer, because a person who
   * reads or moves slowly must be able to reach the action.
   */
  readonly stayMs?: number
}

export const showToast = ({ text, action, stayMs = action === undefined ? 5_000 : 30_000 }: ToastMessage): void => {
  const id = manager.add({
    description: <Inline text={text} />,
    timeout: stayMs,
    ...(action === undefined
      ? {}
      : {
          actionProps: {
            children: action.name,
            onClick: () => {
              manager.close(id)
              action.run()
            }
          }
        })
  })
}

const List = () =>
  Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="border-line bg-raised flex items-center gap-3 rounded-md border p-3 shadow-lg"
    >
      <Toast.Description className="grow" />
      {toast.actionProps !== undefined && <Toast.Action className={buttonClass("plain")} />}
      <Toast.Close aria-label="Close the message" className={buttonClass("quiet")}>
        ✕
      </Toast.Close>
    </Toast.Root>
  ))

export const Toasts = () => (
  <Toast.Provider toastManager={manager}>
    <Toast.Portal>
      <Toast.Viewport data-messages="" className="fixed right-4 bottom-4 left-4 z-50 ml-auto grid max-w-md gap-2">
        <List />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)
