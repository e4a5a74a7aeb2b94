// First, so that every other style sheet can build on it.
import './theme.css'

import { createRoot } from 'react-dom/client'
import { App } from './App'
import { connect } from './state/connect'
import { rememberView } from './state/store'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no root element')

rememberView()
// Main answers at once as a rule: a picture of waiting would only delay what is waited for.
const patience = new Promise((over) => setTimeout(over, 100))
void Promise.race([connect(), patience]).then(() => createRoot(root).render(<App />))
