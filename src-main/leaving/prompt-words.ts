/** Why a shortcut does nothing. */
export const promptShortcutWords = (accelerator: string): string =>
  `${accelerator.replaceAll('Control', 'Ctrl')} cannot open the prompt box: another program or the desktop uses it. Choose another in Settings.`
