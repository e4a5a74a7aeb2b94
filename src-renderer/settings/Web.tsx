import { Section } from './Section'
import { SwitchSetting } from './SwitchSetting'
import { TextSetting } from './TextSetting'

/** What the web tools may access, and which search service they use. */
export function Web() {
  return (
    <Section id="web" title="Web" words="search service duckduckgo fetch local addresses proxy">
      <SwitchSetting
        setting="webAllowLocal"
        label="Allow local addresses"
        hint="Lets the agent fetch pages from this machine and its network. A web page could then direct it to routers and other services that trust this machine."
      />
      <TextSetting
        setting="webSearchEndpoint"
        label="Search service"
        hint="A URL that returns JSON, with {query} and {count} as placeholders. Leave empty to use DuckDuckGo."
        placeholder="https://search.example/api?q={query}"
        problem={(address) =>
          address === '' || /^https?:\/\/\S+$/.test(address)
            ? undefined
            : 'Enter a URL that starts with http:// or https://, or leave this empty.'
        }
      />
    </Section>
  )
}
