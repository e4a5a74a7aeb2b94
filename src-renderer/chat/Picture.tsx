import { useState } from 'react'
import { Dialog } from '../ui'

/** An image at the width of the text, and on a click as large as the window allows. */
export function Picture({ src, name }: { src: string; name: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="chat-picture" aria-label={`Enlarge ${name}`} onClick={() => setOpen(true)}>
        <img src={src} alt={name} />
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={name} size="large">
        <img className="chat-picture-large" src={src} alt={name} />
      </Dialog>
    </>
  )
}
