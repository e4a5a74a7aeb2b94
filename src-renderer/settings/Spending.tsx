import { NumberSetting } from './NumberSetting'
import { Section } from './Section'

const most = 1_000_000
const mostTokens = 1_000_000_000_000

/** The limits on spending, beyond which Deckhand asks. */
export function Spending() {
  return (
    <Section id="spending" title="Spending">
      <NumberSetting
        setting="sessionCap"
        label="Cap for a session"
        hint="Before a request that could cost more, the turn pauses and asks. Sub-agents count. 0: no cap."
        unit="$"
        min={0}
        max={most}
      />
      <NumberSetting
        setting="dayCap"
        label="Cap for a day"
        hint="The same, for everything used in one day across all sessions and jobs. 0: no cap."
        unit="$"
        min={0}
        max={most}
      />
      <NumberSetting
        setting="sessionCapTokens"
        label="Cap for a session, in tokens"
        hint="For models with unknown prices. 0: 200,000 tokens for each dollar of the cap."
        unit="tokens"
        min={0}
        max={mostTokens}
        whole
      />
      <NumberSetting
        setting="dayCapTokens"
        label="Cap for a day, in tokens"
        hint="For models with unknown prices. 0: 200,000 tokens for each dollar of the cap."
        unit="tokens"
        min={0}
        max={mostTokens}
        whole
      />
    </Section>
  )
}
