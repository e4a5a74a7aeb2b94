import { jsx, jsxs } from './jsx-runtime'

export { Fragment } from './jsx-runtime'

/** Used in development; the source position that it also gets is ignored. */
export const jsxDEV = (
  type: Parameters<typeof jsx>[0],
  props: Parameters<typeof jsx>[1],
  key?: string,
  list?: boolean,
) => (list ? jsxs(type, props, key) : jsx(type, props, key))
