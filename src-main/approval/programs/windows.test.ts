import { judges } from './cases'

judges('programs of Windows', {
  danger: `
cmd /c format c:
powershell -c Format-Volume -DriveLetter C
powershell -c Stop-Computer -Force
pwsh -Command Restart-Computer
cmd /c "format c:"
`,
})
