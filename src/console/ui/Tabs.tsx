/** Tabs. The arrow keys move from one tab to another. */
import { Tabs as Base } from "@base-ui/react/tabs"
import type { ReactNode } from "react"

export interface Tab<Name extends string = string> {
  readonly name: Name
  readonly content: ReactNode
  /** True if the content stays in the page while another tab is shown, so that a form keeps what a person typed. */
  readonly isKept?: boolean
}

interface TabsProps<Name extends string = string> {
  /** The name of the group of tabs for screen readers. */
  readonly label: string
  readonly tabs: ReadonlyArray<Tab<Name>>
  /** The name of the shown tab, if the address of the page contains it. If absent, the first tab is shown at first. */
  readonly shown?: Name | undefined
  readonly onShow?: (name: Name) => void
}

/**
 * Returns the properties for tabs that keep the name of the shown tab in the address of the page. If the address has no
 * tab or an unknown tab, the first tab is shown.
 */
export const tabInAddress = (
  tabs: ReadonlyArray<Tab>,
  tab: string | undefined,
  onTab: (tab: string | undefined) => void
): Required<Omit<TabsProps, "label">> => ({
  tabs,
  shown: tabs.find(({ name }) => name === tab)?.name ?? tabs[0]?.name,
  onShow: (name) => onTab(name === tabs[0]?.name ? undefined : name)
})

export const Tabs = <Name extends string>({ label, tabs, shown, onShow }: TabsProps<Name>) => (
  <Base.Root
    {...(shown === undefined ? { defaultValue: tabs[0]?.name } : { value: shown })}
    onValueChange={(name: Name) => onShow?.(name)}
    className="grid min-w-0 gap-3"
  >
    <Base.List aria-label={label} className="border-line flex flex-wrap border-b md:gap-1">
      {tabs.map(({ name }) => (
        <Base.Tab
          key={name}
          value={name}
          className="data-[active]:border-accent data-[selected]:border-accent text-muted data-[active]:text-text data-[selected]:text-text border-unchosen -mb-px border-b-2 px-2.5 py-2 font-medium md:px-3"
        >
          {name}
        </Base.Tab>
      ))}
    </Base.List>
    {tabs.map(({ content, isKept = false, name }) => (
      <Base.Panel key={name} value={name} keepMounted={isKept} className="min-w-0">
        {content}
      </Base.Panel>
    ))}
  </Base.Root>
)
