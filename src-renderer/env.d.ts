/// <reference types="vite/client" />
import type { Bridge } from '../src-preload'

declare global {
  interface Window {
    deckhand: Bridge
  }
}
