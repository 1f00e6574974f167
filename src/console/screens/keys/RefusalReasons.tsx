/**
 * Explains why an action was refused, and whether a key could do it. Shows what the action needs, what the caller has,
 * the rule that decided, and the pod's answer for one of the person's keys.
 */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { hubQuery } from "../../api/hub.ts"
import type { Refusal } from "../../api/refusal.ts"
import { Facts } from "../../ui/Facts.tsx"
import { SelectField } from "../../ui/Field.tsx"
import { Shown } from "../../ui/Shown.tsx"
import { allKeysQuery } from "./allKeys.ts"
import { CanIt } from "./CanIt.tsx"
import type { QuestionTexts } from "./useQuestion.ts"
import { Inline } from "../../ui/Inline.tsx"

const listed = (value: unknown): string =>
  Array.isArray(value) && value.length > 0 ? value.map(String).join(", ") : "nothing"

/** Shows the part of the pod that decided. It is known only for a refusal with an event. */
const Decision = ({ id }: { readonly id: string }) => {
  const { data } = useQuery({ ...hubQuery("GET /api/hub/auth/decisions/:id", { params: { id } }), retry: false })
  return data === undefined ? null : (
    <Facts
      facts={[
        ["Rule", data.axis === "none" ? data.rung : `${data.rung} (${data.axis})`],
        [
          "Smallest grant that passes",
          data.smallestGrant === null
            ? "none, because the person lacks the right"
            : data.smallestGrant.permissions.join(", ")
        ]
      ]}
    />
  )
}

const Refused = ({ refusal }: { readonly refusal: Refusal }) => {
  const { decisionId, granted, required } = refusal.body
  return (
    <section className="grid gap-2" aria-label="The refusal">
      <p>
        <Inline text={refusal.message} />
      </p>
      <Facts
        facts={[
          ["Code", <code>{refusal.code}</code>],
          ["Needs", listed(required)],
          ["You have", listed(granted)]
        ]}
      />
      {typeof decisionId === "string" && <Decision id={decisionId} />}
    </section>
  )
}

interface RefusalReasonsProps {
  readonly question: QuestionTexts
  /** The refusal of the person's own call. Undefined if the call was made with a key. */
  readonly refusal?: Refusal | undefined
  readonly keyId?: string | undefined
}

export const RefusalReasons = ({ question, keyId = "", refusal }: RefusalReasonsProps) => {
  const keys = useQuery(allKeysQuery)
  const [chosen, setChosen] = useState(keyId)
  return (
    <div className="grid min-w-0 gap-4">
      {refusal !== undefined && <Refused refusal={refusal} />}
      <Shown what="your keys" query={keys}>
        {(all) => {
          const key = all.find(({ id }) => id === chosen)
          return (
            <section className="grid gap-3" aria-label="Can a key do it?">
              <SelectField
                label="Can this key do it?"
                value={key === undefined ? "" : chosen}
                onChange={({ target }) => setChosen(target.value)}
              >
                <option value="">Choose a key</option>
                {all
                  .filter(({ id, isActive }) => isActive || id === keyId)
                  .map(({ id, keyName, lastFour }) => (
                    <option key={id} value={id}>
                      {keyName} …{lastFour}
                    </option>
                  ))}
              </SelectField>
              {key !== undefined && <CanIt key={chosen} input={{ keyId: key.id }} operations={[]} first={question} />}
            </section>
          )
        }}
      </Shown>
    </div>
  )
}
