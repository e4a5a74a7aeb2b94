import { createRoot } from 'react-dom/client'
import { App } from './App'
import { connect } from './state/actions'
import { rememberView } from './state/store'
import './theme.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no root element')

rememberView()
connect()
createRoot(root).render(<App />)
