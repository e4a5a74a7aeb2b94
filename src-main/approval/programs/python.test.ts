import { judges } from './cases'

judges('python', {
  reads: `
python3 --version
`,
  asks: `
python3 -c 'print(1)'
python3 a.py
`,
  danger: `
python3 -c "print(open('/etc/shadow').read())"
twine upload dist/x
python3 -m twine upload dist/x
`,
  ordinary: `
python -m pytest -k "not shutdown"
python3 -c "print('shutdown')"
python3 script.py
`,
})
