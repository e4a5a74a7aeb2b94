// First, so that all other style sheets can build on it.
import './theme.css'
import './ui/shared.css'

import { createRoot } from 'react-dom/client'
import { App } from './App'
import { connect } from './state/connect'
import { rememberView } from './state/store'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no root element')

rememberView()
// Main usually answers at once: a loading screen would only delay the window.
const patience = new Promise((over) => setTimeout(over, 100))
void Promise.race([connect(), patience]).then(() => createRoot(root).render(<App />))
