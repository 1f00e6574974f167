/**
 * Shows a tab for each client, with the texts that connect the client to the pod. The texts contain the key if the page
 * knows it.
 */
import { type ClientConfig, clientConfigs, type ClientText } from "../../../shared/clientConfigs.ts"
import { podRoot } from "../../api/root.ts"
import { buttonClass } from "../../ui/Button.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { BundleButton } from "./BundleButton.tsx"

const Piece = ({ file, isSecret, name, text }: ClientText) => (
  <div className="grid min-w-0 gap-1">
    <p className="flex flex-wrap gap-x-2">
      <span className="inline-block font-medium first-letter:uppercase">{name}</span>
      {file !== undefined && <code className="text-muted">{file}</code>}
      {isSecret && <span className="text-warn">contains the key: do not commit it</span>}
    </p>
    <Copyable text={text} name={file === undefined ? name : `${name} ${file}`} />
  </div>
)

const Client = ({ about, hasBundle, link, texts }: ClientConfig) => (
  <div className="grid min-w-0 gap-3">
    <p className="max-w-prose">{about}</p>
    {hasBundle === true && <BundleButton url={url} />}
    {link !== undefined && (
      <div>
        <a href={link.href} className={buttonClass("plain")}>
          {link.name}
        </a>
      </div>
    )}
    {texts.map((piece) => (
      <Piece key={piece.name} {...piece} />
    ))}
  </div>
)

const url = podRoot.replace(/\/$/, "")

interface ClientTabsProps {
  /** The secret of the key. Undefined if the page does not know it. */
  readonly secret: string | undefined
  readonly shown?: string | undefined
  readonly onShow?: ((client: string) => void) | undefined
}

export const ClientTabs = ({ onShow, secret, shown }: ClientTabsProps) => {
  const configs = clientConfigs({ url, key: secret })
  const nameOf = (id: string | undefined) => configs.find((config) => config.id === id)?.name
  return (
    <Tabs
      label="Client"
      shown={shown === undefined ? undefined : (nameOf(shown) ?? configs[0]?.name)}
      {...(onShow === undefined
        ? {}
        : { onShow: (name: string) => onShow(configs.find((config) => config.name === name)?.id ?? "") })}
      tabs={configs.map((config) => ({ name: config.name, content: <Client {...config} /> }))}
    />
  )
}
