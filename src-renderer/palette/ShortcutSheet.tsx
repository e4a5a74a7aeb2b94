import { openOverlay } from '../state/navigate'
import { type ShortcutGroup, shortcutIds, shortcuts } from '../state/shortcuts'
import { useDeckhand } from '../state/store'
import { Dialog, Kbd } from '../ui'
import './palette.css'

const groups: readonly ShortcutGroup[] = ['General', 'Chat', 'Approvals', 'Terminals']

const idsOf = (group: ShortcutGroup) => shortcutIds.filter((id) => shortcuts[id].group === group)

/** All keyboard shortcuts. */
export function ShortcutSheet() {
  const open = useDeckhand((state) => state.overlay === 'shortcuts')
  return (
    <Dialog open={open} onClose={() => openOverlay(null)} title="Keyboard shortcuts" size="medium">
      <div className="palette-sheet">
        {groups.map((group) => (
          <section key={group} aria-labelledby={`keys-${group}`}>
            <h3 id={`keys-${group}`}>{group}</h3>
            <dl>
              {idsOf(group).map((id) => (
                <div key={id}>
                  <dt>{shortcuts[id].label}</dt>
                  <dd>
                    <Kbd id={id} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
