// First, so that every other style sheet can build on it.
import './theme.css'

import { createRoot } from 'react-dom/client'
import { App } from './App'
import { connect } from './state/actions'
import { rememberView } from './state/store'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no root element')

rememberView()
connect()
createRoot(root).render(<App />)
