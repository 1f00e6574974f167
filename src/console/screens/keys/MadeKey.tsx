/**
 * Shows the new key once. When the person has stored the key, shows how to connect a client, and a light for the first
 * call.
 */
import { Link, useBlocker } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { Button, buttonClass } from "../../ui/Button.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { LeaveDialog } from "../../ui/LeaveDialog.tsx"
import { Panel } from "../../ui/Page.tsx"
import { ClientTabs } from "../connect/ClientTabs.tsx"
import { FirstCallLight } from "../connect/FirstCallLight.tsx"
import { type KeyDraft, previewInput } from "./keyDraft.ts"
import type { MintedKey } from "./NewKeyPage.tsx"
import { useGrantPreview } from "./useGrantPreview.ts"

export const MadeKey = ({ draft, minted }: { readonly minted: MintedKey; readonly draft: KeyDraft }) => {
  const [isStored, setStored] = useState(false)
  const leaving = useBlocker({
    shouldBlockFn: () => !isStored,
    enableBeforeUnload: () => !isStored,
    withResolver: true
  })
  const preview = useGrantPreview(previewInput(draft))
  const toolCount = preview.data?.doors.filter(({ isOpen, surface }) => isOpen && surface === "tool").length
  const next = useRef<HTMLHeadingElement>(null)
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.focus(), [])
  useEffect(() => {
    if (isStored) next.current?.focus()
  }, [isStored])
  return (
    <div ref={top} tabIndex={-1} className="grid min-w-0 gap-4 -outline-offset-2">
      <Panel title={minted.keyName}>
        <p>{minted.summary}</p>
        <Copyable text={minted.key} name="the key" />
        <p className="text-muted">{minted.message}</p>
        {!isStored && (
          <div>
            <Button kind="primary" onClick={() => setStored(true)}>
              I stored it
            </Button>
          </div>
        )}
      </Panel>
      <LeaveDialog title="Leave without the key?" leave="Leave without it" leaving={leaving}>
        You have not confirmed that you stored the key {minted.keyName}. Nobody can read it again, so without it you
        must create another key.
      </LeaveDialog>
      {isStored && (
        <>
          <Panel
            title={
              <span ref={next} tabIndex={-1}>
                Connect the client
              </span>
            }
            actions={
              <Link to="/connections" className={buttonClass("plain")}>
                All connections
              </Link>
            }
          >
            <FirstCallLight keyId={minted.id} isNew toolCount={toolCount} />
            <ClientTabs secret={minted.key} />
          </Panel>
        </>
      )}
    </div>
  )
}
