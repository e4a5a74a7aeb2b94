/** Of a terminal whose size nobody has chosen. */
export const usualTerminalSize = { cols: 120, rows: 30 }

/** The most columns, and the most rows, that a terminal may have. */
export const longestTerminalSide = 1000

/** Lines that a terminal holds by itself; what is older comes from the log. */
export const scrollbackLines = 10_000

/** A whole snapshot of a terminal is made from at most this much of its log. */
export const snapshotBytes = 4 * 1024 * 1024
