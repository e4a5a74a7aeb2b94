// Runs beside the page, in a world of its own, and does what a user would: types, opens a session, scrolls.
const { ipcRenderer } = require('electron')

const frame = () => new Promise((done) => requestAnimationFrame(done))

async function until(look) {
  for (;;) {
    const found = look()
    if (found) return found
    await frame()
  }
}

const composer = () => until(() => document.querySelector('textarea:not([disabled])'))

/** When a key could be typed, and stayed typed for a frame. */
async function start() {
  const field = await composer()
  // A round before may have left its own key behind as a draft.
  const typed = `${field.value}x`
  field.focus()
  document.execCommand('insertText', false, 'x')
  await frame()
  await until(() => field.value === typed)
  return Date.now()
}

/** The older sessions of a folder are shown on request. */
const rowOf = (title) =>
  until(() => {
    const row = [...document.querySelectorAll('button[data-row]')].find((each) => each.textContent.includes(title))
    if (!row) document.querySelector('.sidebar-more')?.click()
    return row
  })

/** Milliseconds from the click to the frame that shows the session's last message, or that there is none. */
async function open({ title, shows }) {
  const row = await rowOf(title)
  await frame()
  const began = performance.now()
  row.click()
  await until(() => {
    if (row.getAttribute('aria-current') !== 'true') return false
    if (!shows) return document.querySelector('.chat-welcome')
    return [...document.querySelectorAll('article[data-message]')].some((each) => each.textContent.includes(shows))
  })
  await frame()
  return performance.now() - began
}

async function openAll({ sessions }) {
  await composer()
  const times = []
  for (const session of sessions) {
    times.push(await open(session))
    await new Promise((done) => setTimeout(done, 500))
  }
  return times
}

/** Times between frames while a session is scrolled upwards, a third of the window a frame. */
async function scroll({ sessions, frames }) {
  await composer()
  const results = []
  for (const session of sessions) {
    await open(session)
    await new Promise((done) => setTimeout(done, 500))
    const scroller = document.querySelector('.chat-list')
    const times = []
    let last = await frame()
    for (let n = 0; n < frames; n++) {
      scroller.scrollTop -= 250
      const now = await frame()
      times.push(now - last)
      last = now
    }
    results.push(times)
  }
  return results
}

const tasks = { start, open: openAll, scroll }

window.addEventListener('DOMContentLoaded', async () => {
  const task = await ipcRenderer.invoke('bench-task')
  try {
    ipcRenderer.send('bench-result', await tasks[task.name](task))
  } catch (error) {
    ipcRenderer.send('bench-result', { error: String(error?.stack ?? error) })
  }
})
