import mermaid from 'mermaid'

/** The page that draws diagrams: main loads it outside the window and asks it for one diagram after another. */

/** The colors of the window's theme.css, which this page cannot read. */
const colours = {
  light: {
    background: '#eef2f3',
    primaryColor: '#ffffff',
    primaryTextColor: '#16211f',
    primaryBorderColor: '#5a6a72',
    secondaryColor: '#dcf0f1',
    tertiaryColor: '#fbfcfc',
    lineColor: '#5a6a72',
    textColor: '#16211f',
    edgeLabelBackground: '#eef2f3',
    noteBkgColor: '#fdf1dc',
    noteTextColor: '#16211f',
    noteBorderColor: '#e4b665',
  },
  dark: {
    background: '#0c1113',
    primaryColor: '#182024',
    primaryTextColor: '#e4ebed',
    primaryBorderColor: '#8e9ca2',
    secondaryColor: '#12343a',
    tertiaryColor: '#12181b',
    lineColor: '#8e9ca2',
    textColor: '#e4ebed',
    edgeLabelBackground: '#0c1113',
    noteBkgColor: '#2e2415',
    noteTextColor: '#e4ebed',
    noteBorderColor: '#7a5a22',
  },
}

let drawn = 0

async function drawDiagram(text: string, theme: 'light' | 'dark'): Promise<{ svg: string } | { problem: string }> {
  mermaid.initialize({
    startOnLoad: false,
    // Labels are plain text, and nothing in a diagram can be clicked.
    securityLevel: 'strict',
    htmlLabels: false,
    flowchart: { htmlLabels: false, useMaxWidth: false },
    theme: 'base',
    themeVariables: { darkMode: theme === 'dark', useGradient: false, ...colours[theme] },
    fontFamily: 'system-ui, "Noto Sans", "Liberation Sans", sans-serif',
    // The window uses thin borders instead of shadows.
    themeCSS: '* { filter: none !important; }',
    maxTextSize: 20_000,
    maxEdges: 400,
    suppressErrorRendering: true,
  })
  drawn += 1
  try {
    const { svg } = await mermaid.render(`diagram-${drawn}`, text)
    return { svg: withSize(svg) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** An image needs a size of its own, which a drawing that fills its frame does not have. */
function withSize(svg: string): string {
  const root = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg')
  const box = root
    ?.getAttribute('viewBox')
    ?.split(/[\s,]+/)
    .map(Number)
  if (!root || !box || box.length !== 4 || box.some(Number.isNaN)) return svg
  root.setAttribute('width', String(box[2]))
  root.setAttribute('height', String(box[3]))
  root.style.maxWidth = ''
  return new XMLSerializer().serializeToString(root)
}

Object.assign(globalThis, { drawDiagram })
