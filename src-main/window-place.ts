interface Area {
  x: number
  y: number
  width: number
  height: number
}

interface WindowPlace {
  /** Absent where the system should choose. */
  x?: number
  y?: number
  width: number
  height: number
  maximized: boolean
}

const designSize = { width: 1280, height: 800 }
/** So much of the top edge has to be in sight to be taken hold of. */
const gripPx = 80

/**
 * Where to open the window: as it was left, as far as there is still a screen for that. `areaNear` finds what the screen
 * nearest to some place leaves to windows.
 */
export function placeFor(saved: unknown, areaNear: (place: Area) => Area): WindowPlace {
  const known = isPlace(saved)
  const left = known ? saved : { x: 0, y: 0, ...designSize, maximized: false }
  const area = areaNear(left)
  const width = Math.min(left.width, area.width)
  const height = Math.min(left.height, area.height)
  const size = { width, height, maximized: left.maximized === true }
  return known && canBeHeld({ ...left, width }, area) ? { x: left.x, y: left.y, ...size } : size
}

function canBeHeld({ x, y, width }: Area, area: Area): boolean {
  const across = Math.min(x + width, area.x + area.width) - Math.max(x, area.x)
  return across >= gripPx && y >= area.y && y <= area.y + area.height - gripPx
}

const isPlace = (saved: unknown): saved is Area & { maximized?: unknown } => {
  if (typeof saved !== 'object' || saved === null) return false
  const { x, y, width, height } = saved as Partial<Record<keyof Area, unknown>>
  return [x, y, width, height].every(Number.isInteger)
}
