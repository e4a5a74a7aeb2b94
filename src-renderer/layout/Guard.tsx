import { Component, type ReactNode } from 'react'
import { Button } from '../ui'

interface GuardProps {
  /** What could not be shown: "this message", "the deck". */
  what: string
  children: ReactNode
}

/** Keeps a fault in one part of the window from taking the rest with it. React offers this to classes only. */
export class Guard extends Component<GuardProps, { error: Error | null }> {
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
