/**
 * Makes clipboard text safe to hand to a terminal: control characters could end a bracketed paste early or press keys
 * that nobody sees in the text. Tab and line ends stay, and so does everything that can be read.
 */
export const cleanPaste = (text: string) => text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '')
