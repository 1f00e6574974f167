/** The text for a person who opens a pod without an owner, but has no setup link. */
import { Panel } from "../../ui/Page.tsx"
import { NpxNote } from "./NpxNote.tsx"

export const NoOwnerPage = () => (
  <Panel title="This pod has no owner yet">
    <p>The setup link makes you its owner. It works once, for 30 minutes. You find it</p>
    <ul className="list-disc pl-5">
      <li>in the terminal where the pod was started, or in its log,</li>
      <li>
        in the file <code>setup-link</code> of its data directory,
      </li>
      <li>
        or by <code>pod setup-link</code> on the server, which makes a new one.
      </li>
    </ul>
    <p className="text-muted">
      <NpxNote />
    </p>
    <p className="text-muted">
      Open the link in full, with the part after <code>#</code>. Without a terminal, start the pod with{" "}
      <code>POD_OWNER_EMAIL</code> and <code>POD_OWNER_PASSWORD</code>, and it makes its owner itself.
    </p>
  </Panel>
)
