const longest = 400

/**
 * Words of an agent for a notification of the desktop. Many desktops read markup in it, links and pictures included, and
 * some show what they cannot read as nothing at all: what could be markup becomes signs that only look like it.
 */
export const notificationText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/[<>&]/g, (sign) => lookAlikes[sign] ?? '')
    .slice(0, longest)

const lookAlikes: Record<string, string> = { '<': '‹', '>': '›', '&': '＆' }
