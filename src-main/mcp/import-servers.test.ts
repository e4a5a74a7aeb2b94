import { expect, it } from 'vitest'
import { importServers } from './import-servers'

it('reads the documented TOML', async () => {
  const text = `[agent]\nmodel = "x"\n[tools.mcp_servers.my_server]\ncommand = "npx"\nargs = ["-y", "my-mcp-server"]\n
[tools.mcp_servers.remote_server]\nurl = "http://localhost:3000/mcp"\n[tools.mcp_servers.nothing]\n`
  expect(await importServers(text)).toEqual({
    servers: [
      { id: 'my_server', config: { command: 'npx', args: ['-y', 'my-mcp-server'], enabled: true } },
      { id: 'remote_server', config: { url: 'http://localhost:3000/mcp', enabled: true } },
      { id: 'nothing', config: { enabled: true } },
    ],
    warnings: ['nothing has neither a command nor an address, so it will be skipped'],
  })
})

it('reads the common JSON, that of editors, and a bare map', async () => {
  const server = { command: 'uvx', args: ['a'], env: { N: 1 }, type: 'stdio' }
  const config = { command: 'uvx', args: ['a'], env: { N: '1' }, enabled: true }
  for (const root of [
    { mcpServers: { a: server } },
    { servers: { a: server } },
    { a: server },
    { mcp: { servers: { a: server } } },
  ]) {
    expect(await importServers(JSON.stringify(root))).toEqual({ servers: [{ id: 'a', config }], warnings: [] })
  }
})

it('renames what cannot be a name, and leaves out what makes no sense', async () => {
  const text = JSON.stringify({
    mcpServers: { 'My Server__x': { command: 'a', disabled: true }, bad: { url: 'file:///etc' }, worse: 7 },
  })
  expect(await importServers(text)).toEqual({
    servers: [{ id: 'My-Server-x', config: { command: 'a', enabled: false } }],
    warnings: [
      'My Server__x is called My-Server-x here',
      'bad makes no sense as an MCP server',
      'worse makes no sense as an MCP server',
    ],
  })
})

it('says what is wrong with a text that cannot be read', async () => {
  await expect(importServers('{ nonsense')).rejects.toThrow('not valid JSON')
  await expect(importServers('= = =')).rejects.toThrow('neither JSON nor valid TOML')
  expect(await importServers('{}')).toEqual({ servers: [], warnings: ['There are no MCP servers in this text'] })
})
