import { expect, it } from 'vitest'
import { attachmentOf } from './resources'

/** The contract of the window allows a name of 400 characters. */
it('a resource can be sent whatever its address is', () => {
  const made = attachmentOf({ uri: `notes://\u001b]0;title\u0007${'a'.repeat(2000)}`, text: 'words' })
  expect(made).toEqual({
    name: expect.stringMatching(/^notes:[^\p{Cc}]{394}$/u),
    mimeType: 'text/plain',
    data: 'words',
  })
})
