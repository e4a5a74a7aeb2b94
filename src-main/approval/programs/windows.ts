import { joined } from './carried'
import type { Family } from './facts'
import { windowsDelete } from './windows-paths'

/** Programs of Windows and its shells, which also turn up elsewhere. */
export const WINDOWS: Family = {
  'del erase rd remove-item': { danger: windowsDelete },
  'pwsh powershell': { runs: 'interpreter', carries: (args) => [{ kind: 'code', field: joined(args) }] },
  'iex invoke-expression': { runs: 'expression' },
  'iwr irm invoke-webrequest': { downloads: true },
  cmd: {
    carries: ([flag, ...rest]) =>
      /^\/[ck]$/i.test(flag?.text ?? '')
        ? [
            { kind: 'argv', fields: rest },
            { kind: 'script', field: joined(rest) },
          ]
        : [],
  },
}
