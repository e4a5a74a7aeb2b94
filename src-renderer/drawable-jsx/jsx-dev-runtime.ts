import { jsx, jsxs } from './jsx-runtime'

export { Fragment } from './jsx-runtime'

/** In development; the place in the source that it is told as well is of no use here. */
export const jsxDEV = (
  type: Parameters<typeof jsx>[0],
  props: Parameters<typeof jsx>[1],
  key?: string,
  list?: boolean,
) => (list ? jsxs(type, props, key) : jsx(type, props, key))
