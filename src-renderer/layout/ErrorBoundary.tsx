import { Component, type ReactNode } from 'react'
import { Button } from '../ui'

interface ErrorBoundaryProps {
  /** What could not be shown: "this message", "the deck". */
  what: string
  children: ReactNode
}

/** Keeps an error in one part of the window from breaking the rest. React offers this only to classes. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <div className="ui-column layout-guard" role="alert">
        <p>
          Deckhand could not show {this.props.what}: {error.message}
        </p>
        <Button onClick={() => this.setState({ error: null })}>Try again</Button>
      </div>
    )
  }
}
